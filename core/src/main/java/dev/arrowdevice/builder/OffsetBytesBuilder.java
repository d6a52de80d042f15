package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/**
 * Builds utf8 and binary values behind offsets of 32 or 64 bits. Their bytes are staged in a small block on the heap, into
 * which texts are encoded in place, and go to memory block by block: to copy each of a few bytes takes longer than to
 * encode it.
 */
final class OffsetBytesBuilder extends BytesBuilder {
    /** The number of bytes in a block. */
    static final int BLOCK = 2048;

    /** That in the first one, since most arrays of a few values need no more. */
    private static final int FIRST_BLOCK = 256;

    /** The most bytes that are copied to the block: more are copied once, to memory, instead of twice. */
    static final int STAGED = 256;

    private static final byte[] NO_BLOCK = {};

    private final boolean wide;
    private final GrowingBuffer offsetBuffer;
    private final GrowingBuffer byteBuffer;
    private HostMemory offsets = HostMemory.EMPTY;

    private byte[] block = NO_BLOCK;

    /** The bytes used of the block. */
    private int blockEnd;

    /** The bytes used, with those of the block; which is the last offset. */
    private long end;

    OffsetBytesBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean text, boolean wide) {
        super(field, memory, parent, text);
        this.wide = wide;
        this.offsetBuffer = new GrowingBuffer(memory);
        this.byteBuffer = new GrowingBuffer(memory);
    }

    @Override
    void put(byte[] bytes, int from, int size) {
        if (!wide && size > Integer.MAX_VALUE - end) {
            throw fail("more than 2 GiB in all, which 32-bit offsets can't address; choose the large variant");
        }
        long at = nextIndex();
        if (bytes == block) {
            blockEnd += size;
        } else if (size <= STAGED && makeRoom(size)) {
            System.arraycopy(bytes, from, block, blockEnd, size);
            blockEnd += size;
        } else {
            flush();
            byteBuffer.grow(end + size, end);
            byteBuffer.bytes().put(end, bytes, from, size);
        }
        end += size;
        putZero(at);
        length = at + 1;
    }

    @Override
    byte[] room(int size) {
        return makeRoom(size) ? block : memory.scratch(size);
    }

    @Override
    int roomStart(byte[] room) {
        return room == block ? blockEnd : 0;
    }

    /** Makes room in the block; false if the bytes are more than {@link #BLOCK}. */
    private boolean makeRoom(int size) {
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

    /** Moves what is staged to memory. */
    private void flush() {
        int size = blockEnd;
        if (size > 0) {
            long start = end - size;
            byteBuffer.grow(end, start);
            byteBuffer.bytes().put(start, block, 0, size);
            blockEnd = 0;
        }
    }

    /** An element without bytes of its own: writes where it ends. */
    @Override
    void putZero(long index) {
        if (wide) {
            offsets.putLong((index + 1) << 3, end);
        } else {
            offsets.putInt((index + 1) << 2, (int) end);
        }
    }

    @Override
    void resize(long newCapacity) {
        int width = wide ? 8 : 4;
        boolean fresh = offsetBuffer.capacity() == 0;
        offsetBuffer.resize((newCapacity + 1) * width, fresh ? 0 : (length + 1) * width);
        offsets = offsetBuffer.bytes();
        if (fresh) {
            offsets.putLong(0, 0); // The first offset.
        }
    }

    @Override
    ArrayData build() {
        byteBuffer.resize(
                end, end - blockEnd); // No more than that: where memory is short, growing would ask for too much.
        flush();
        if (offsetBuffer.capacity() == 0) {
            resize(0); // "the offsets buffer … one zero offset", also of an empty array
        }
        return data(withValidity(offsetBuffer.finish((length + 1) * (wide ? 8 : 4)), byteBuffer.finish(end)));
    }

    @Override
    void reset() {
        super.reset();
        offsetBuffer.reset();
        byteBuffer.reset();
        offsets = HostMemory.EMPTY;
        blockEnd = 0;
        end = 0;
    }
}
