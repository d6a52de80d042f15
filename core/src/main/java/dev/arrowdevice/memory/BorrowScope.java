package dev.arrowdevice.memory;

/**
 * The stretch of time in which memory is borrowed by one thread. Memory taken {@linkplain HostMemory#within within} the
 * scope can't be touched after {@link #close()} nor by another thread.
 */
public abstract class BorrowScope implements AutoCloseable {
    BorrowScope() {}

    /** Opens a scope that belongs to the calling thread. */
    public static BorrowScope open() {
        return Platform.HAS_FOREIGN_MEMORY ? SegmentMemory.openScope() : ByteBufferMemory.openScope();
    }

    /** Ends the scope; must be called once, by the thread that opened it. */
    @Override
    public abstract void close();
}
