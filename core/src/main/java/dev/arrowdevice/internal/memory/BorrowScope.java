package dev.arrowdevice.internal.memory;

import dev.arrowdevice.spi.HostMemory;

/**
 * The time in which one thread borrows memory. Memory that is {@linkplain #bind bound} to the scope can't be used after
 * {@link #close()}, nor by another thread.
 */
public abstract class BorrowScope implements AutoCloseable {
    /** Without native access, all memory is freed by the garbage collector, and not while somebody refers to it. */
    private static final BorrowScope OF_COLLECTED_MEMORY = new BorrowScope() {
        @Override
        public void close() {}

        @Override
        public HostMemory bind(HostMemory memory) {
            return memory;
        }
    };

    BorrowScope() {}

    /** Opens a scope that belongs to the calling thread. */
    public static BorrowScope open() {
        return Platform.hasNativeAccess() ? SegmentMemory.openScope() : OF_COLLECTED_MEMORY;
    }

    /**
     * The same bytes, usable only until the scope ends, on the thread that opened it. A use after that throws
     * {@link IllegalStateException}, as does a use on another thread. Neither touches the memory. (Without native access, the memory keeps itself alive, and is returned unchanged.)
     */
    public abstract HostMemory bind(HostMemory memory);

    /** Ends the scope. Called once, by the thread that opened it. */
    @Override
    public abstract void close();
}
