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
 * An AMD GPU with its own memory, or with host memory pinned for it: Arrow's devices {@code ROCM} and
 * {@code ROCM_HOST}. Their id is HIP's ordinal of the GPU. Arrow's interface has no device type for HIP's managed memory, so
 * there is no runtime for it.
 *
 * <b>This has not been run on an AMD GPU</b>, only on simulated HIP runtimes of ROCm 5, 6 and 7, and on a real one
 * without a GPU.
 *
 * <p>A runtime that you opened must be closed. All runtimes of a GPU in a process share its context: queues, events and
 * buffers of one can be used with the others, also with those that {@link dev.arrowdevice.spi.Devices} finds by itself.
 * After {@code close()} you can't call this runtime; everything made with it stays valid.
 *
 * <p>HIP's handles are {@code long}s: {@code hipStream_t} is {@link dev.arrowdevice.spi.DeviceQueue#getHandle},
 * {@code hipEvent_t*} is {@link dev.arrowdevice.spi.DeviceEvent#getSyncEvent}. All methods may be called from any thread: each makes
 * the GPU current in the thread, and afterwards the thread's earlier device.
 *
 * <p>HIP's library is the first that loads of: the file that {@code -Ddev.arrowdevice.rocm.library} names; the one that
 * other code in the process has loaded; {@code $ROCM_PATH/lib}; {@code /opt/rocm/lib}; where the system's loader looks.
 * The names that are tried are {@code libamdhip64.so.7}, {@code .so.6}, {@code .so.5} and {@code libamdhip64.so}, in
 * this order.
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
     * @return the runtime, which the caller closes
     * @throws DeviceUnavailableException if there is no HIP runtime or no such GPU; the message says why and what would
     *     help
     */
    public static HipRuntime open(int device) {
        return open(device, MemoryKind.DEVICE);
    }

    /**
     * Opens a GPU with one kind of memory.
     *
     * @param device HIP's ordinal of the GPU
     * @param kind the kind of memory that {@link #allocate} allocates: {@code DEVICE} or {@code HOST}
     * @return the runtime, which the caller closes
     * @throws DeviceUnavailableException if there is no HIP runtime or no such GPU; the message says why and what would
     *     help
     * @throws IllegalArgumentException for {@code MANAGED}
     */
    public static HipRuntime open(int device, MemoryKind kind) {
        deviceType(kind); // Refuses a wrong kind, with and without a GPU.
        return HipDevices.ofProcess().open(device, kind);
    }

    /**
     * The number of GPUs.
     *
     * @throws DeviceUnavailableException if there is no HIP runtime or no GPU; the message says why and what would help
     */
    public static int deviceCount() {
        return HipDevices.ofProcess().count();
    }

    /** The version of the HIP runtime as {@code hipRuntimeGetVersion} returns it: 60342134 for 6.3.42134. */
    public int getHipVersion() {
        return driver.library().version();
    }

    /**
     * Runs an action with the GPU current on this thread, as HIP's functions need it. Afterwards, even if the action
     * fails, the thread's earlier device is current again.
     *
     * @return the result of the action
     */
    public <T extends @Nullable Object> T onDevice(Supplier<T> action) {
        return whileOpen("onDevice", () -> driver.onDevice(action));
    }

    /**
     * The kind of HIP memory that an address belongs to. Null if HIP does not know the address, as it does not know
     * ordinary memory of the host.
     *
     * @throws DeviceException if HIP fails to answer
     */
    public @Nullable MemoryKind memoryKind(long address) {
        return whileOpen("memoryKind", () -> driver.kindOf(address));
    }
}
