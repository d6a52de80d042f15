package dev.arrowdevice.peers.arrowcpp;

import java.util.concurrent.atomic.AtomicLong;

/**
 * An owner of a C++ object: a {@code shared_ptr} whose two words are in Java. Each instance is one owner; closing it
 * releases its reference. Not thread-safe.
 */
public abstract class CppObject implements AutoCloseable {
    private static final AtomicLong LIVE = new AtomicLong();

    private final long object;
    private final long control;
    private boolean closed;

    /** Takes over the reference of the {@code shared_ptr} at that address, which counts as moved from. */
    CppObject(long sharedPtr) {
        object = CppMemory.getLong(sharedPtr);
        control = CppMemory.getLong(sharedPtr + Long.BYTES);
        if (object == 0) {
            throw new IllegalArgumentException("a null shared_ptr");
        }
        LIVE.incrementAndGet();
    }

    static long live() {
        return LIVE.get();
    }

    /** The address of the object: the {@code this} of its methods. */
    final long address() {
        if (closed) {
            throw new IllegalStateException("This " + getClass().getSimpleName() + " is closed");
        }
        return object;
    }

    /** Writes the two words of the {@code shared_ptr} there, without counting one more owner. */
    final void copyTo(long sharedPtr) {
        CppMemory.putLong(sharedPtr, address());
        CppMemory.putLong(sharedPtr + Long.BYTES, control);
    }

    /** Writes the two words of the {@code shared_ptr} there, which takes this reference over: this owner is closed. */
    final void moveTo(long sharedPtr) {
        copyTo(sharedPtr);
        closed = true;
        LIVE.decrementAndGet();
    }

    /** Gives the reference back; closing again does nothing. */
    @Override
    public final void close() {
        if (closed) {
            return;
        }
        try (CppScope scope = new CppScope()) {
            long pointer = scope.reference(this);
            closed = true;
            LIVE.decrementAndGet();
            CppMemory.destroySharedPtr(pointer);
        }
    }
}
