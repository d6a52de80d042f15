package dev.arrowdevice.rocm;

import dev.arrowdevice.spi.NativeFunctions.Optional;

/**
 * The functions of {@code libamdhip64} that we call, under their C names. Handles, pointers and sizes are
 * {@code long}s. An {@code out} is the address that a result is written to. A function returns the {@code hipError_t}, except
 * for the texts of errors. The optional functions may be missing; each is looked for before it is called.
 */
interface HipApi {
    int hipInit(int flags);

    int hipRuntimeGetVersion(long out);

    int hipGetDeviceCount(long out);

    int hipGetDevice(long out);

    int hipSetDevice(int device);

    /** The address of a text. */
    long hipGetErrorName(int code);

    /** The address of a text. */
    long hipGetErrorString(int code);

    @Optional
    int hipPeekAtLastError();

    @Optional
    int hipGetLastError();

    @Optional
    int hipDeviceGetName(long out, int byteSize, int device);

    @Optional
    int hipDeviceGetAttribute(long out, int attribute, int device);

    @Optional
    int hipMemGetInfo(long outFree, long outTotal);

    @Optional
    int hipDeviceCanAccessPeer(long out, int device, int peer);

    @Optional
    int hipDeviceEnablePeerAccess(int peer, int flags);

    @Optional
    int hipPointerGetAttributes(long out, long address);

    @Optional
    int hipMemGetAddressRange(long outStart, long outByteSize, long address);

    int hipMalloc(long out, long byteSize);

    int hipFree(long address);

    int hipHostMalloc(long out, long byteSize, int flags);

    int hipHostFree(long address);

    @Optional
    int hipMallocManaged(long out, long byteSize, int flags);

    @Optional
    int hipMallocAsync(long out, long byteSize, long stream);

    @Optional
    int hipFreeAsync(long address, long stream);

    int hipMemcpyAsync(long target, long source, long byteSize, int kind, long stream);

    @Optional
    int hipMemcpyPeerAsync(long target, int targetDevice, long source, int sourceDevice, long byteSize, long stream);

    int hipStreamCreateWithFlags(long out, int flags);

    int hipStreamDestroy(long stream);

    int hipStreamSynchronize(long stream);

    int hipDeviceSynchronize();

    int hipStreamWaitEvent(long stream, long event, int flags);

    int hipEventCreateWithFlags(long out, int flags);

    int hipEventRecord(long event, long stream);

    int hipEventQuery(long event);

    int hipEventSynchronize(long event);

    int hipEventDestroy(long event);
}
