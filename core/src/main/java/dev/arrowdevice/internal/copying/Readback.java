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

/** Small ranges of memory that the host can't read, read all together: one pass of copies and one wait. */
public final class Readback {
    private static final long SLOT = 8;

    private final List<Copy> copies = new ArrayList<>();
    private long byteSize;

    /** Who is given what was read. */
    public interface Receiver {
        void receive(HostMemory memory);
    }

    /** Asks for a range and says where in the memory it will be. */
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
     * Reads what has been asked for, after an event, on a queue of its own: it need not wait for other work.
     *
     * @param owner what keeps the memory alive; if this fails while copies are queued it is kept for them
     */
    public void run(DeviceRuntime mover, @Nullable DeviceEvent before, ReferenceCounted owner, Receiver receiver) {
        DeviceBuffer staging = mover.allocateStaging(byteSize);
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
