package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.UnreadableDeviceException;
import dev.arrowdevice.internal.memory.HostAllocation;
import dev.arrowdevice.internal.memory.MemoryBudget;
import org.jspecify.annotations.Nullable;

/**
 * The CPU as a device. Its memory is on the C heap (without native access, the garbage collector frees it), a copy is done when the call returns, a queue has no work, and an
 * event is complete from the start. So nothing has to be closed.
 */
public final class CpuRuntime implements DeviceRuntime {
    /** The CPU without a limit. {@link Device#CPU} refers to it. */
    public static final CpuRuntime INSTANCE = new CpuRuntime(null);

    private static final CpuQueue DEFAULT_QUEUE = new CpuQueue(true);

    private final @Nullable MemoryBudget budget;

    private CpuRuntime(@Nullable MemoryBudget budget) {
        this.budget = budget;
    }

    /**
     * The CPU with a limit of memory. Builders, copies and readers that get this runtime in place of {@link Device#CPU}
     * share that many bytes, padding included; memory that is freed can be allocated again. An allocation beyond the
     * limit throws {@link dev.arrowdevice.OutOfDeviceMemoryException}, like any device without free memory. Arrays of
     * foreign producers don't count, unless the program {@linkplain #reserve reserves} their bytes.
     *
     * @param byteSize the limit, from 0
     */
    public static CpuRuntime withLimit(long byteSize) {
        if (byteSize < 0) {
            throw new IllegalArgumentException("a limit of " + byteSize + " bytes");
        }
        return new CpuRuntime(new MemoryBudget(byteSize));
    }

    /**
     * Counts bytes of memory that another producer has allocated, such as the buffers of an imported batch, against the
     * limit until the result is released. Nothing is allocated. Without a limit this does nothing.
     *
     * @param byteSize from 0
     * @return released once by the caller, when that memory is free
     * @throws dev.arrowdevice.OutOfDeviceMemoryException if less than that is left of the limit
     */
    public ReferenceCounted reserve(long byteSize) {
        if (byteSize < 0) {
            throw new IllegalArgumentException("a reservation of " + byteSize + " bytes");
        }
        return budget == null ? ReferenceCounted.nothing() : budget.reservation(Device.CPU, byteSize);
    }

    @Override
    public Device getDevice() {
        return Device.CPU;
    }

    @Override
    public String getDescription() {
        return System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", Java "
                + System.getProperty("java.version");
    }

    @Override
    public boolean isHostReadable() {
        return true;
    }

    @Override
    public boolean canAccess(Device other) {
        return Devices.isHostReadable(other);
    }

    /**
     * {@inheritDoc} With a limit, this is what is left of it. Otherwise it is null, because the free memory of the
     * machine depends on too much.
     */
    @Override
    public @Nullable MemoryInfo getMemoryInfo() {
        return budget == null ? null : new MemoryInfo(budget.limit() - budget.reserved(), budget.limit());
    }

    @Override
    public DeviceBuffer allocate(long byteSize) {
        return HostAllocation.allocate(Device.CPU, byteSize, budget);
    }

    @Override
    public DeviceBuffer allocateAsync(long byteSize, DeviceQueue queue) {
        requireOurs(queue).requireOpen("allocateAsync");
        return allocate(byteSize);
    }

    @Override
    public DeviceBuffer allocateStaging(long byteSize) {
        return allocate(byteSize);
    }

    @Override
    public DeviceQueue getDefaultQueue() {
        return DEFAULT_QUEUE;
    }

    @Override
    public DeviceQueue createQueue() {
        return new CpuQueue(false);
    }

    /** {@inheritDoc} The CPU has no queues to import. */
    @Override
    public DeviceQueue importQueue(long handle) {
        throw new IllegalArgumentException("the CPU has no queue " + handle);
    }

    /** {@inheritDoc} On the CPU the copy is done when this returns. */
    @Override
    public void copyAsync(
            DeviceBuffer source,
            long sourceOffset,
            DeviceBuffer target,
            long targetOffset,
            long byteSize,
            DeviceQueue queue) {
        source.checkRange(sourceOffset, byteSize);
        target.checkRange(targetOffset, byteSize);
        if (!source.getDevice().isCpu() && !target.getDevice().isCpu()) {
            throw new IllegalArgumentException(
                    "a copy from " + source.getDevice() + " to " + target.getDevice() + " by the CPU's runtime");
        }
        requireReadable(source);
        requireReadable(target);
        requireOurs(queue).requireOpen("copyAsync");
        if (byteSize > 0) {
            source.memory().copyTo(sourceOffset, target.memory(), targetOffset, byteSize);
        }
    }

    private static void requireReadable(DeviceBuffer buffer) {
        try {
            buffer.memory();
        } catch (UnreadableDeviceException e) {
            throw new IllegalArgumentException(
                    "the CPU can't reach memory of " + buffer.getDevice() + "; the runtime of that device can", e);
        }
    }

    private static CpuQueue requireOurs(DeviceQueue queue) {
        if (!(queue instanceof CpuQueue)) {
            throw new IllegalArgumentException("a queue of " + queue.getDevice() + " with the CPU's runtime");
        }
        return (CpuQueue) queue;
    }

    @Override
    public DeviceEvent record(DeviceQueue queue) {
        requireOurs(queue).requireOpen("record");
        return new CpuEvent();
    }

    @Override
    public void waitFor(@Nullable DeviceQueue queue, @Nullable DeviceEvent event) {
        if (event != null) {
            if (queue != null) {
                requireOurs(queue).requireOpen("waitFor");
            }
            event.await();
        }
    }

    /**
     * {@inheritDoc} The specification has no event for the CPU. An event that a producer passes all the same is
     * ignored.
     */
    @Override
    public DeviceEvent importEvent(long syncEvent) {
        if (syncEvent == 0) {
            throw new IllegalArgumentException("sync_event is NULL: the data is there");
        }
        return new CpuEvent();
    }

    /** A queue whose work is done as soon as it is queued. */
    private static final class CpuQueue implements DeviceQueue {
        private final boolean isDefault;
        private volatile boolean closed;

        CpuQueue(boolean isDefault) {
            this.isDefault = isDefault;
        }

        void requireOpen(String operation) {
            if (closed) {
                throw new IllegalStateException(operation + ": the queue has been closed");
            }
        }

        @Override
        public Device getDevice() {
            return Device.CPU;
        }

        @Override
        public long getHandle() {
            return 0;
        }

        @Override
        public void synchronize() {
            requireOpen("synchronize");
        }

        @Override
        public DeviceQueue share() {
            requireOpen("share");
            return isDefault ? this : new CpuQueue(false);
        }

        @Override
        public void close() {
            closed = !isDefault;
        }
    }

    /** An event after work that is done already. */
    private static final class CpuEvent implements DeviceEvent {
        private volatile boolean closed;

        private void requireOpen(String operation) {
            if (closed) {
                throw new IllegalStateException(operation + ": the event has been closed");
            }
        }

        @Override
        public Device getDevice() {
            return Device.CPU;
        }

        @Override
        public boolean isComplete() {
            requireOpen("isComplete");
            return true;
        }

        @Override
        public void await() {
            requireOpen("await");
        }

        @Override
        public void whenComplete(Runnable action) {
            requireOpen("whenComplete");
            action.run();
        }

        @Override
        public long getSyncEvent() {
            requireOpen("syncEvent");
            return 0;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
