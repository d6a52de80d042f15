package dev.arrowdevice.internal.memory;

import dev.arrowdevice.Device;
import dev.arrowdevice.OutOfDeviceMemoryException;
import dev.arrowdevice.spi.ReferenceCounted;
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

    /**
     * Reserves bytes.
     *
     * @throws OutOfDeviceMemoryException if there are not that many left; nothing is reserved then
     */
    void reserve(Device device, String operation, long byteSize) {
        long seen;
        do {
            seen = reserved.get();
            if (byteSize > limit - seen) {
                throw new OutOfDeviceMemoryException(
                        device,
                        operation,
                        0,
                        byteSize + " bytes are more than is left of the limit of " + limit + " bytes, of which " + seen
                                + " are in use");
            }
        } while (!reserved.compareAndSet(seen, seen + byteSize));
    }

    /** Bytes that are reserved until this is released. */
    public ReferenceCounted reservation(Device device, long byteSize) {
        reserve(device, "reserve", byteSize);
        return new ReferenceCounted() {
            @Override
            protected void free() {
                MemoryBudget.this.release(byteSize);
            }
        };
    }

    /** Releases reserved bytes. */
    void release(long byteSize) {
        reserved.addAndGet(-byteSize);
    }
}
