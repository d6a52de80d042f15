package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.internal.memory.Node;
import dev.arrowdevice.spi.HostMemory;

/**
 * The runs of a run-end encoded array that its elements are in.
 *
 * @param from the first of them
 * @param count how many they are
 */
record Runs(Piece ends, long from, long count) {
    static Runs of(Node node, Scratch scratch) {
        if (node.length == 0) {
            return new Runs(Piece.EMPTY, 0, 0);
        }
        Node runEnds = new Node(node.data.child(0));
        int width = runEnds.byteWidth();
        long from = Node.runAt(runEnds, node.start);
        long last = Node.runAt(runEnds, node.start + node.length - 1);
        long count = last - from + 1;
        long byteSize = count * width;
        boolean exact = runEnds.runEnd(runEnds.start + last) == node.length;
        if (node.start == 0 && exact) {
            return new Runs(new Piece(runEnds.memory(1), (runEnds.start + from) * width, byteSize), from, count);
        }
        HostMemory ends = scratch.allocate(byteSize);
        for (long i = 0; i < count; i++) {
            long end = Math.min(runEnds.runEnd(runEnds.start + from + i) - node.start, node.length);
            switch (width) {
                case 2 -> ends.putShort(i * 2, (short) end);
                case 4 -> ends.putInt(i * 4, (int) end);
                default -> ends.putLong(i * 8, end);
            }
        }
        return new Runs(new Piece(ends, 0, byteSize), from, count);
    }
}
