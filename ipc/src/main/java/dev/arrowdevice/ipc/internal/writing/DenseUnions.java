package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.UnionType;
import dev.arrowdevice.ipc.internal.memory.Node;
import dev.arrowdevice.spi.HostMemory;
import java.util.Arrays;

/**
 * The offsets of a dense union, over the values that it refers to.
 *
 * @param from for each child, the first value that an element has
 * @param count for each child, the values from there to the last one that an element has
 */
record DenseUnions(Piece offsets, long[] from, long[] count) {
    static DenseUnions of(Node node, Scratch scratch) {
        int[] childOf = ((UnionType) node.storage).childIndices();
        int children = node.data.getChildCount();
        long[] from = new long[children];
        long[] end = new long[children];
        Arrays.fill(from, Long.MAX_VALUE);
        HostMemory typeIds = node.memory(0);
        HostMemory offsets = node.memory(1);
        for (long i = node.start; i < node.start + node.length; i++) {
            int child = child(childOf, typeIds.getByte(i));
            int offset = offsets.getInt(i * 4);
            from[child] = Math.min(from[child], offset);
            end[child] = Math.max(end[child], offset + 1L);
        }
        boolean moved = false;
        long[] count = new long[children];
        for (int i = 0; i < children; i++) {
            from[i] = Math.min(from[i], end[i]);
            count[i] = end[i] - from[i];
            moved |= from[i] != 0;
        }
        long byteSize = node.length * 4;
        if (!moved) {
            return new DenseUnions(new Piece(offsets, node.start * 4, byteSize), from, count);
        }
        HostMemory copy = scratch.allocate(byteSize);
        for (long i = 0; i < node.length; i++) {
            int child = child(childOf, typeIds.getByte(node.start + i));
            copy.putInt(i * 4, (int) (offsets.getInt((node.start + i) * 4) - from[child]));
        }
        return new DenseUnions(new Piece(copy, 0, byteSize), from, count);
    }

    private static int child(int[] childOf, byte typeId) {
        int child = typeId < 0 ? -1 : childOf[typeId];
        if (child < 0) {
            throw new IllegalArgumentException("a union has an element of type id " + typeId + ", which no child has");
        }
        return child;
    }
}
