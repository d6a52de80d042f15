package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds utf8 and binary views: up to 12 bytes within the view, longer values in blocks that never move. */
final class ViewBytesBuilder extends BytesBuilder {
    private static final int VIEW_SIZE = 16;
    private static final int MAX_INLINE = 12;
    private static final long FIRST_BLOCK = 4 << 10;
    private static final long LARGEST_BLOCK = 2 << 20;

    private final GrowingBuffer viewBuffer;
    private final List<GrowingBuffer> blocks = new ArrayList<>();
    private final List<Long> blockSizes = new ArrayList<>();
    private HostMemory views = HostMemory.EMPTY;

    /** The bytes used of the last block. */
    private long used;

    ViewBytesBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean text) {
        super(field, memory, parent, text);
        this.viewBuffer = new GrowingBuffer(memory);
    }

    @Override
    void put(byte[] bytes, int from, int size) {
        long at = nextIndex();
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
        GrowingBuffer block = new GrowingBuffer(memory);
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
    void putZero(long index) {
        views.putLong(index * VIEW_SIZE, 0);
        views.putLong(index * VIEW_SIZE + 8, 0);
    }

    @Override
    void resize(long newCapacity) {
        viewBuffer.resize(Math.multiplyExact(newCapacity, VIEW_SIZE), length * VIEW_SIZE);
        views = viewBuffer.bytes();
    }

    @Override
    ArrayData build() {
        sealLastBlock();
        DeviceBuffer[] buffers = new DeviceBuffer[1 + blocks.size()];
        buffers[0] = viewBuffer.finish(length * VIEW_SIZE);
        for (int i = 0; i < blocks.size(); i++) {
            buffers[1 + i] = blocks.get(i).finish(blockSizes.get(i));
        }
        return data(withValidity(buffers));
    }

    @Override
    void reset() {
        super.reset();
        viewBuffer.reset();
        blocks.clear();
        blockSizes.clear();
        views = HostMemory.EMPTY;
        used = 0;
    }
}
