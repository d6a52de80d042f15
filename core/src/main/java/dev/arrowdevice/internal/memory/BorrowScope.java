package dev.arrowdevice.internal.memory;

import dev.arrowdevice.spi.HostMemory;

/**
 * The time in which one thread borrows memory. Memory that is {@linkplain #bind bound} to the scope can't be used after
 * {@link #close()}, nor by another thread.
 */
public abstract class BorrowScope implements AutoCloseable {
    BorrowScope() {}

    /** Opens a scope that belongs to the calling thread. */
    public static BorrowScope open() {
        return Platform.HAS_FOREIGN_MEMORY ? SegmentMemory.openScope() : ByteBufferMemory.openScope();
    }

    /**
     * The same bytes, usable only until the scope ends, on the thread that opened it. A use after that throws
     * {@link IllegalStateException}, a use on another thread throws {@code WrongThreadException}. Neither touches the
     * memory. (Byte buffers keep their memory alive by themselves, and are returned unchanged.)
     */
    public abstract HostMemory bind(HostMemory memory);

    /** Ends the scope. Called once, by the thread that opened it. */
    @Override
    public abstract void close();
}
