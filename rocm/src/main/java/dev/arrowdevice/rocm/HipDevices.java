package dev.arrowdevice.rocm;

import dev.arrowdevice.spi.DeviceDriver;
import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.DriverContext;
import dev.arrowdevice.spi.DriverDevices;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.NativeAllocation;
import org.jspecify.annotations.Nullable;

/** The GPUs of a HIP runtime, by HIP's ordinal. */
final class HipDevices extends DriverDevices<HipRuntime> {
    private static final int SUCCESS = 0;
    private static final int NO_DEVICE = 100;

    private static @Nullable HipDevices ofProcess;

    private final HipLibrary library;

    HipDevices(HipLibrary library) {
        super("HIP", MemoryKind.DEVICE, MemoryKind.HOST);
        this.library = library;
    }

    /**
     * The GPUs of this process's HIP runtime. The runtime is searched for once, and again after a failure.
     *
     * @throws DeviceUnavailableException if there is no HIP runtime that can be used; the message says what would help
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
     * @throws DeviceUnavailableException if there is no GPU; the message says what would help
     */
    @Override
    public int count() {
        int initialised = library.api.hipInit(0);
        try (NativeAllocation out = NativeAllocation.allocate(Integer.BYTES)) {
            // Called after a failed hipInit too: without a GPU, ROCm 5 reports an invalid device there.
            int code = library.api.hipGetDeviceCount(out.getAddress());
            int count = code == SUCCESS ? out.getInt(0) : 0;
            if (code == NO_DEVICE || (code == SUCCESS && count == 0)) {
                library.forget(code);
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

    @Override
    protected DeviceDriver openDriver(int ordinal) {
        return new HipDriver(library, ordinal, count());
    }

    @Override
    protected HipRuntime newRuntime(DriverContext context, int ordinal, MemoryKind kind, boolean ofProcess) {
        return new HipRuntime(context, ordinal, kind, ofProcess);
    }
}
