package dev.arrowdevice.testkit.device;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceQueue;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.Devices;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DriverContext;
import dev.arrowdevice.spi.DriverRuntime;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;

/**
 * A device without hardware ({@code EXT_DEV}), on which code for GPUs is tested on any machine. It is asynchronous as a
 * GPU is: each queue has a thread of its own and what is queued happens later. The host can't follow its addresses: who
 * does crashes, here as there. It runs under the same {@link DriverRuntime} as CUDA and ROCm.
 *
 * <pre>{@code
 * try (SimulatedDevice gpu = SimulatedDevice.open(0)) {
 *     gpu.pause(gpu.runtime().defaultQueue());            // what is queued there stays pending
 *     // copy arrays to gpu.device(), export them, cancel, close …
 *     gpu.resume(gpu.runtime().defaultQueue());
 * }
 * }</pre>
 *
 * <p>While it is open it is registered with {@link Devices}. Its staging memory is memory of the CPU for Arrow; a range
 * of it is known to the device, so that a copy which reads or writes it after it was freed is noticed.
 *
 * <p>It is stricter than hardware. Memory that is freed twice, or that a copy or a kernel touches after it was freed or
 * before the queue that allocates it has come so far; queues and events that are used after they were destroyed; calls
 * from within a callback or a kernel; access to a device that is no {@linkplain #connect peer}: each throws where it is
 * noticed, or fails the queued work, and fails {@link #close} too unless {@link #takeMisuse} has been asked. An address
 * is never used twice, and new memory is filled with junk.
 *
 * <p>The failure of queued work ({@link #failNext} of a copy or a kernel, a kernel that throws, misuse) is passed on to
 * the work behind it in the queue and to what waits for that in other queues, until somebody was told of it by a
 * {@link dev.arrowdevice.DeviceException} of {@code synchronize} or of an event of that queue. Work that is queued
 * later is done as usual. A real GPU stays broken for longer.
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
            // Pinned memory of a device that Arrow has no type for is, to Arrow, memory of the CPU.
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
     * @throws IllegalStateException if there is one of that number
     */
    public static SimulatedDevice open(long id) {
        return builder(id).open();
    }

    /** A device that is to have other properties than {@link #open}'s. */
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

        /** How many bytes of device memory there are; an allocation beyond fails. */
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

        /** Makes a device that can't call back: the runtime waits in threads. */
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

    /** Lets this device and another read and write each other's memory. */
    public void connect(SimulatedDevice other) {
        driver.peers.add(other.device());
        other.driver.peers.add(device());
    }

    /** Keeps what is queued from now on pending, until {@link #resume}. What was queued before is done. */
    public void pause(DeviceQueue queue) {
        driver.pause(queue.getHandle());
    }

    /** Lets a paused queue go on, also one that was closed meanwhile; does nothing if it is not paused. */
    public void resume(DeviceQueue queue) {
        driver.resume(queue.getHandle());
    }

    /**
     * Queues a computation.
     *
     * @param queue a queue of this device
     * @param buffers what the kernel reads and writes: memory of this device, of a peer or of the host. To be kept alive
     *     until the kernel has run.
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
     * Makes the next operation of a kind fail: for want of memory if it allocates. Adds to what was asked for before.
     *
     * @param operation one that can fail by itself
     */
    public void failNext(Operation operation) {
        failLater(operation, 0);
    }

    /** The same for a later one, when {@code passing} have succeeded. */
    public void failLater(Operation operation, int passing) {
        driver.faults.arm(operation, passing);
    }

    /**
     * Makes a call fail, whichever it is, when {@code passing} calls have succeeded. With a loop over {@code passing} a
     * test tries all failures that an action can meet: the first time that {@link #clearFaults} gives 1, there was no
     * further call.
     */
    public void failCall(int passing) {
        driver.faults.arm(null, passing);
    }

    /** Takes back the failures that were asked for; the result is how many have not come. */
    public int clearFaults() {
        return driver.faults.clear();
    }

    /** Loses the device, as when a GPU falls off the bus: pending work fails, paused or not, and so do all calls. For good. */
    public void lose() {
        driver.lose();
    }

    /** What happened so far, in order; the last 100,000 entries. */
    public List<TraceEntry> trace() {
        return driver.trace.entries();
    }

    /** What was done wrong, one sentence each, since the last time that this was asked. */
    public List<String> takeMisuse() {
        return driver.errors.takeMisuse();
    }

    /**
     * Unregisters the device and closes its runtime. Buffers, queues and events that there are stay usable; whether any was
     * forgotten is what {@link dev.arrowdevice.testkit.ReleaseBalance} tells.
     *
     * @throws AssertionError if anything was done wrong so far that {@link #takeMisuse} has not told
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
