package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.internal.memory.Node;
import dev.arrowdevice.spi.HostMemory;

/**
 * The offsets and sizes of list views, over the elements that they refer to.
 *
 * @param from the first element of the child that a list has
 * @param count the elements from there to the last one that a list has
 */
record ListViews(Piece offsets, Piece sizes, long from, long count) {
    static ListViews of(Node node, Scratch scratch) {
        int width = node.isWide() ? 8 : 4;
        long from = Long.MAX_VALUE;
        long end = 0;
        boolean regular = true;
        for (long i = node.start; i < node.start + node.length; i++) {
            long size = node.number(2, i);
            if (size > 0 && node.isValid(i)) {
                long offset = node.number(1, i);
                from = Math.min(from, offset);
                end = Math.max(end, Math.addExact(offset, size));
            } else {
                regular =
                        false; // What a null or empty list refers to is not written, so its offset must not lead there.
            }
        }
        if (from > end) {
            from = 0;
        }
        long byteSize = node.length * width;
        if (from == 0 && regular) {
            return new ListViews(
                    new Piece(node.memory(1), node.start * width, byteSize),
                    new Piece(node.memory(2), node.start * width, byteSize),
                    0,
                    end);
        }
        HostMemory offsets = scratch.allocate(byteSize);
        HostMemory sizes = scratch.allocate(byteSize);
        for (long i = 0; i < node.length; i++) {
            long size = node.isValid(node.start + i) ? node.number(2, node.start + i) : 0;
            put(offsets, width, i, size > 0 ? node.number(1, node.start + i) - from : 0);
            put(sizes, width, i, Math.max(0, size));
        }
        return new ListViews(new Piece(offsets, 0, byteSize), new Piece(sizes, 0, byteSize), from, end - from);
    }

    private static void put(HostMemory memory, int width, long index, long value) {
        if (width == 8) {
            memory.putLong(index * 8, value);
        } else {
            memory.putInt(index * 4, (int) value);
        }
    }
}
