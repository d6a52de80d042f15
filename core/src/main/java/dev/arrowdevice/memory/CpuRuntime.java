package dev.arrowdevice.memory;

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
    public boolean isHostReadable() {
        return true;
    }

    @Override
    public DeviceBuffer allocate(long byteSize) {
        return HostAllocation.allocate(Device.CPU, byteSize);
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

    /** {@inheritDoc} On the CPU the copy is done when this returns. */
    @Override
    public void copyAsync(
            DeviceBuffer source,
            long sourceOffset,
            DeviceBuffer target,
            long targetOffset,
            long byteSize,
            DeviceQueue queue) {
        checkRange(sourceOffset, byteSize, source);
        checkRange(targetOffset, byteSize, target);
        if (byteSize > 0) {
            source.memory().copyTo(sourceOffset, target.memory(), targetOffset, byteSize);
        }
    }

    /** What {@code Objects.checkFromIndexSize} does for longs; Android 13 has that for ints only. */
    private static void checkRange(long offset, long byteSize, DeviceBuffer buffer) {
        if ((offset | byteSize) < 0 || offset > buffer.byteSize() - byteSize) {
            throw new IndexOutOfBoundsException(
                    byteSize + " bytes at offset " + offset + " of a buffer of " + buffer.byteSize() + " bytes");
        }
    }

    @Override
    public DeviceEvent record(DeviceQueue queue) {
        return COMPLETE;
    }

    @Override
    public void waitFor(DeviceQueue queue, DeviceEvent event) {
        event.await();
    }

    /** {@inheritDoc} The specification knows no event for the CPU; one that was sent all the same is ignored. */
    @Override
    public DeviceEvent importEvent(long syncEvent) {
        return COMPLETE;
    }
}
