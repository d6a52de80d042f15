package dev.arrowdevice.memory;

import org.jspecify.annotations.Nullable;

/**
 * The CPU as a device: memory of the C heap, copies that are done when the call returns, queues without work and events
 * that are complete at birth.
 */
public final class CpuRuntime implements DeviceRuntime {
    /** The one instance. */
    public static final CpuRuntime INSTANCE = new CpuRuntime();

    private static final DeviceQueue QUEUE = new DeviceQueue() {
        @Override
        public Device device() {
            return Device.CPU;
        }

        @Override
        public long handle() {
            return 0;
        }

        @Override
        public void synchronize() {}

        @Override
        public void close() {}
    };

    private static final DeviceEvent COMPLETE = new DeviceEvent() {
        @Override
        public Device device() {
            return Device.CPU;
        }

        @Override
        public boolean isComplete() {
            return true;
        }

        @Override
        public void await() {}

        @Override
        public void whenComplete(Runnable action) {
            action.run();
        }

        @Override
        public long syncEvent() {
            return 0;
        }

        @Override
        public void close() {}
    };

    private CpuRuntime() {}

    @Override
    public Device device() {
        return Device.CPU;
    }

    @Override
    public String description() {
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

    /** {@inheritDoc} The CPU's share of the machine's memory depends on too much to tell. */
    @Override
    public @Nullable MemoryInfo memoryInfo() {
        return null;
    }

    @Override
    public DeviceBuffer allocate(long byteSize) {
        return HostAllocation.allocate(Device.CPU, byteSize);
    }

    @Override
    public DeviceBuffer allocateAsync(long byteSize, DeviceQueue queue) {
        return allocate(byteSize);
    }

    @Override
    public DeviceBuffer allocateStaging(long byteSize) {
        return allocate(byteSize);
    }

    @Override
    public DeviceQueue defaultQueue() {
        return QUEUE;
    }

    @Override
    public DeviceQueue createQueue() {
        return QUEUE;
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
        if (byteSize > 0) {
            source.memory().copyTo(sourceOffset, target.memory(), targetOffset, byteSize);
        }
    }

    @Override
    public DeviceEvent record(DeviceQueue queue) {
        return COMPLETE;
    }

    @Override
    public void waitFor(@Nullable DeviceQueue queue, @Nullable DeviceEvent event) {
        if (event != null) {
            event.await();
        }
    }

    /** {@inheritDoc} The specification knows no event for the CPU; one that was sent all the same is ignored. */
    @Override
    public DeviceEvent importEvent(long syncEvent) {
        return COMPLETE;
    }
}
