package dev.arrowdevice.oneapi;

import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.DriverContext;
import dev.arrowdevice.spi.DriverRuntime;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.SyclContexts;
import org.jspecify.annotations.Nullable;

/**
 * A device of oneAPI: Arrow's device {@code ONEAPI}. Its id is the device's index, from 0, in SYCL's list of devices in
 * this process. Its memory is SYCL's unified shared memory (USM).
 *
 * <b>This has not been run on a GPU</b>, only on the CPU device of Intel's SYCL runtime.
 *
 * <p>Arrow has one device type for the three kinds of USM. {@link #open(int)} and {@link dev.arrowdevice.spi.Devices} use
 * the device's own memory, which the host can't read. {@link #open(int, MemoryKind)} opens a runtime of host or shared
 * memory. For imported memory of {@code ONEAPI}, SYCL is asked whether the host can read the address, whichever runtime
 * is registered. {@link #allocateStaging} allocates USM of the host, which for Arrow is the CPU's.
 *
 * <p>A runtime that you opened must be closed. All runtimes of a device in a process share its context, which is the
 * platform's default one, as in dpctl: queues, events and buffers of one can be used with the others. After
 * {@code close()} you can't call this runtime; everything made with it stays valid.
 *
 * <p>SYCL's objects are {@code long}s: {@code sycl::queue*} is {@link dev.arrowdevice.spi.DeviceQueue#getHandle},
 * {@code sycl::event*} is {@link dev.arrowdevice.spi.DeviceEvent#getSyncEvent}. dpctl's references are these pointers. Queues that
 * are created here run their work in order. On a foreign queue that does not, barriers put the work that is queued here
 * in order. All methods may be called from any thread.
 *
 * <p>Intel's SYCL runtime for CPUs replaces the handler of SIGSEGV, the signal by which the JVM stops its threads.
 * Sooner or later the process ends. To keep the JVM's handler, put the JDK's {@code libjsig.so} into the environment
 * variable {@code LD_PRELOAD}.
 *
 * <p>dpctl's C library, {@code libDPCTLSyclInterface.so}, is the first that loads of: the file that
 * {@code -Ddev.arrowdevice.oneapi.library} names; the one that other code in the process has loaded; the one in the Python
 * environment of {@code $VIRTUAL_ENV} or {@code $CONDA_PREFIX}; where the system's loader looks.
 */
public final class SyclRuntime extends DriverRuntime implements SyclContexts {
    private final SyclDriver driver;

    SyclRuntime(DriverContext context, MemoryKind kind, boolean ofProcess) {
        // To Arrow all USM, also that of the host, is the device's. The address says what the host can read.
        super(context, context.getDriver().device(), context.getDriver().device(), kind, ofProcess);
        this.driver = (SyclDriver) context.getDriver();
    }

    /**
     * Opens a device with its own memory.
     *
     * @param device the device's index in SYCL's list
     * @return the runtime, which the caller closes
     * @throws DeviceUnavailableException if there is no SYCL runtime or no such device; the message says why and what
     *     would help
     */
    public static SyclRuntime open(int device) {
        return open(device, MemoryKind.DEVICE);
    }

    /**
     * Opens a device with one kind of memory.
     *
     * @param device the device's index in SYCL's list
     * @param kind the kind of USM that {@link #allocate} allocates: of the device, of the host, or {@code MANAGED},
     *     which is SYCL's shared memory
     * @return the runtime, which the caller closes
     * @throws DeviceUnavailableException if there is no SYCL runtime or no such device, or it lacks this kind of
     *     memory; the message says why and what would help
     */
    public static SyclRuntime open(int device, MemoryKind kind) {
        return SyclDevices.ofProcess().open(device, kind);
    }

    /**
     * The number of devices.
     *
     * @throws DeviceUnavailableException if there is no SYCL runtime or no device; the message says why and what would
     *     help
     */
    public static int deviceCount() {
        return SyclDevices.ofProcess().count();
    }

    /**
     * The kind of USM that an address belongs to. Null if the device's context does not know the address, as it does
     * not know ordinary memory of the host.
     */
    public @Nullable MemoryKind memoryKind(long address) {
        return whileOpen("memoryKind", () -> driver.kindOf(address));
    }

    /**
     * Asks SYCL about any context of the process. The pointer of a capsule is dereferenced: it must be what its name
     * says.
     */
    @Override
    public @Nullable String whyNotBoundToDevice(long address, String selector) {
        return whileOpen("whyNotBoundToDevice", () -> driver.binding().whyNotToDevice(address, selector));
    }

    @Override
    public @Nullable String whyNotBoundToQueue(long address, long queue) {
        return whileOpen("whyNotBoundToQueue", () -> driver.binding().whyNotToQueue(address, queue));
    }

    @Override
    public @Nullable String whyNotBoundToContext(long address, long context) {
        return whileOpen("whyNotBoundToContext", () -> driver.binding().whyNotToContext(address, context));
    }
}
