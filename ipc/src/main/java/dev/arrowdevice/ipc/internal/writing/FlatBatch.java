package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.internal.format.Longs;
import dev.arrowdevice.spi.HostMemory;
import java.util.Arrays;

/** A batch as a message has it: nodes, buffers, and the number of data buffers of each view array. */
final class FlatBatch implements AutoCloseable {
    /**
     * The numbers of a batch, which serve one batch after the other. What refers to memory does not: to store a reference in an
     * old object takes longer than to make a young one.
     */
    static final class Numbers {
        private final Longs nodes = new Longs();
        private final Longs places = new Longs();
        private final Longs begins = new Longs();
        private final Longs variadicCounts = new Longs();

        private void clear() {
            nodes.clear();
            places.clear();
            begins.clear();
            variadicCounts.clear();
        }
    }

    /** Memory that lives until the message is written. */
    final Scratch scratch = new Scratch();

    private final long rows;
    private final Longs nodes;
    /** Offset and size of each buffer within the body. */
    private final Longs places;

    private final Longs begins;
    private final Longs variadicCounts;
    private HostMemory[] memories;

    /**
     * Begins a batch.
     *
     * @param numbers are used until the next batch begins
     * @param buffers how many buffers there may be; there can be more
     */
    FlatBatch(long rows, Numbers numbers, int buffers) {
        this.rows = rows;
        numbers.clear();
        this.nodes = numbers.nodes;
        this.places = numbers.places;
        this.begins = numbers.begins;
        this.variadicCounts = numbers.variadicCounts;
        this.memories = new HostMemory[buffers];
    }

    long rows() {
        return rows;
    }

    /** Adds an array. */
    void node(long length, long nulls) {
        nodes.add(length);
        nodes.add(nulls);
    }

    /** Length and null count of each array, in turn. */
    Longs nodes() {
        return nodes;
    }

    /** Adds a buffer: bytes of a memory. */
    void buffer(HostMemory memory, long begin, long byteSize) {
        int index = begins.size();
        if (index == memories.length) {
            memories = Arrays.copyOf(memories, 2 * index + 1);
        }
        memories[index] = memory;
        begins.add(begin);
        places.add(0);
        places.add(byteSize);
    }

    void buffer(Piece piece) {
        buffer(piece.memory(), piece.offset(), piece.byteSize());
    }

    /** Puts other bytes in the place of a buffer. */
    void replace(int index, HostMemory memory, long begin, long byteSize) {
        memories[index] = memory;
        begins.set(index, begin);
        places.set(2 * index + 1, byteSize);
    }

    /** The number of buffers. */
    int buffers() {
        return begins.size();
    }

    HostMemory memory(int index) {
        return memories[index];
    }

    /** Where the bytes of a buffer begin in its memory. */
    long begin(int index) {
        return begins.get(index);
    }

    /** The size of a buffer in bytes, without padding. */
    long byteSize(int index) {
        return places.get(2 * index + 1);
    }

    /** Finds the place of each buffer in a body in which each begins at a multiple of bytes. Returns the size of the body. */
    long place(int alignment) {
        long at = 0;
        for (int i = 0; i < buffers(); i++) {
            places.set(2 * i, at);
            at += byteSize(i) + alignment - 1 & -alignment;
        }
        return at;
    }

    /** Offset and size of each buffer, in turn. */
    Longs places() {
        return places;
    }

    void variadic(long count) {
        variadicCounts.add(count);
    }

    Longs variadicCounts() {
        return variadicCounts;
    }

    /** Frees the memory for it. */
    @Override
    public void close() {
        scratch.close();
    }
}
