package dev.arrowdevice.internal.memory;

import java.util.concurrent.atomic.AtomicLong;

/** A number of bytes that allocations share. */
public final class MemoryBudget {
    private final long limit;
    private final AtomicLong reserved = new AtomicLong();

    /** A budget with nothing reserved. */
    public MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** The total number of bytes. */
    public long limit() {
        return limit;
    }

    /** The number of bytes that are reserved now. */
    public long reserved() {
        return reserved.get();
    }

    /** Reserves bytes. If there are not that many left, reserves nothing and returns false. */
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

    /** Releases reserved bytes. */
    void release(long byteSize) {
        reserved.addAndGet(-byteSize);
    }
}
