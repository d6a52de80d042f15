package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.internal.memory.Node;
import dev.arrowdevice.spi.HostMemory;

/** Offsets of lists, strings and binaries. */
final class Offsets {
    private static final int CHUNK = 2048;

    private Offsets() {}

    /** The first offset that an element has. */
    static long first(Node node) {
        return node.length == 0 ? 0 : node.number(1, node.start);
    }

    /** The offset behind the last element. */
    static long last(Node node) {
        return node.length == 0 ? 0 : node.number(1, node.start + node.length);
    }

    /** The offsets, from 0 on: as they lie, or a copy that is moved. An empty array has the one offset 0. */
    static Piece zeroBased(Node node, Scratch scratch) {
        int width = node.isWide() ? 8 : 4;
        if (node.length == 0) {
            HostMemory zero = scratch.allocate(width);
            zero.fill(0, width, (byte) 0);
            return new Piece(zero, 0, width);
        }
        long byteSize = (node.length + 1) * width;
        long from = first(node);
        if (from == 0) {
            return new Piece(node.memory(1), node.start * width, byteSize);
        }
        HostMemory copy = scratch.allocate(byteSize);
        if (width == 8) {
            moveWide(node.memory(1), node.start, copy, node.length + 1, from);
        } else {
            move(node.memory(1), node.start, copy, node.length + 1, (int) from);
        }
        return new Piece(copy, 0, byteSize);
    }

    static void move(HostMemory source, long start, HostMemory target, long count, int from) {
        int[] chunk = new int[(int) Math.min(CHUNK, count)];
        for (long done = 0; done < count; done += chunk.length) {
            int size = (int) Math.min(chunk.length, count - done);
            source.get((start + done) * 4, chunk, 0, size);
            for (int i = 0; i < size; i++) {
                chunk[i] -= from;
            }
            target.put(done * 4, chunk, 0, size);
        }
    }

    static void moveWide(HostMemory source, long start, HostMemory target, long count, long from) {
        long[] chunk = new long[(int) Math.min(CHUNK, count)];
        for (long done = 0; done < count; done += chunk.length) {
            int size = (int) Math.min(chunk.length, count - done);
            source.get((start + done) * 8, chunk, 0, size);
            for (int i = 0; i < size; i++) {
                chunk[i] -= from;
            }
            target.put(done * 8, chunk, 0, size);
        }
    }
}
