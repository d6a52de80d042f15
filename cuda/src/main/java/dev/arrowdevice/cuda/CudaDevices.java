package dev.arrowdevice.cuda;

import dev.arrowdevice.driver.DriverContext;
import dev.arrowdevice.memory.DeviceUnavailableException;
import java.util.HashMap;
import java.util.Map;

/**
 * The GPUs that are in use in this process, each with one context that all of its runtimes share, so that a queue or an
 * event of one can be used with any other.
 */
final class CudaDevices {
    private static final Map<Integer, DriverContext> CONTEXTS = new HashMap<>();

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
    static synchronized DriverContext retain(int ordinal) {
        int count = count();
        if (ordinal < 0 || ordinal >= count) {
            throw new DeviceUnavailableException(
                    "there is no GPU " + ordinal + ": CUDA numbers its " + count + " from 0");
        }
        DriverContext known = CONTEXTS.get(ordinal);
        if (known != null && known.tryRetain()) {
            return known;
        }
        DriverContext opened = new DriverContext(new CudaDriver(api(), ordinal));
        CONTEXTS.put(ordinal, opened);
        return opened;
    }

    private static CudaApi api() {
        // Ahead of any class that refers to java.lang.foreign.
        if (Runtime.version().feature() < 22) {
            throw new DeviceUnavailableException("CUDA needs Java 22 or newer; this is Java "
                    + Runtime.version().feature());
        }
        return CudaLibrary.api();
    }
}
