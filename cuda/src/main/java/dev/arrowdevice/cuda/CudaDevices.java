package dev.arrowdevice.cuda;

import dev.arrowdevice.DeviceUnavailableException;
import dev.arrowdevice.spi.DriverContext;
import dev.arrowdevice.spi.DriverContexts;

/** The GPUs of this process. */
final class CudaDevices {
    private static final DriverContexts CONTEXTS = new DriverContexts();

    private CudaDevices() {}

    /** How many GPUs there are. */
    static int count() {
        int[] count = new int[1];
        CudaApi api = api();
        int code = api.cuDeviceGetCount(count);
        if (code != 0) {
            throw new DeviceUnavailableException("cuDeviceGetCount failed with " + code + " ("
                    + api.cuGetErrorName(code) + ": " + api.cuGetErrorString(code) + ")");
        }
        return count[0];
    }

    /** A GPU's context, with a reference that the caller releases. */
    static DriverContext retain(int ordinal) {
        int count = count();
        if (ordinal < 0 || ordinal >= count) {
            throw new DeviceUnavailableException(
                    "there is no GPU " + ordinal + ": CUDA numbers its " + count + " from 0");
        }
        return CONTEXTS.retain(ordinal, () -> new CudaDriver(api(), ordinal));
    }

    private static CudaApi api() {
        if (Runtime.version().feature() < 22) {
            throw new DeviceUnavailableException("CUDA needs Java 22 or newer; this is Java "
                    + Runtime.version().feature());
        }
        return CudaLibrary.api();
    }
}
