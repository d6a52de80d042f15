package dev.arrowdevice.interop;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceType;

/**
 * The {@code stream} of version 3 of the CUDA Array Interface, where it is not None: what is queued there must be done
 * before the data is used.
 *
 * @param handle 1 for the legacy default stream, 2 for the per-thread default stream, else a {@code cudaStream_t}; never 0,
 *     which is "disallowed as it would be ambiguous"
 */
public record CudaStream(long handle) {
    /** The legacy default stream. */
    public static final CudaStream LEGACY_DEFAULT = new CudaStream(1);
    /** The per-thread default stream. */
    public static final CudaStream PER_THREAD_DEFAULT = new CudaStream(2);

    /** Checks the handle. */
    public CudaStream {
        if (handle == 0) {
            throw new InvalidInterfaceException(
                    "stream is 0, which is ambiguous: None, 1 (the legacy default stream), 2 (the per-thread default"
                            + " stream) or a cudaStream_t");
        }
    }

    /** The stream of a queue's handle, where 0 is the legacy default stream as in the driver's functions. */
    static CudaStream ofQueue(long handle) {
        return handle == 0 ? LEGACY_DEFAULT : new CudaStream(handle);
    }

    /** The handle for the device's runtime: of HIP, whose releases don't all know 1, the legacy default stream is 0. */
    long handleOn(Device device) {
        boolean isHip = device.type() == DeviceType.ROCM || device.type() == DeviceType.ROCM_HOST;
        return isHip && equals(LEGACY_DEFAULT) ? 0 : handle;
    }

    @Override
    public String toString() {
        return handle == 1 ? "legacy default" : handle == 2 ? "per-thread default" : "0x" + Long.toHexString(handle);
    }
}
