package dev.arrowdevice.rocm;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.DriverContext;
import dev.arrowdevice.spi.DriverRuntime;
import dev.arrowdevice.spi.MemoryKind;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An AMD GPU, or the host's memory pinned for it: Arrow's devices {@code ROCM} and {@code ROCM_HOST}, whose id is HIP's
 * ordinal of the GPU. HIP's managed memory has no device type in Arrow's interface, so there is no runtime for it.
 *
 * <p><b>This has not been run on an AMD GPU</b>, only on simulated HIP runtimes of ROCm 5, 6 and 7, and on a real one without
 * a GPU.
 *
 * <p>A runtime that was opened is a handle, to be closed by who opened it. All runtimes of a GPU in a process share its
 * context: queues, events and buffers of one can be used with the others, also with those that
 * {@link dev.arrowdevice.spi.Devices} finds by itself. Closing the handle makes the handle unusable and nothing else.
 *
 * <p>HIP's handles go in and out as {@code long}: {@code hipStream_t} is {@link dev.arrowdevice.spi.DeviceQueue#handle},
 * {@code hipEvent_t*} is {@link dev.arrowdevice.spi.DeviceEvent#syncEvent}. All methods may be called from any thread: each
 * makes the GPU current in it and then gives the thread its own current device back.
 *
 * <p>HIP's library is taken, in this order, from: the file that {@code -Ddev.arrowdevice.rocm.library} names; the one that
 * somebody else in the process has loaded; {@code $ROCM_PATH/lib}; {@code /opt/rocm/lib}; where the system's loader looks.
 * Its names are {@code libamdhip64.so.7}, {@code .so.6}, {@code .so.5} and {@code libamdhip64.so}, the first that loads is
 * used.
 */
public final class HipRuntime extends DriverRuntime {
    private final HipDriver driver;

    HipRuntime(DriverContext context, int ordinal, MemoryKind kind, boolean ofProcess) {
        super(
                context,
                new Device(deviceType(kind), ordinal),
                new Device(DeviceType.ROCM_HOST, ordinal),
                kind,
                ofProcess);
        this.driver = (HipDriver) context.getDriver();
    }

    private static int deviceType(MemoryKind kind) {
        switch (kind) {
            case DEVICE:
                return DeviceType.ROCM;
            case HOST:
                return DeviceType.ROCM_HOST;
            default:
                throw new IllegalArgumentException("Arrow has no device type for HIP's managed memory");
        }
    }

    /**
     * Opens a GPU with its own memory.
     *
     * @param device HIP's ordinal of the GPU
     * @return a handle, which the caller closes
     * @throws DeviceUnavailableException if there is no HIP runtime or no such GPU; the message says why and what would help
     */
    public static HipRuntime open(int device) {
        return open(device, MemoryKind.DEVICE);
    }

    /**
     * Opens a GPU with one kind of memory.
     *
     * @param device HIP's ordinal of the GPU
     * @param kind which memory {@link #allocate} gives: {@code DEVICE} or {@code HOST}
     * @return a handle, which the caller closes
     * @throws DeviceUnavailableException if there is no HIP runtime or no such GPU; the message says why and what would help
     * @throws IllegalArgumentException for {@code MANAGED}
     */
    public static HipRuntime open(int device, MemoryKind kind) {
        deviceType(kind); // An argument that is refused wherever there is a GPU.
        return HipDevices.ofProcess().open(device, kind);
    }

    /**
     * How many GPUs there are.
     *
     * @throws DeviceUnavailableException if there is no HIP runtime or no GPU; the message says why and what would help
     */
    public static int deviceCount() {
        return HipDevices.ofProcess().count();
    }

    /** The version of the HIP runtime as {@code hipRuntimeGetVersion} gives it: 60342134 for 6.3.42134. */
    public int getHipVersion() {
        return driver.library().version();
    }

    /**
     * Runs an action with the GPU current in this thread, as HIP's functions need it, and makes the device current again
     * that was so before, also when the action fails.
     *
     * @return what the action returns
     */
    public <T extends @Nullable Object> T onDevice(Supplier<T> action) {
        return whileOpen("onDevice", () -> driver.onDevice(action));
    }

    /**
     * The kind of HIP memory that an address belongs to, or null if HIP does not know it, as it does not know ordinary memory
     * of the host.
     *
     * @throws DeviceException if HIP fails to tell
     */
    public @Nullable MemoryKind memoryKind(long address) {
        return whileOpen("memoryKind", () -> driver.kindOf(address));
    }
}
