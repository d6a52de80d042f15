package dev.arrowdevice.cuda;

/**
 * The functions of CUDA's driver API that we call, under their C names. Handles and pointers are {@code long}s. A
 * result is written to the first element of an array. A function returns the {@code CUresult} and throws nothing.
 */
interface CudaApi {
    int cuInit(int flags);

    int cuDriverGetVersion(int[] version);

    /** The name of a result, such as {@code CUDA_ERROR_INVALID_VALUE}. */
    String cuGetErrorName(int code);

    /** The driver's description of a result. */
    String cuGetErrorString(int code);

    int cuDeviceGetCount(int[] count);

    int cuDeviceGetName(byte[] name, int device);

    int cuDeviceGetAttribute(int[] value, int attribute, int device);

    int cuDeviceCanAccessPeer(int[] can, int device, int peer);

    int cuDevicePrimaryCtxRetain(long[] context, int device);

    int cuDevicePrimaryCtxRelease(int device);

    int cuCtxPushCurrent(long context);

    int cuCtxPopCurrent();

    int cuCtxEnablePeerAccess(long context);

    int cuCtxSynchronize();

    int cuMemGetInfo(long[] free, long[] total);

    int cuMemAlloc(long[] address, long byteSize);

    int cuMemFree(long address);

    int cuMemAllocManaged(long[] address, long byteSize, int flags);

    int cuMemHostAlloc(long[] address, long byteSize, int flags);

    int cuMemFreeHost(long address);

    /** Whether the driver has {@code cuMemAllocAsync} and {@code cuMemFreeAsync}. */
    boolean hasStreamOrderedMemory();

    int cuMemAllocAsync(long[] address, long byteSize, long stream);

    int cuMemFreeAsync(long address, long stream);

    /** Whether the driver has {@code cuPointerGetAttributes}. */
    boolean hasPointerAttributes();

    /**
     * Several attributes of an address, each in 64 bits; the bits above a shorter attribute are 0. All are 0 for an
     * address that the driver does not know.
     */
    int cuPointerGetAttributes(long[] values, int[] attributes, long address);

    int cuMemGetAddressRange(long[] start, long[] byteSize, long address);

    int cuMemcpyAsync(long target, long source, long byteSize, long stream);

    int cuMemcpyHtoDAsync(long target, long source, long byteSize, long stream);

    int cuMemcpyDtoHAsync(long target, long source, long byteSize, long stream);

    int cuMemcpyPeerAsync(long target, long targetContext, long source, long sourceContext, long byteSize, long stream);

    int cuStreamCreate(long[] stream, int flags);

    int cuStreamDestroy(long stream);

    int cuStreamGetCtx(long stream, long[] context);

    int cuStreamSynchronize(long stream);

    int cuStreamWaitEvent(long stream, long event);

    int cuEventCreate(long[] event, int flags);

    int cuEventDestroy(long event);

    int cuEventRecord(long event, long stream);

    int cuEventQuery(long event);

    int cuEventSynchronize(long event);
}
