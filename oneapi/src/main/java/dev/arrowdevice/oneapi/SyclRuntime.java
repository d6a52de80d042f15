package dev.arrowdevice.oneapi;

import dev.arrowdevice.spi.DeviceUnavailableException;
import dev.arrowdevice.spi.DriverContext;
import dev.arrowdevice.spi.DriverRuntime;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.SyclContexts;
import org.jspecify.annotations.Nullable;

/**
 * A device of oneAPI: Arrow's device {@code ONEAPI}, whose id is the device's place in the list that SYCL gives in this
 * process, from 0. Its memory is SYCL's unified shared memory (USM).
 *
 * <p><b>This has not been run on a GPU</b>, only on the CPU device of Intel's SYCL runtime.
 *
 * <p>Arrow has one device type for the three kinds of USM. {@link #open(int)} and
 * {@link dev.arrowdevice.spi.Devices} give the device's own memory, which the host can't read; a runtime of host or shared
 * memory is {@link #open(int, MemoryKind)}. Whether the host can read what comes in as {@code ONEAPI} is asked of SYCL, by the
 * address, whichever of them is registered. {@link #allocateStaging} gives USM of the host, which is the CPU's for Arrow.
 *
 * <p>A runtime that was opened is a handle, to be closed by who opened it. All runtimes of a device in a process share its
 * context, which is the platform's default one, as dpctl's is: queues, events and buffers of one can be used with the others.
 * Closing the handle makes the handle unusable and nothing else.
 *
 * <p>SYCL's objects go in and out as {@code long}: {@code sycl::queue*} is {@link dev.arrowdevice.spi.DeviceQueue#handle},
 * {@code sycl::event*} is {@link dev.arrowdevice.spi.DeviceEvent#syncEvent}; dpctl's references are these pointers. Queues
 * that are created here work in order. On a foreign queue that does not, what is queued here is put in order by barriers. All
 * methods may be called from any thread.
 *
 * <p>Intel's SYCL runtime for CPUs takes the signal SIGSEGV for itself, by which the JVM stops its threads, and the process ends
 * sooner or later. With the JDK's {@code libjsig.so} in the environment variable {@code LD_PRELOAD} the signal stays the JVM's.
 *
 * <p>dpctl's C library, {@code libDPCTLSyclInterface.so}, is taken, in this order, from: the file that
 * {@code -Ddev.arrowdevice.oneapi.library} names; the one that somebody else in the process has loaded; the Python environment
 * of {@code $VIRTUAL_ENV} or {@code $CONDA_PREFIX}; where the system's loader looks.
 */
public final class SyclRuntime extends DriverRuntime implements SyclContexts {
    private final SyclDriver driver;

    SyclRuntime(DriverContext context, MemoryKind kind, boolean ofProcess) {
        // All USM is the device's to Arrow, that of the host too: which the host can read, the address tells.
        super(context, context.getDriver().device(), context.getDriver().device(), kind, ofProcess);
        this.driver = (SyclDriver) context.getDriver();
    }

    /**
     * Opens a device with its own memory.
     *
     * @param device the device's place in SYCL's list
     * @return a handle, which the caller closes
     * @throws DeviceUnavailableException if there is no SYCL runtime or no such device; the message says why and what would
     *     help
     */
    public static SyclRuntime open(int device) {
        return open(device, MemoryKind.DEVICE);
    }

    /**
     * Opens a device with one kind of memory.
     *
     * @param device the device's place in SYCL's list
     * @param kind which USM {@link #allocate} gives: of the device, of the host, or {@code MANAGED}, which is SYCL's shared
     * @return a handle, which the caller closes
     * @throws DeviceUnavailableException if there is no SYCL runtime or no such device, or it lacks this kind of memory; the
     *     message says why and what would help
     */
    public static SyclRuntime open(int device, MemoryKind kind) {
        return SyclDevices.ofProcess().open(device, kind);
    }

    /**
     * How many devices there are.
     *
     * @throws DeviceUnavailableException if there is no SYCL runtime or no device; the message says why and what would help
     */
    public static int deviceCount() {
        return SyclDevices.ofProcess().count();
    }

    /**
     * The kind of USM that an address belongs to, or null if the device's context does not know it, as it does not know
     * ordinary memory of the host.
     */
    public @Nullable MemoryKind memoryKind(long address) {
        return whileOpen("memoryKind", () -> driver.kindOf(address));
    }

    /** Asks SYCL, of any context of the process. A capsule's pointer is followed: it must be what its name says. */
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
