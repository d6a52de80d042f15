package dev.arrowdevice.interop;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceType;

/** The handles that stand for streams in the CUDA Array Interface and, of CUDA, in DLPack. */
final class CudaStream {
    /** The legacy default stream. */
    static final long LEGACY_DEFAULT = 1;

    private CudaStream() {}

    /** Checks a handle: 0 is "disallowed as it would be ambiguous". */
    static long require(long handle) {
        if (handle == 0) {
            throw new IllegalArgumentException(
                    "stream is 0, which is ambiguous: None, 1 (the legacy default stream), 2 (the per-thread default"
                            + " stream) or a cudaStream_t");
        }
        return handle;
    }

    /** The stream of a queue's handle, where 0 is the legacy default stream as in the driver's functions. */
    static long ofQueue(long handle) {
        return handle == 0 ? LEGACY_DEFAULT : handle;
    }

    /** The handle for the device's runtime: of HIP, whose releases don't all know 1, the legacy default stream is 0. */
    static long handleOn(Device device, long handle) {
        boolean isHip = device.type() == DeviceType.ROCM || device.type() == DeviceType.ROCM_HOST;
        return isHip && handle == LEGACY_DEFAULT ? 0 : handle;
    }
}
