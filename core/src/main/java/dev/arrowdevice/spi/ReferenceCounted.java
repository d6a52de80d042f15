package dev.arrowdevice.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A resource with a reference count. It begins with one reference, and is freed, exactly once, when the last one is
 * released. All methods may be called from any thread.
 */
public abstract class ReferenceCounted {
    private static final VarHandle FURTHER;

    static {
        try {
            FURTHER = MethodHandles.lookup().findVarHandle(ReferenceCounted.class, "further", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The number of references beyond the first one; -1 after the last release. Starting at 0 saves a memory barrier.
     */
    private volatile int further;

    /** Creates the resource with one reference, which belongs to the creator. */
    protected ReferenceCounted() {}

    /**
     * Adds a reference, which the caller must release.
     *
     * @throws IllegalStateException if the resource has already been freed
     */
    public final void retain() {
        if (!tryRetain()) {
            throw new IllegalStateException("retain: the memory has already been freed");
        }
    }

    /** Adds a reference, which the caller must release. Returns false if the resource has been freed already. */
    public final boolean tryRetain() {
        int seen;
        do {
            seen = further;
            if (seen < 0) {
                return false;
            }
            if (seen == Integer.MAX_VALUE) {
                throw new IllegalStateException("retain: too many references");
            }
        } while (!FURTHER.compareAndSet(this, seen, seen + 1));
        return true;
    }

    /**
     * Releases a reference. The last one frees the resource, on the calling thread.
     *
     * @throws IllegalStateException if there is no reference left, because one was released twice
     */
    public final void release() {
        int before = (int) FURTHER.getAndAdd(this, -1);
        if (before == 0) {
            free();
        } else if (before < 0) {
            FURTHER.getAndAdd(this, 1);
            throw new IllegalStateException("release: the memory has already been freed");
        }
    }

    /** The number of references now. For diagnosis only: it may change at any time. */
    public final int getReferenceCount() {
        return further + 1;
    }

    /** Frees the resource. Called once, by the thread that released the last reference. Must not throw. */
    protected abstract void free();

    /** One resource for several. It takes over one reference to each, and releases them, in order, when it is freed. */
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

            @Override
            public String toString() {
                return Arrays.toString(owned);
            }
        };
    }

    /** A resource that has nothing to free. */
    public static ReferenceCounted nothing() {
        return all();
    }
}
