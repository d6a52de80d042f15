package dev.arrowdevice.internal.memory;

import java.util.concurrent.atomic.AtomicLong;

/** A number of bytes that allocations share. */
public final class MemoryBudget {
    private final long limit;
    private final AtomicLong reserved = new AtomicLong();

    /** A budget of which nothing is reserved. */
    public MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** The number of bytes in all. */
    public long limit() {
        return limit;
    }

    /** The number of bytes that are reserved now. */
    public long reserved() {
        return reserved.get();
    }

    /** Reserves bytes; false, with nothing reserved, if there are not as many left. */
    boolean reserve(long byteSize) {
        long seen;
        do {
            seen = reserved.get();
            if (byteSize > limit - seen) {
                return false;
            }
        } while (!reserved.compareAndSet(seen, seen + byteSize));
        return true;
    }

    /** Gives bytes back. */
    void release(long byteSize) {
        reserved.addAndGet(-byteSize);
    }
}
