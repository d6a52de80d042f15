package dev.arrowdevice.spi;

import dev.arrowdevice.internal.memory.DeviceResources;
import java.util.List;

/** A block of a {@link StagingCache} that is in use. Its last release calls no driver, unless too much is kept. */
final class StagingBlock extends ReferenceCounted {
    private final DriverContext context;
    private final long address;
    private final long blockSize;

    /** Takes over one reference to the context. */
    StagingBlock(DriverContext context, long address, long blockSize) {
        this.context = context;
        this.address = address;
        this.blockSize = blockSize;
        DeviceResources.BUFFERS.increment();
        DeviceResources.BYTES.add(blockSize);
    }

    @Override
    protected void free() {
        StagingCache cache = context.staging();
        List<Long> surplus = cache.giveBack(address, blockSize);
        DeviceResources.BUFFERS.decrement();
        DeviceResources.BYTES.add(-blockSize);
        if (surplus.isEmpty()) {
            context.release();
        } else {
            context.freeNative(() -> cache.free(surplus), context::release);
        }
    }

    @Override
    public String toString() {
        return blockSize + " bytes of staging memory of " + context.getDriver().device();
    }
}
