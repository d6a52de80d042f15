package dev.arrowdevice.benchmarks.exchange;

import java.lang.foreign.Arena;

/** Memory for many {@code ArrowArray} structs in a row. */
final class Slots implements AutoCloseable {
    private static final long ARRAY_SIZE = 80;

    private final Arena arena = Arena.ofShared();
    private final long start;

    Slots(int count) {
        start = arena.allocate(count * ARRAY_SIZE, Long.BYTES).address();
    }

    /** The address of the first struct. */
    long address() {
        return start;
    }

    long address(int index) {
        return start + index * ARRAY_SIZE;
    }

    @Override
    public void close() {
        arena.close();
    }
}
