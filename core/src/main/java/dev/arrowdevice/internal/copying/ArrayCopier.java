package dev.arrowdevice.internal.copying;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/**
 * Copies an array to a device, and chooses the way. All buffers of the copy are in one allocation.
 *
 * <pre>
 *   from         | to           | way
 *   readable     | readable     | by the host
 *   readable     | a device     | through one block of pinned memory, in one transfer; what is large and pinned already
 *                |              | goes directly
 *   a device     | readable     | into one block of pinned memory; where the caller waits, from there to plain memory
 *   a device     | a device     | directly where they reach each other, else through the host
 * </pre>
 */
public final class ArrayCopier {
    private final ArrayData source;
    private final ReferenceCounted owner;
    private final @Nullable DeviceEvent ready;
    private final DeviceRuntime target;

    /**
     * Prepares a copy.
     *
     * @param owner keeps the source alive; the caller must have a reference until the copy has been queued
     * @param ready completes when the source's values are there
     */
    public ArrayCopier(ArrayData source, ReferenceCounted owner, @Nullable DeviceEvent ready, DeviceRuntime target) {
        this.source = source;
        this.owner = owner;
        this.ready = ready;
        this.target = target;
    }

    /**
     * Copies the array.
     *
     * @param queue the queue for the copy, so that the result has an event; null to use the default queue and wait
     */
    public DeviceArray copy(@Nullable DeviceQueue queue) {
        if (source.isHostReadable()) {
            return target.allocatesHostReadable() ? onHost() : toDevice(queue);
        }
        DeviceRuntime from = Devices.runtime(source.getDevice());
        if (!target.allocatesHostReadable()) {
            return betweenDevices(from, queue);
        }
        return queue == null ? compacted(from) : toPinned(from, queue);
    }

    private DeviceArray onHost() {
        awaitSource();
        return Transfer.onHost(HostPlanner.onHost(source), target);
    }

    /** Copies from memory that the host can read. */
    private DeviceArray toDevice(@Nullable DeviceQueue queue) {
        DeviceQueue used = queueOf(target, queue);
        awaitSource();
        CopyPlan plan = HostPlanner.toDevice(source, target);
        return new Transfer(target, used, null, queue == null).toDevice(plan, owner);
    }

    private void awaitSource() {
        if (ready != null) {
            ready.await();
        }
    }

    /**
     * Copies to memory that the host will be able to read. The values that offsets refer to stay where they are in
     * their buffer, because nobody can shift the offsets.
     */
    private DeviceArray toPinned(DeviceRuntime from, DeviceQueue queue) {
        DeviceQueue used = queueOf(from, queue);
        CopyPlan plan = DevicePlanner.asItIs(source, from, ready, owner);
        DeviceBuffer block =
                target.getDevice().isCpu() ? from.allocateStaging(plan.byteSize()) : target.allocate(plan.byteSize());
        return new Transfer(from, used, ready, false).toHost(plan, block, target.getDevice(), owner);
    }

    /** Copies to plain memory, with offset 0 and no more than the values need. */
    private DeviceArray compacted(DeviceRuntime from) {
        DevicePlanner.Rebased rebased = DevicePlanner.withoutUnused(source, from, ready, owner);
        CopyPlan plan = rebased.plan();
        DeviceBuffer block = from.allocateForCopy(plan.byteSize());
        Transfer transfer = new Transfer(from, from.getDefaultQueue(), ready, true);
        try (DeviceArray pinned = transfer.toHost(plan, block, target.getDevice(), owner)) {
            rebased.rebase(block.memory());
            return Transfer.onHost(HostPlanner.onHost(pinned.getData()), target);
        }
    }

    private DeviceArray betweenDevices(DeviceRuntime from, @Nullable DeviceQueue queue) {
        DeviceQueue used = queueOf(target, queue);
        if (!target.canAccess(source.getDevice())) {
            DeviceRuntime cpu = Devices.runtime(Device.CPU);
            try (DeviceArray onHost = new ArrayCopier(source, owner, ready, cpu).compacted(from)) {
                return queue == null ? onHost.copyTo(target) : onHost.copyToAsync(target, queue);
            }
        }
        CopyPlan plan = DevicePlanner.asItIs(source, target, ready, owner);
        return new Transfer(target, used, ready, queue == null).toDevice(plan, owner);
    }

    /** The queue for a runtime's copies: the given one, or its default one. */
    private DeviceQueue queueOf(DeviceRuntime runtime, @Nullable DeviceQueue queue) {
        if (queue == null) {
            return runtime.getDefaultQueue();
        }
        if (!runtime.getDefaultQueue().getDevice().equals(queue.getDevice())) {
            throw new IllegalArgumentException(
                    "copyToAsync: a copy from " + source.getDevice() + " to " + target.getDevice()
                            + " takes a queue of " + runtime.getDevice() + ", not of " + queue.getDevice());
        }
        return queue;
    }
}
