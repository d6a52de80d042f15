package dev.arrowdevice.cuda;

import dev.arrowdevice.spi.DeviceDriver;
import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.DriverContext;
import dev.arrowdevice.spi.DriverDevices;
import dev.arrowdevice.spi.MemoryKind;
import org.jspecify.annotations.Nullable;

/** NVIDIA's GPUs, by CUDA's ordinal. */
final class CudaDevices extends DriverDevices<CudaRuntime> {
    private static final int SUCCESS = 0;
    private static final int NO_DEVICE = 100;

    private static @Nullable CudaDevices ofProcess;

    private final CudaLibrary library;

    CudaDevices(CudaLibrary library) {
        super("CUDA", MemoryKind.DEVICE, MemoryKind.HOST, MemoryKind.MANAGED);
        this.library = library;
    }

    /**
     * The GPUs of this process's driver. The driver is searched for once, and again after a failure.
     *
     * @throws DeviceUnavailableException if there is no driver that can be used; the message says what would help
     */
    static synchronized CudaDevices ofProcess() {
        CudaDevices known = ofProcess;
        if (known == null) {
            known = new CudaDevices(CudaLibrary.load(CudaSearch.ofProcess()));
            ofProcess = known;
        }
        return known;
    }

    /**
     * Initialises the driver and counts its GPUs.
     *
     * @throws DeviceUnavailableException if there is no GPU; the message says what would help
     */
    @Override
    public int count() {
        int[] count = new int[1];
        int code = library.api.cuInit(0);
        if (code != NO_DEVICE) {
            library.require("cuInit", code);
            code = library.api.cuDeviceGetCount(count);
        }
        if (code == NO_DEVICE || (code == SUCCESS && count[0] == 0)) {
            String visible = System.getenv("CUDA_VISIBLE_DEVICES");
            throw new DeviceUnavailableException("NVIDIA's driver is there, but no GPU"
                    + (visible == null ? "" : "; CUDA_VISIBLE_DEVICES is \"" + visible + "\""));
        }
        library.require("cuDeviceGetCount", code);
        return count[0];
    }

    @Override
    protected DeviceDriver openDriver(int ordinal) {
        return new CudaDriver(library, ordinal);
    }

    @Override
    protected CudaRuntime newRuntime(DriverContext context, int ordinal, MemoryKind kind, boolean ofProcess) {
        return new CudaRuntime(context, ordinal, kind, ofProcess);
    }
}
