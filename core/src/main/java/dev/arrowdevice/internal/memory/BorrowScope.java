package dev.arrowdevice.internal.memory;

import dev.arrowdevice.spi.HostMemory;

/**
 * The stretch of time in which memory is borrowed by one thread. Memory {@linkplain #bind bound} to the scope can't be
 * touched after {@link #close()} nor by another thread.
 */
public abstract class BorrowScope implements AutoCloseable {
    BorrowScope() {}

    /** Opens a scope that belongs to the calling thread. */
    public static BorrowScope open() {
        return Platform.HAS_FOREIGN_MEMORY ? SegmentMemory.openScope() : ByteBufferMemory.openScope();
    }

    /**
     * The same bytes, usable only until the scope ends and only on the thread that opened it; a use after that throws
     * {@link IllegalStateException}, one elsewhere a {@code WrongThreadException}, and neither touches the memory. (Byte
     * buffers keep their memory alive by themselves and are returned as they are.)
     */
    public abstract HostMemory bind(HostMemory memory);

    /** Ends the scope; must be called once, by the thread that opened it. */
    @Override
    public abstract void close();
}
