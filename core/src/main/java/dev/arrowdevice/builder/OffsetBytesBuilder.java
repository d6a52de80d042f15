package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Builds utf8 and binary values with offsets of 32 or 64 bits. Texts are encoded into a small block on the heap, and go
 * from there to memory, a block at a time. To copy each short text by itself would take longer than to encode it.
 */
final class OffsetBytesBuilder extends ArrayBuilder {
    /** The number of bytes in a block. */
    static final int BLOCK = 2048;

    /** The size of the first block. Most arrays of a few values need no more. */
    private static final int FIRST_BLOCK = 256;

    /** The largest value that is copied to the block. Larger ones go to memory directly, so that they are copied once. */
    static final int STAGED = 256;

    private static final byte[] NO_BLOCK = {};

    private final boolean text;
    private final boolean wide;
    private final OffsetsBuffer offsets;
    private final GrowingBuffer byteBuffer;
    private final Validity validity;
    private long length;

    private byte[] block = NO_BLOCK;

    /** The bytes used of the block. */
    private int blockEnd;

    /** The bytes used, including those of the block: the last offset. */
    private long end;

    OffsetBytesBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean text, boolean wide) {
        super(field, memory, parent);
        this.text = text;
        this.wide = wide;
        this.offsets = new OffsetsBuffer(wide ? 8 : 4, memory);
        this.byteBuffer = new GrowingBuffer(memory, 1);
        this.validity = new Validity(memory);
    }

    @Override
    public long getLength() {
        return length;
    }

    @Override
    boolean appendValue(Object value) {
        if (text) {
            return value instanceof CharSequence characters && appendText(characters);
        }
        byte[] bytes = Bytes.of(value);
        if (bytes != null) {
            put(bytes, 0, bytes.length);
        }
        return bytes != null;
    }

    private boolean appendText(CharSequence characters) {
        int mostBytes = Bytes.maxUtf8Size(characters, place);
        boolean inBlock = makeBlockRoom(mostBytes);
        byte[] target = inBlock ? block : memory.scratch(mostBytes);
        int from = inBlock ? blockEnd : 0;
        put(target, from, Bytes.encodeUtf8(characters, target, from, place));
        return true;
    }

    /** Appends bytes of an array. The array may be the block, if the bytes are at its end already. */
    private void put(byte[] bytes, int from, int size) {
        if (!wide && size > Integer.MAX_VALUE - end) {
            throw place.fail("more than 2 GiB in all, which 32-bit offsets can't address; choose the large variant");
        }
        long at = length;
        offsets.reserve(at + 1, at);
        if (bytes == block) {
            blockEnd += size;
        } else if (size <= STAGED && makeBlockRoom(size)) {
            System.arraycopy(bytes, from, block, blockEnd, size);
            blockEnd += size;
        } else {
            flush();
            byteBuffer.grow(end + size, end);
            byteBuffer.bytes().put(end, bytes, from, size);
        }
        end += size;
        offsets.put(at, end);
        length = at + 1;
    }

    /** Makes room in the block. Returns false if the bytes are more than {@link #BLOCK}. */
    private boolean makeBlockRoom(int size) {
        if (size <= block.length - blockEnd) {
            return true;
        }
        if (size > BLOCK) {
            return false;
        }
        flush();
        if (block.length < BLOCK) {
            block = new byte[block.length == 0 && size <= FIRST_BLOCK ? FIRST_BLOCK : BLOCK];
        }
        return true;
    }

    /** Moves the block's bytes to memory. */
    private void flush() {
        int size = blockEnd;
        if (size > 0) {
            long start = end - size;
            byteBuffer.grow(end, start);
            byteBuffer.bytes().put(start, block, 0, size);
            blockEnd = 0;
        }
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        if (text) {
            return value instanceof CharSequence ? value.toString() : null;
        }
        return Keys.ofBytes(value);
    }

    @Override
    void putNull() {
        long at = length;
        offsets.reserve(at + 1, at);
        offsets.put(at, end);
        validity.setNull(at, offsets.capacity());
        length = at + 1;
    }

    @Override
    void putEmpty() {
        long at = length;
        offsets.reserve(at + 1, at);
        offsets.put(at, end);
        length = at + 1;
    }

    @Override
    void makeRoom(long elements) {
        offsets.reserve(elements, length);
    }

    @Override
    ArrayData build() {
        // Exactly that much: growing would ask for more than is needed, and memory is short.
        byteBuffer.resize(end, end - blockEnd);
        flush();
        return data(
                validity.nullCount(),
                new @Nullable DeviceBuffer[] {validity.finish(length), offsets.finish(length), byteBuffer.finish(end)});
    }

    @Override
    void reset() {
        offsets.reset();
        byteBuffer.reset();
        validity.reset();
        length = 0;
        blockEnd = 0;
        end = 0;
    }
}
