package dev.arrowdevice.oneapi;

import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.DriverContext;
import dev.arrowdevice.spi.DriverDevices;
import dev.arrowdevice.spi.MemoryKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The devices of a SYCL runtime, by their index in its list. SYCL keeps this list for the life of the process. */
class SyclDevices extends DriverDevices<SyclRuntime> {
    /** {@code DPCTL_ALL_BACKENDS | DPCTL_ALL} */
    private static final int ALL = 0b11111 << 16 | 0b111111;

    private static final String CPU_DRIVER = "libintelocl.so";

    private static @Nullable SyclDevices ofProcess;

    private final SyclLibrary library;
    private final List<Long> devices = new ArrayList<>();

    SyclDevices(SyclLibrary library) {
        super("SYCL", MemoryKind.DEVICE);
        this.library = library;
    }

    /**
     * The devices of this process's SYCL runtime. The runtime is searched for once, and again after a failure.
     *
     * @throws DeviceUnavailableException if there is no SYCL runtime that can be used; the message says what would help
     */
    static synchronized SyclDevices ofProcess() {
        SyclDevices known = ofProcess;
        if (known == null) {
            known = new SyclDevices(SyclLibrary.load(SyclSearch.ofProcess()));
            ofProcess = known;
        }
        return known;
    }

    /**
     * Counts the devices.
     *
     * @throws DeviceUnavailableException if there is no device; the message says what would help
     */
    @Override
    public final synchronized int count() {
        if (devices.isEmpty()) {
            list();
        }
        if (devices.isEmpty()) {
            throw noDevice();
        }
        return devices.size();
    }

    /** The references are kept for the life of the process. */
    private void list() {
        SyclApi api = library.api;
        long found = api.DPCTLDeviceMgr_GetDevices(ALL);
        if (found == 0) {
            return;
        }
        try {
            long size = api.DPCTLDeviceVector_Size(found);
            for (long i = 0; i < size; i++) {
                devices.add(api.DPCTLDeviceVector_GetAt(found, i));
            }
        } finally {
            api.DPCTLDeviceVector_Delete(found);
        }
    }

    private DeviceUnavailableException noDevice() {
        return new DeviceUnavailableException("SYCL, by " + library.name() + ", finds no device; ONEAPI_DEVICE_SELECTOR"
                + " must not hide it, a GPU needs its driver and access to /dev/dri, and the CPU of intel-opencl-rt is found"
                + " when the environment variable OCL_ICD_FILENAMES is " + cpuDriver());
    }

    /** pip puts the driver where the ICD file of the same package does not look for it. */
    private String cpuDriver() {
        Path folder = Path.of(library.name()).getParent();
        while (folder != null) {
            Path driver = folder.resolve(CPU_DRIVER);
            if (Files.exists(driver)) {
                return driver.toString();
            }
            folder = folder.getParent();
        }
        return "the full path of " + CPU_DRIVER;
    }

    @Override
    protected SyclDriver openDriver(int ordinal) {
        long reference = reference(ordinal);
        return new SyclDriver(library, this, ordinal, aspect -> library.api.DPCTLDevice_HasAspect(reference, aspect));
    }

    @Override
    protected final SyclRuntime newRuntime(DriverContext context, int ordinal, MemoryKind kind, boolean ofProcess) {
        return new SyclRuntime(context, kind, ofProcess);
    }

    /** A device's {@code sycl::device*}. */
    final synchronized long reference(int ordinal) {
        return devices.get(ordinal);
    }

    /** The index of a {@code sycl::device*}, or -1 if it is not in the list. */
    final synchronized int ordinalOf(long device) {
        for (int ordinal = 0; ordinal < devices.size(); ordinal++) {
            if (library.api.DPCTLDevice_AreEq(devices.get(ordinal), device)) {
                return ordinal;
            }
        }
        return -1;
    }
}
