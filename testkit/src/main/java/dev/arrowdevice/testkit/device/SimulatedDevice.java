package dev.arrowdevice.testkit.device;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.DriverContext;
import dev.arrowdevice.spi.DriverRuntime;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;

/**
 * A device without hardware ({@code EXT_DEV}). Use it to test code for GPUs on any machine. It is asynchronous like a
 * GPU: each queue has a thread, and queued work runs later. The host can't read its addresses: reading one crashes, as
 * for a GPU's. It runs under the same {@link DriverRuntime} as CUDA and ROCm.
 *
 * <pre>{@code
 * try (SimulatedDevice gpu = SimulatedDevice.open(0)) {
 *     gpu.pause(gpu.runtime().getDefaultQueue());            // work that is queued there stays pending
 *     // copy arrays to gpu.device(), export them, cancel, close …
 *     gpu.resume(gpu.runtime().getDefaultQueue());
 * }
 * }</pre>
 *
 * <p>While it is open it is registered with {@link Devices}. To Arrow its staging memory is the CPU's. The device knows
 * a range of it, and so notices a copy that accesses it after it was freed.
 *
 * <p>It is stricter than hardware. Each of these mistakes throws where it is noticed, or fails the queued work: freeing
 * memory twice; a copy or a kernel that accesses memory after it was freed, or before the queue that allocates it has
 * done so; using a queue or an event after it was destroyed; calling a device in a callback or a kernel; accessing
 * memory of a device that is no {@linkplain #connect peer}. A mistake fails {@link #close} too, unless
 * {@link #takeMisuse} has returned it. An address is never used twice, and new memory is filled with junk.
 *
 * <p>A failure of queued work ({@link #failNext} of a copy or a kernel, a kernel that throws, a mistake) also fails the
 * work behind it in the queue, and work in other queues that waits for that. This ends when it is reported: a
 * {@link dev.arrowdevice.DeviceException} is thrown by {@code synchronize} or by an event of that queue. Work that is queued
 * later runs as usual. A real GPU stays broken for longer.
 *
 * <p>All methods may be called from any thread. Threads are daemons and end with their queues.
 */
public final class SimulatedDevice implements AutoCloseable {
    private final InProcessDriver driver;
    private final DriverRuntime runtime;

    private SimulatedDevice(Builder options) {
        Device device = new Device(DeviceType.EXT_DEV, options.id);
        driver = new InProcessDriver(device, options);
        DriverContext context = new DriverContext(driver);
        try {
            // Arrow has no type for pinned memory of this device, so to Arrow it is the CPU's.
            runtime = new DriverRuntime(context, device, Device.CPU, MemoryKind.DEVICE);
            try {
                Devices.register(runtime);
            } catch (Throwable e) {
                runtime.close();
                throw e;
            }
        } finally {
            context.release();
        }
    }

    /**
     * Opens a device with 1 GiB of memory and registers it.
     *
     * @param id its number: the device is {@code EXT_DEV:id}
     * @throws IllegalStateException if a device with this number is open
     */
    public static SimulatedDevice open(long id) {
        return builder(id).open();
    }

    /** Configures a device with other properties than {@link #open}'s. */
    public static Builder builder(long id) {
        return new Builder(id);
    }

    /** The properties of a device. */
    public static final class Builder {
        private static final long GIBIBYTE = 1L << 30;

        final long id;
        long memory = GIBIBYTE;
        boolean unifiedMemory;
        boolean queueOrderedMemory = true;
        boolean callbacks = true;

        private Builder(long id) {
            this.id = id;
        }

        /** Sets the size of device memory in bytes. An allocation beyond it fails. */
        public Builder memory(long byteSize) {
            memory = byteSize;
            return this;
        }

        /** Makes a device whose memory the host can read, such as a GPU that shares the memory of the CPU. */
        public Builder unifiedMemory() {
            unifiedMemory = true;
            return this;
        }

        /** Makes a device that can't allocate in the order of a queue. */
        public Builder withoutQueueOrderedMemory() {
            queueOrderedMemory = false;
            return this;
        }

        /** Makes a device without callbacks: the runtime waits in threads. */
        public Builder withoutCallbacks() {
            callbacks = false;
            return this;
        }

        /** Opens the device; see {@link SimulatedDevice#open}. */
        public SimulatedDevice open() {
            return new SimulatedDevice(this);
        }
    }

    /** The device as Arrow names it. */
    public Device device() {
        return driver.device();
    }

    /** The device's runtime. */
    public DriverRuntime runtime() {
        return runtime;
    }

    /** Lets this device and another one access each other's memory. */
    public void connect(SimulatedDevice other) {
        driver.peers.add(other.device());
        other.driver.peers.add(device());
    }

    /** Pauses a queue: work that is queued from now on stays pending until {@link #resume}. Earlier work is done. */
    public void pause(DeviceQueue queue) {
        driver.pause(queue.getHandle());
    }

    /** Resumes a paused queue, even if it was closed meanwhile. Does nothing if the queue is not paused. */
    public void resume(DeviceQueue queue) {
        driver.resume(queue.getHandle());
    }

    /**
     * Queues a computation.
     *
     * @param queue a queue of this device
     * @param buffers what the kernel reads and writes: memory of this device, of a peer or of the host. Keep it alive
     *     until the kernel has run
     */
    public void launch(DeviceQueue queue, List<DeviceBuffer> buffers, Kernel kernel) {
        List<MemoryRange> ranges = new ArrayList<>();
        for (DeviceBuffer buffer : buffers) {
            ranges.add(driver.memory.range(Operation.LAUNCH, buffer.getAddress(), buffer.getByteSize()));
        }
        driver.launch(queue.getHandle(), ranges, () -> {
            List<DeviceBuffer> memory = new ArrayList<>();
            for (MemoryRange range : ranges) {
                memory.add(DeviceBuffer.ofHostAddress(
                        Device.CPU, range.bytes(), range.byteSize(), ReferenceCounted.nothing()));
            }
            DeviceBuffer.lend(memory, kernel::run);
        });
    }

    /**
     * Makes the next operation of a kind fail. If it allocates, it fails for lack of memory. Earlier requests stay in
     * force.
     *
     * @param operation one that can fail by itself
     */
    public void failNext(Operation operation) {
        failLater(operation, 0);
    }

    /** Makes a later operation fail, after {@code passing} of them have succeeded. */
    public void failLater(Operation operation, int passing) {
        driver.faults.arm(operation, passing);
    }

    /**
     * Makes a call of any kind fail, after {@code passing} calls have succeeded. In a loop over {@code passing} a test
     * tries all failures that an action can meet. The loop ends when {@link #clearFaults} first returns 1: then there
     * was no such call.
     */
    public void failCall(int passing) {
        driver.faults.arm(null, passing);
    }

    /** Cancels the failures that were requested. The result is the number that have not occurred. */
    public int clearFaults() {
        return driver.faults.clear();
    }

    /**
     * Loses the device for good, as when a GPU falls off the bus: pending work fails, paused or not, and so do all
     * calls.
     */
    public void lose() {
        driver.lose();
    }

    /** The operations so far, in order; the last 100,000 entries. */
    public List<TraceEntry> trace() {
        return driver.trace.entries();
    }

    /** The mistakes since the last call of this method, one sentence each. */
    public List<String> takeMisuse() {
        return driver.errors.takeMisuse();
    }

    /**
     * Unregisters the device and closes its runtime. Buffers, queues and events that exist stay usable;
     * {@link dev.arrowdevice.testkit.ReleaseBalance} reports any that were forgotten.
     *
     * @throws AssertionError if there was a mistake that {@link #takeMisuse} has not returned
     */
    @Override
    public void close() {
        runtime.close();
        List<String> misuse = takeMisuse();
        if (!misuse.isEmpty()) {
            throw new AssertionError(device() + " was misused: " + String.join("; ", misuse));
        }
    }
}
