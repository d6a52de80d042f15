package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceEvent;
import dev.arrowdevice.DeviceQueue;
import dev.arrowdevice.Devices;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The runtime of one device over its driver, for one kind of memory: a GPU is one device for each kind that Arrow gives a
 * device type of its own (CUDA, CUDA_HOST and CUDA_MANAGED), and their runtimes share the context. Where Arrow has one type
 * for all kinds (ONEAPI), the driver tells by the address which memory the host can read.
 */
public class DriverRuntime implements DeviceRuntime, AutoCloseable {
    private final DriverContext context;
    private final DeviceDriver driver;
    private final Device device;
    private final Device hostDevice;
    private final MemoryKind kind;
    private final DriverMemory memory;
    private final boolean hostReadable;
    private final String description;
    private final DriverQueue defaultQueue;
    private final boolean ofProcess;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Makes a runtime that is closed by who made it.
     *
     * @param context a reference is taken, and given back by {@link #close}
     * @param device the device as Arrow names it
     * @param hostDevice the device of this GPU's pinned memory
     * @param kind the kind of memory that {@link #allocate} gives
     */
    public DriverRuntime(DriverContext context, Device device, Device hostDevice, MemoryKind kind) {
        this(context, device, hostDevice, kind, false);
    }

    /**
     * Makes a runtime.
     *
     * @param context a reference is taken, and given back by {@link #close}
     * @param device the device as Arrow names it
     * @param hostDevice the device of this GPU's pinned memory
     * @param kind the kind of memory that {@link #allocate} gives
     * @param ofProcess whether it is there for all, as what {@link Devices} has found: closing it does nothing
     */
    protected DriverRuntime(
            DriverContext context, Device device, Device hostDevice, MemoryKind kind, boolean ofProcess) {
        this.context = context;
        this.driver = context.getDriver();
        this.device = device;
        this.hostDevice = hostDevice;
        this.kind = kind;
        this.memory = new DriverMemory(context, device, hostDevice, kind);
        this.ofProcess = ofProcess;
        this.hostReadable = driver.isHostReadable(kind);
        this.description = driver.description();
        this.defaultQueue = new DriverQueue(context, driver.defaultQueue(), false);
        // Last: if anything has failed nothing is nativeQueue.
        context.retain();
    }

    @Override
    public final Device getDevice() {
        return device;
    }

    /** The driver, for what only this kind of device can do. */
    public final DeviceDriver getDriver() {
        return driver;
    }

    @Override
    public final String getDescription() {
        return description;
    }

    @Override
    public final boolean isHostReadable() {
        // What has the name of the device's own memory may be just that.
        return hostReadable && (kind == MemoryKind.DEVICE || !device.equals(driver.device()));
    }

    @Override
    public final boolean isHostReadable(long address) {
        if (isHostReadable()) {
            return true;
        }
        if (closed.get() || !context.tryRetain()) {
            return false;
        }
        try {
            return driver.isHostReadable(address);
        } finally {
            context.release();
        }
    }

    @Override
    public final boolean allocatesHostReadable() {
        return hostReadable;
    }

    @Override
    public final boolean canAccess(Device other) {
        return isOurs(other) || Devices.isHostReadable(other) || canAccessPeer(other);
    }

    private boolean canAccessPeer(Device other) {
        retainOpen("canAccess");
        try {
            return driver.canAccessPeer(other);
        } finally {
            context.release();
        }
    }

    /** Whether memory is this GPU's own, of any kind. Pinned memory that Arrow takes for the CPU's is not. */
    private boolean isOurs(Device other) {
        return other.equals(device) || other.equals(driver.device()) || (other.equals(hostDevice) && !other.isCpu());
    }

    @Override
    public final @Nullable Device deviceOf(long address) {
        retainOpen("deviceOf");
        try {
            return driver.deviceOf(address, device);
        } finally {
            context.release();
        }
    }

    @Override
    public final @Nullable AddressRange allocationOf(long address) {
        retainOpen("allocationOf");
        try {
            return driver.allocationOf(address);
        } finally {
            context.release();
        }
    }

    @Override
    public final @Nullable MemoryInfo getMemoryInfo() {
        retainOpen("memoryInfo");
        try {
            return driver.memoryInfo();
        } finally {
            context.release();
        }
    }

    @Override
    public final DeviceBuffer allocate(long byteSize) {
        DriverMemory.requireSize(byteSize);
        retainOpen("allocate");
        return memory.allocate(byteSize);
    }

    @Override
    public final DeviceBuffer allocateStaging(long byteSize) {
        DriverMemory.requireSize(byteSize);
        retainOpen("allocate");
        return memory.allocateStaging(byteSize);
    }

    /**
     * Memory that somebody else has allocated, such as another user of the driver, as a buffer of this device.
     *
     * @param address memory of this runtime's device
     * @param byteSize its size in bytes, which the caller vouches for
     * @param owner what keeps the memory alive, and frees it; no reference is taken
     */
    public final DeviceBuffer buffer(long address, long byteSize, ReferenceCounted owner) {
        return isHostReadable(address)
                ? DeviceBuffer.ofHostAddress(device, address, byteSize, owner)
                : DeviceBuffer.ofAddress(device, address, byteSize, owner);
    }

    @Override
    public final DeviceBuffer allocateAsync(long byteSize, DeviceQueue queue) {
        DriverQueue ordered = ours(queue);
        DriverMemory.requireSize(byteSize);
        DriverQueue.NativeQueue nativeQueue = ordered.retainOpen("allocateAsync");
        try {
            retainOpen("allocateAsync");
        } catch (Throwable e) {
            nativeQueue.releaseUse();
            throw e;
        }
        return memory.allocateAsync(byteSize, nativeQueue);
    }

    @Override
    public final DeviceQueue getDefaultQueue() {
        return defaultQueue;
    }

    @Override
    public final DeviceQueue createQueue() {
        retainOpen("createQueue");
        try {
            return new DriverQueue(context, driver.createQueue(), true);
        } catch (Throwable e) {
            context.release();
            throw e;
        }
    }

    @Override
    public final DeviceQueue importQueue(long handle) {
        requireOpen("importQueue");
        return new DriverQueue(context, handle, false);
    }

    @Override
    public final void copyAsync(
            DeviceBuffer source,
            long sourceOffset,
            DeviceBuffer target,
            long targetOffset,
            long byteSize,
            DeviceQueue queue) {
        source.checkRange(sourceOffset, byteSize);
        target.checkRange(targetOffset, byteSize);
        if (!isOurs(source.getDevice()) && !isOurs(target.getDevice())) {
            throw new IllegalArgumentException(
                    "a copy from " + source.getDevice() + " to " + target.getDevice() + " by the runtime of " + device);
        }
        requireReachable(source);
        requireReachable(target);
        DriverQueue.NativeQueue nativeQueue = ours(queue).retainOpen("copyAsync");
        try {
            requireOpen("copyAsync");
            if (byteSize > 0) {
                driver.copyAsync(
                        source.getDevice(),
                        source.getAddress() + sourceOffset,
                        target.getDevice(),
                        target.getAddress() + targetOffset,
                        byteSize,
                        nativeQueue.value);
            }
        } finally {
            nativeQueue.releaseUse();
        }
    }

    private void requireReachable(DeviceBuffer buffer) {
        Device other = buffer.getDevice();
        if (!isOurs(other) && !buffer.isHostReadable() && !canAccessPeer(other)) {
            throw new IllegalArgumentException(
                    device + " can't reach memory of " + other + "; copy it to the CPU first");
        }
    }

    @Override
    public final DeviceEvent record(DeviceQueue queue) {
        DriverQueue.NativeQueue nativeQueue = ours(queue).retainOpen("record");
        try {
            retainOpen("record");
            try {
                return DriverEvent.owned(context, driver.recordEvent(nativeQueue.value));
            } catch (Throwable e) {
                context.release();
                throw e;
            }
        } finally {
            nativeQueue.releaseUse();
        }
    }

    @Override
    public final void waitFor(@Nullable DeviceQueue queue, @Nullable DeviceEvent event) {
        if (event == null) {
            return;
        }
        requireOpen("waitFor");
        if (queue == null) {
            event.await();
            return;
        }
        DriverQueue.NativeQueue nativeQueue = ours(queue).retainOpen("waitFor");
        try {
            DriverEvent known = understood(event);
            if (known == null) {
                event.await();
                return;
            }
            DriverEvent.NativeEvent nativeEvent = known.retainOpen("waitFor");
            try {
                driver.waitFor(nativeQueue.value, nativeEvent.value);
            } finally {
                nativeEvent.releaseUse();
            }
        } finally {
            nativeQueue.releaseUse();
        }
    }

    /** An event as one of this driver, or null if it is none. */
    private @Nullable DriverEvent understood(DeviceEvent event) {
        if (event.getDevice().type() != driver.device().type()) {
            return null;
        }
        if (event instanceof DriverEvent) {
            return (DriverEvent) event;
        }
        long syncEvent = event.getSyncEvent();
        return syncEvent == 0 ? null : DriverEvent.foreign(context, syncEvent);
    }

    @Override
    public final DeviceEvent importEvent(long syncEvent) {
        if (syncEvent == 0) {
            throw new IllegalArgumentException("sync_event is NULL: the data is there");
        }
        requireOpen("importEvent");
        return DriverEvent.foreign(context, syncEvent);
    }

    /**
     * An event of somebody else by its native handle, where there is no {@code sync_event} that points to it. It must live as
     * long as it is used here. The caller closes the result, which does not destroy the event.
     *
     * @param handle the handle, not 0
     */
    public final DeviceEvent importEventHandle(long handle) {
        if (handle == 0) {
            throw new IllegalArgumentException("an event whose handle is 0");
        }
        retainOpen("importEventHandle");
        return DriverEvent.ofHandle(context, handle);
    }

    private DriverQueue ours(DeviceQueue queue) {
        if (!(queue instanceof DriverQueue) || ((DriverQueue) queue).context() != context) {
            throw new IllegalArgumentException("a queue of " + queue.getDevice() + " with the runtime of " + device);
        }
        return (DriverQueue) queue;
    }

    /**
     * Runs an action that needs the device, which is not given back before the action returns.
     *
     * @return what the action returns
     * @throws IllegalStateException if the runtime has been closed
     */
    protected final <T extends @Nullable Object> T whileOpen(String operation, Supplier<T> action) {
        retainOpen(operation);
        try {
            return action.get();
        } finally {
            context.release();
        }
    }

    private void requireOpen(String operation) {
        if (closed.get()) {
            throw new IllegalStateException(operation + ": the runtime of " + device + " has been closed");
        }
    }

    private void retainOpen(String operation) {
        requireOpen(operation);
        if (!context.tryRetain()) {
            throw new IllegalStateException(operation + ": the runtime of " + device + " has been closed");
        }
    }

    /**
     * Unregisters the runtime and gives its part of the device back; buffers, queues and events that there are stay usable
     * and keep the rest. Idempotent. Does nothing for a runtime that {@link Devices} has found.
     */
    @Override
    public final void close() {
        if (!ofProcess && closed.compareAndSet(false, true)) {
            Devices.unregister(this);
            context.release();
        }
    }

    @Override
    public String toString() {
        return device + " (" + getDescription() + ")";
    }
}
