package dev.arrowdevice.cuda;

import dev.arrowdevice.spi.NativeFunctions.Optional;

/**
 * The functions that JCuda mishandles, called without it. JCuda allocates more than 2 GiB of pinned memory and then throws
 * it away with an exception; its callbacks need a non-null stream, attach a non-daemon thread for each call, and leak when
 * the driver refuses them; its attributes of addresses are one per call, and an error for an address of somebody else.
 */
interface JCudaGaps {
    int cuMemHostAlloc(long out, long byteSize, int flags);

    int cuMemFreeHost(long address);

    int cuStreamAddCallback(long stream, long function, long userData, int flags);

    @Optional
    int cuPointerGetAttributes(int count, long attributes, long outs, long address);
}
