package dev.arrowdevice.cuda;

import dev.arrowdevice.spi.NativeFunctions.Optional;

/**
 * Functions that are called without JCuda, because JCuda mishandles them. It allocates more than 2 GiB of pinned memory
 * and then drops it with an exception. It asks for one attribute of an address at a time, and reports an error for an
 * address that CUDA does not know.
 */
interface JCudaGaps {
    int cuMemHostAlloc(long out, long byteSize, int flags);

    int cuMemFreeHost(long address);

    @Optional
    int cuPointerGetAttributes(int count, long attributes, long outs, long address);
}
