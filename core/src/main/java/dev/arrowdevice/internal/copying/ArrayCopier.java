package dev.arrowdevice.internal.copying;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceEvent;
import dev.arrowdevice.DeviceQueue;
import dev.arrowdevice.Devices;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/**
 * Copies an array to a device: chooses the way. All buffers of the copy lie in one block.
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
     * Prepares.
     *
     * @param owner what keeps the source alive; the caller holds a reference until the copy has been queued
     * @param ready what the source waits for
     */
    public ArrayCopier(ArrayData source, ReferenceCounted owner, @Nullable DeviceEvent ready, DeviceRuntime target) {
        this.source = source;
        this.owner = owner;
        this.ready = ready;
        this.target = target;
    }

    /** Copies and waits. */
    public DeviceArray copy() {
        if (source.isHostReadable()) {
            return fromHost(null);
        }
        DeviceRuntime from = Devices.runtime(source.getDevice());
        if (target.allocatesHostReadable()) {
            return compacted(from);
        }
        return betweenDevices(from, target.getDefaultQueue(), true);
    }

    /** Queues the copy; the result has an event. */
    public DeviceArray copyAsync(DeviceQueue queue) {
        if (source.isHostReadable()) {
            return fromHost(queue);
        }
        DeviceRuntime from = Devices.runtime(source.getDevice());
        return target.allocatesHostReadable() ? toPinned(from, queue) : betweenDevices(from, queue, false);
    }

    /** From memory that the host can read. */
    private DeviceArray fromHost(@Nullable DeviceQueue queue) {
        if (!target.allocatesHostReadable() && queue != null) {
            requireQueueOf(target, queue);
        }
        if (ready != null) {
            ready.await();
        }
        CopyPlan plan = new CopyPlan();
        CopyPlan.Node root = new HostPlanner(plan).plan(source);
        if (target.allocatesHostReadable()) {
            return Transfer.onHost(plan, root, target);
        }
        Transfer transfer = new Transfer(target, queue == null ? target.getDefaultQueue() : queue, null, queue == null);
        plan.layOut(transfer::isStaged);
        return transfer.toDevice(plan, root, owner);
    }

    /** To memory that the host will be able to read; what offsets address is where it was, for nobody can shift it. */
    private DeviceArray toPinned(DeviceRuntime from, DeviceQueue queue) {
        requireQueueOf(from, queue);
        CopyPlan plan = new CopyPlan();
        CopyPlan.Node root = resolve(plan, from, false).root;
        DeviceBuffer block =
                target.getDevice().isCpu() ? from.allocateStaging(plan.byteSize()) : target.allocate(plan.byteSize());
        return new Transfer(from, queue, ready, false).toHost(plan, root, block, target.getDevice(), owner);
    }

    /** To plain memory, with offset 0 and no more than the values need. */
    private DeviceArray compacted(DeviceRuntime from) {
        DeviceQueue queue = from.getDefaultQueue();
        CopyPlan plan = new CopyPlan();
        Planned planned = resolve(plan, from, true);
        DeviceBuffer block = from.allocateStaging(plan.byteSize());
        Transfer transfer = new Transfer(from, queue, ready, true);
        try (DeviceArray pinned = transfer.toHost(plan, planned.root, block, target.getDevice(), owner)) {
            planned.planner.rebase(block.memory());
            CopyPlan compact = new CopyPlan();
            return Transfer.onHost(compact, new HostPlanner(compact).plan(pinned.getData()), target);
        }
    }

    private DeviceArray betweenDevices(DeviceRuntime from, DeviceQueue queue, boolean waits) {
        requireQueueOf(target, queue);
        if (!target.canAccess(source.getDevice())) {
            DeviceRuntime cpu = Devices.runtime(Device.CPU);
            try (DeviceArray onHost = new ArrayCopier(source, owner, ready, cpu).compacted(from)) {
                return waits ? onHost.copyTo(target) : onHost.copyToAsync(target, queue);
            }
        }
        CopyPlan plan = new CopyPlan();
        CopyPlan.Node root = resolve(plan, target, false).root;
        return new Transfer(target, queue, ready, waits).toDevice(plan, root, owner);
    }

    private record Planned(CopyPlan.Node root, DevicePlanner planner) {}

    /** Plans the copy of memory that the host can't read, waiting for the offsets where they must be known. */
    private Planned resolve(CopyPlan plan, DeviceRuntime mover, boolean rebase) {
        Readback readback = new Readback();
        DevicePlanner planner = new DevicePlanner(plan, readback, rebase);
        CopyPlan.Node root = planner.plan(source);
        if (!readback.isEmpty()) {
            readback.run(mover, ready, owner, planner::resolve);
        }
        plan.layOut(piece -> piece.source() == null);
        return new Planned(root, planner);
    }

    private void requireQueueOf(DeviceRuntime runtime, DeviceQueue queue) {
        if (!runtime.getDefaultQueue().getDevice().equals(queue.getDevice())) {
            throw new IllegalArgumentException(
                    "copyToAsync: a copy from " + source.getDevice() + " to " + target.getDevice()
                            + " takes a queue of " + runtime.getDevice() + ", not of " + queue.getDevice());
        }
    }
}
