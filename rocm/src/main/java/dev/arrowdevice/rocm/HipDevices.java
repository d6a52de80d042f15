package dev.arrowdevice.rocm;

import dev.arrowdevice.DeviceUnavailableException;
import dev.arrowdevice.spi.DriverContext;
import dev.arrowdevice.spi.DriverContexts;
import dev.arrowdevice.spi.NativeBlock;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs of a HIP runtime that are in use, each with one context that all of its runtimes share, so that a queue or an
 * event of one can be used with any other.
 */
final class HipDevices {
    private static final int SUCCESS = 0;
    private static final int NO_DEVICE = 100;

    private static @Nullable HipDevices ofProcess;

    private final HipLibrary library;
    private final DriverContexts contexts = new DriverContexts();

    HipDevices(HipLibrary library) {
        this.library = library;
    }

    /**
     * Those of this process's HIP runtime, which is searched for once, and again after a failure.
     *
     * @throws DeviceUnavailableException if there is none that can be used; the message says what would help
     */
    static synchronized HipDevices ofProcess() {
        HipDevices devices = ofProcess;
        if (devices == null) {
            devices = new HipDevices(HipLibrary.load(HipSearch.ofProcess()));
            ofProcess = devices;
        }
        return devices;
    }

    /**
     * Initialises the HIP runtime and counts its GPUs.
     *
     * @throws DeviceUnavailableException if there is none; the message says what would help
     */
    int count() {
        int initialised = library.api.hipInit(0);
        try (NativeBlock out = NativeBlock.allocate(Integer.BYTES)) {
            // Asked also after a failure, which ROCm 5 words as an invalid device where there is no device.
            int code = library.api.hipGetDeviceCount(out.getAddress());
            int count = code == SUCCESS ? out.getInt(0) : 0;
            if (code == NO_DEVICE || (code == SUCCESS && count == 0)) {
                throw noDevice();
            }
            library.require("hipInit", initialised);
            library.require("hipGetDeviceCount", code);
            return count;
        }
    }

    private DeviceUnavailableException noDevice() {
        return new DeviceUnavailableException("the HIP runtime " + library.name() + ", version "
                + library.versionText() + ", finds no AMD GPU (hipGetDeviceCount = "
                + NO_DEVICE + ", " + library.errorText(NO_DEVICE)
                + "); where there is one, this process needs access to /dev/kfd and /dev/dri, and HIP_VISIBLE_DEVICES and"
                + " ROCR_VISIBLE_DEVICES must not hide it");
    }

    /** A GPU's context, with a reference that the caller releases. */
    DriverContext retain(int ordinal) {
        int count = count();
        if (ordinal < 0 || ordinal >= count) {
            throw new DeviceUnavailableException(
                    "there is no GPU " + ordinal + ": HIP numbers its " + count + " from 0");
        }
        return contexts.retain(ordinal, () -> new HipDriver(library, ordinal, count));
    }
}
