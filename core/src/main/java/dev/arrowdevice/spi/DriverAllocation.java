package dev.arrowdevice.spi;

import dev.arrowdevice.internal.memory.DeviceResources;

/** Memory that a driver allocated. */
final class DriverAllocation extends ReferenceCounted {
    private final DriverContext context;
    private final long byteSize;
    private final Runnable free;
    private final Runnable afterwards;

    /**
     * Takes over one reference to the context.
     *
     * @param free frees the memory
     * @param afterwards runs after the memory was freed, or freeing it has failed
     */
    DriverAllocation(DriverContext context, long byteSize, Runnable free, Runnable afterwards) {
        this.context = context;
        this.byteSize = byteSize;
        this.free = free;
        this.afterwards = afterwards;
        DeviceResources.BUFFERS.increment();
        DeviceResources.BYTES.add(byteSize);
    }

    @Override
    protected void free() {
        context.freeNative(free, () -> {
            afterwards.run();
            DeviceResources.BUFFERS.decrement();
            DeviceResources.BYTES.add(-byteSize);
            context.release();
        });
    }

    @Override
    public String toString() {
        return byteSize + " bytes of " + context.getDriver().device();
    }
}
