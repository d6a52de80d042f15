package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds utf8 and binary views. Values of up to 12 bytes are in the view itself, longer ones in blocks that never move. */
final class ViewBytesBuilder extends ArrayBuilder {
    private static final int VIEW_SIZE = 16;
    private static final int MAX_INLINE = 12;
    private static final long FIRST_BLOCK = 4 << 10;
    private static final long LARGEST_BLOCK = 2 << 20;

    private final boolean text;
    private final GrowingBuffer viewBuffer;
    private final Validity validity;
    private final List<GrowingBuffer> blocks = new ArrayList<>();
    private final List<Long> blockSizes = new ArrayList<>();
    private long length;

    /** The number of views that there is room for. */
    private long capacity;

    /** The bytes used of the last block. */
    private long used;

    ViewBytesBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean text) {
        super(field, memory, parent);
        this.text = text;
        this.viewBuffer = new GrowingBuffer(memory, VIEW_SIZE);
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
        byte[] target = memory.scratch(Bytes.maxUtf8Size(characters, place));
        put(target, 0, Bytes.encodeUtf8(characters, target, 0, place));
        return true;
    }

    private void put(byte[] bytes, int from, int size) {
        long at = length;
        makeRoom(at + 1);
        HostMemory views = viewBuffer.bytes();
        long view = at * VIEW_SIZE;
        if (size <= MAX_INLINE) {
            // "the remaining bytes … padded with zeros"
            views.putLong(view, 0);
            views.putLong(view + 8, 0);
            views.put(view + 4, bytes, from, size);
        } else {
            GrowingBuffer block = blockFor(size);
            block.bytes().put(used, bytes, from, size);
            views.put(view + 4, bytes, from, 4);
            views.putInt(view + 8, blocks.size() - 1);
            views.putInt(view + 12, (int) used);
            used += size;
        }
        views.putInt(view, size);
        length = at + 1;
    }

    /** The last block, with room for a value. */
    private GrowingBuffer blockFor(int size) {
        int last = blocks.size() - 1;
        if (last >= 0 && used + size <= blocks.get(last).capacity()) {
            return blocks.get(last);
        }
        long next = last < 0 ? FIRST_BLOCK : Math.min(blocks.get(last).capacity() * 2, LARGEST_BLOCK);
        GrowingBuffer block = new GrowingBuffer(memory, 1);
        block.resize(Math.max(next, size), 0);
        sealLastBlock();
        blocks.add(block);
        used = 0;
        return block;
    }

    private void sealLastBlock() {
        if (blockSizes.size() < blocks.size()) {
            blockSizes.add(used);
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
        putZero();
        validity.setNull(length, capacity);
        length++;
    }

    @Override
    void putEmpty() {
        putZero();
        length++;
    }

    private void putZero() {
        makeRoom(length + 1);
        viewBuffer.bytes().fill(length * VIEW_SIZE, VIEW_SIZE, (byte) 0);
    }

    @Override
    void makeRoom(long elements) {
        if (elements > capacity) {
            viewBuffer.grow(elements, length * VIEW_SIZE);
            capacity = viewBuffer.capacity() / VIEW_SIZE;
        }
    }

    @Override
    ArrayData build() {
        sealLastBlock();
        @Nullable DeviceBuffer[] buffers = new @Nullable DeviceBuffer[2 + blocks.size()];
        buffers[0] = validity.finish(length);
        buffers[1] = viewBuffer.finish(length * VIEW_SIZE);
        for (int i = 0; i < blocks.size(); i++) {
            buffers[2 + i] = blocks.get(i).finish(blockSizes.get(i));
        }
        return data(validity.nullCount(), buffers);
    }

    @Override
    void reset() {
        viewBuffer.reset();
        validity.reset();
        blocks.clear();
        blockSizes.clear();
        length = 0;
        capacity = 0;
        used = 0;
    }
}
