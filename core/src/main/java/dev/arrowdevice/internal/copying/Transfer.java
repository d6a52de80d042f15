package dev.arrowdevice.internal.copying;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.internal.copying.CopyPlan.Copy;
import dev.arrowdevice.internal.copying.CopyPlan.Piece;
import dev.arrowdevice.internal.memory.DeferredRelease;
import dev.arrowdevice.internal.owners.EventOwner;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.OwnedArrays;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Executes a plan on a queue: allocates, queues the copies and records the event. All memory that queued work uses is
 * kept until the work is done, also if this fails in the middle. A failure before the first copy leaves nothing behind.
 */
final class Transfer {
    private final DeviceRuntime mover;
    private final DeviceQueue queue;
    private final @Nullable DeviceEvent before;
    private final boolean waits;
    private final List<ReferenceCounted> used = new ArrayList<>();
    private boolean queued;

    /**
     * Prepares a transfer.
     *
     * @param mover the runtime that copies
     * @param queue a queue of the mover
     * @param before completes when the source's values are there
     * @param waits whether to wait for the copies; otherwise the result has an event
     */
    Transfer(DeviceRuntime mover, DeviceQueue queue, @Nullable DeviceEvent before, boolean waits) {
        this.mover = mover;
        this.queue = queue;
        this.before = before;
        this.waits = waits;
    }

    /** Copies to the mover's own device, which the host can't write. */
    DeviceArray toDevice(CopyPlan plan, ReferenceCounted source) {
        DeviceBuffer block = mover.allocateAsync(plan.byteSize(), queue);
        try {
            if (plan.stagedSize() > StagingRing.LARGE) {
                mover.waitFor(queue, before);
                stageInParts(plan, block);
            } else {
                DeviceBuffer staging = stage(plan);
                mover.waitFor(queue, before);
                if (staging != null) {
                    queue(new Copy(staging, 0, 0, plan.stagedSize()), block);
                }
            }
            queueDirect(plan, block, source);
            return finish(plan.over(block, mover.getDevice()), block.getOwner());
        } catch (Throwable e) {
            abandon(block.getOwner());
            throw e;
        }
    }

    /**
     * Copies from a device to a block that the host can read.
     *
     * @param block the block; the reference to its owner moves to this method, also if it fails
     * @param device the device of the result
     */
    DeviceArray toHost(CopyPlan plan, DeviceBuffer block, Device device, ReferenceCounted source) {
        try {
            HostMemory memory = block.memory();
            write(plan, memory);
            for (Copy copy : plan.direct()) {
                memory.fill(copy.at() + copy.byteSize(), CopyPlan.padding(copy.byteSize()), (byte) 0);
            }
            mover.waitFor(queue, before);
            use(block.getOwner()); // Unlike memory of a device, this memory is not freed in the queue's order.
            queueDirect(plan, block, source);
            return finish(plan.over(block, device), block.getOwner());
        } catch (Throwable e) {
            abandon(block.getOwner());
            throw e;
        }
    }

    /** Copies between memories that the host can access. */
    static DeviceArray onHost(CopyPlan plan, DeviceRuntime target) {
        DeviceBuffer block = target.allocate(plan.byteSize());
        try {
            write(plan, block.memory());
            return OwnedArrays.of(plan.over(block, target.getDevice()), block.getOwner());
        } catch (Throwable e) {
            block.getOwner().release();
            throw e;
        }
    }

    /** The bytes that the host writes, in pinned memory, or null if there are none. */
    private @Nullable DeviceBuffer stage(CopyPlan plan) {
        if (plan.stagedSize() == 0) {
            return null;
        }
        DeviceBuffer staging = mover.allocateForCopy(plan.stagedSize());
        used.add(staging.getOwner());
        write(plan, staging.memory());
        return staging;
    }

    private void stageInParts(CopyPlan plan, DeviceBuffer block) {
        try (StagingRing ring =
                new StagingRing(mover, queue, waits, made -> used.add(made.getOwner()), copy -> queue(copy, block))) {
            for (Piece piece : plan.staged()) {
                ring.write(piece);
            }
            ring.flush();
        }
    }

    private static void write(CopyPlan plan, HostMemory block) {
        for (Piece piece : plan.staged()) {
            piece.writeTo(block, piece.at);
        }
    }

    private void queueDirect(CopyPlan plan, DeviceBuffer block, ReferenceCounted source) {
        if (plan.direct().isEmpty()) {
            return;
        }
        use(source);
        for (Copy copy : plan.direct()) {
            queue(copy, block);
        }
    }

    private void queue(Copy copy, DeviceBuffer block) {
        queued = true; // Also if it throws, because the device may have begun the copy.
        mover.copyAsync(copy.source(), copy.from(), block, copy.at(), copy.byteSize(), queue);
    }

    /** Keeps memory until the queued work is done. */
    private void use(ReferenceCounted owner) {
        owner.retain();
        used.add(owner);
    }

    private DeviceArray finish(ArrayData data, ReferenceCounted memory) {
        DeviceEvent ready = mover.record(queue);
        if (!waits) {
            releaseUsed();
            return OwnedArrays.of(data, ReferenceCounted.all(memory, new EventOwner(ready)), ready);
        }
        try (ready) {
            ready.await();
        }
        queued = false;
        releaseUsed();
        return OwnedArrays.of(data, memory);
    }

    private void abandon(ReferenceCounted memory) {
        used.add(memory);
        releaseUsed();
    }

    private void releaseUsed() {
        if (used.isEmpty()) {
            return;
        }
        ReferenceCounted all = ReferenceCounted.all(used.toArray(new ReferenceCounted[0]));
        used.clear();
        if (queued) {
            DeferredRelease.after(mover, queue, all);
        } else {
            all.release();
        }
    }
}
