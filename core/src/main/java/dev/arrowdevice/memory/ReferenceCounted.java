package dev.arrowdevice.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A resource with an explicit reference count: it is born with one reference and freed, exactly once, when the last is
 * released. All methods may be called from any thread.
 */
public abstract class ReferenceCounted {
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(ReferenceCounted.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("FieldMayBeFinal")
    private volatile int count = 1;

    /** Creates the resource with one reference, which the creator holds. */
    protected ReferenceCounted() {}

    /**
     * Adds a reference, which the caller must release.
     *
     * @throws IllegalStateException if the resource has already been freed
     */
    public final void retain() {
        int seen;
        do {
            seen = count;
            if (seen <= 0) {
                throw new IllegalStateException("retain: the memory has already been freed");
            }
            if (seen == Integer.MAX_VALUE) {
                throw new IllegalStateException("retain: too many references");
            }
        } while (!COUNT.compareAndSet(this, seen, seen + 1));
    }

    /**
     * Gives a reference back; the last one frees the resource on the calling thread.
     *
     * @throws IllegalStateException if no reference is left, that is, if one was released twice
     */
    public final void release() {
        int before = (int) COUNT.getAndAdd(this, -1);
        if (before == 1) {
            free();
        } else if (before <= 0) {
            COUNT.getAndAdd(this, 1);
            throw new IllegalStateException("release: the memory has already been freed");
        }
    }

    /** The number of references now; for diagnosis only, it may change at any time. */
    public final int referenceCount() {
        return count;
    }

    /** Frees the resource; called once, by the thread that released the last reference. Must not throw. */
    protected abstract void free();

    /**
     * One resource that stands for several: it takes over one reference to each and releases them, in order, when it is
     * freed itself.
     */
    public static ReferenceCounted all(ReferenceCounted... parts) {
        if (parts.length == 1) {
            return parts[0];
        }
        ReferenceCounted[] owned = parts.clone();
        return new ReferenceCounted() {
            @Override
            protected void free() {
                for (ReferenceCounted part : owned) {
                    part.release();
                }
            }
        };
    }

    /** A resource without anything to free. */
    public static ReferenceCounted nothing() {
        return all();
    }
}
