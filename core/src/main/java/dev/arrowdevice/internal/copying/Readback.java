package dev.arrowdevice.internal.copying;

import dev.arrowdevice.internal.copying.CopyPlan.Copy;
import dev.arrowdevice.internal.memory.DeferredRelease;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads small ranges of memory that the host can't read, all together, in one pass of copies with one wait. */
public final class Readback {
    private static final long SLOT = 8;

    private final List<Copy> copies = new ArrayList<>();
    private long byteSize;

    /** Receives what was read. */
    public interface Receiver {
        void receive(HostMemory memory);
    }

    /** Requests a range, and returns its offset in the memory that will be read. */
    public long add(DeviceBuffer source, long from, long size) {
        source.checkRange(from, size);
        long at = byteSize;
        copies.add(new Copy(source, from, at, size));
        byteSize = Math.addExact(byteSize, (size + SLOT - 1) & -SLOT);
        return at;
    }

    boolean isEmpty() {
        return copies.isEmpty();
    }

    /**
     * Reads the requested ranges, after an event, on a queue of its own, so that it need not wait for other work.
     *
     * @param owner keeps the memory alive; if this fails while copies are queued, the memory is kept for them
     */
    public void run(DeviceRuntime mover, @Nullable DeviceEvent before, ReferenceCounted owner, Receiver receiver) {
        DeviceBuffer staging = mover.allocateForCopy(byteSize);
        boolean queued = false;
        try (DeviceQueue queue = mover.createQueue()) {
            try {
                mover.waitFor(queue, before);
                for (Copy copy : copies) {
                    queued = true;
                    mover.copyAsync(copy.source(), copy.from(), staging, copy.at(), copy.byteSize(), queue);
                }
                try (DeviceEvent event = mover.record(queue)) {
                    event.await();
                }
                queued = false;
            } finally {
                if (queued) {
                    owner.retain();
                    staging.getOwner().retain();
                    DeferredRelease.after(mover, queue, ReferenceCounted.all(staging.getOwner(), owner));
                }
            }
            receiver.receive(staging.memory());
        } finally {
            staging.getOwner().release();
        }
    }
}
