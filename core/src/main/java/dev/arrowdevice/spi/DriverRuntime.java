package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.memory.DeferredRelease;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The runtime of one kind of memory of a driver's device. For some drivers Arrow has a device type for each kind of
 * memory, such as CUDA, CUDA_HOST and CUDA_MANAGED. Then one GPU is several Arrow devices, whose runtimes share the
 * context. For others Arrow has one type for all kinds (ONEAPI). Then the driver decides by address which memory the
 * host can read.
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
     * Makes a runtime that its maker closes.
     *
     * @param context the runtime takes a reference, which {@link #close} releases
     * @param device the device as Arrow names it
     * @param hostDevice the device of this GPU's pinned memory
     * @param kind the kind of memory of {@link #allocate}
     */
    public DriverRuntime(DriverContext context, Device device, Device hostDevice, MemoryKind kind) {
        this(context, device, hostDevice, kind, false);
    }

    /**
     * Makes a runtime.
     *
     * @param context the runtime takes a reference, which {@link #close} releases
     * @param device the device as Arrow names it
     * @param hostDevice the device of this GPU's pinned memory
     * @param kind the kind of memory of {@link #allocate}
     * @param ofProcess whether closing does nothing, because the whole process shares the runtime, as it does those
     *     that {@link Devices} discovers
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
        // Last, so that a failure before leaves nothing to undo.
        context.retain();
    }

    @Override
    public final Device getDevice() {
        return device;
    }

    /** The driver, for functions that only this kind of device has. */
    public final DeviceDriver getDriver() {
        return driver;
    }

    @Override
    public final String getDescription() {
        return description;
    }

    @Override
    public final boolean isHostReadable() {
        // Memory that goes by the device's own type may be of any kind.
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

    /** Whether memory is this GPU's own, of any kind. Pinned memory that Arrow regards as the CPU's is not. */
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

    @Override
    public final DeviceBuffer allocateForCopy(long byteSize) {
        DriverMemory.requireSize(byteSize);
        retainOpen("allocate");
        return memory.allocateForCopy(byteSize);
    }

    /**
     * Makes a buffer of this device from memory that other code has allocated, such as another user of the driver.
     *
     * @param address the address of memory of this runtime's device
     * @param byteSize the size in bytes, for which the caller is responsible
     * @param owner keeps the memory alive, and frees it; no reference is taken
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

    /** {@inheritDoc} Most drivers that free memory in no queue's order wait themselves for all that uses the memory. */
    @Override
    public final void releaseAfterForeignUse(ReferenceCounted owner) {
        if (!driver.freeWaitsForWork(kind) || (kind == MemoryKind.DEVICE && driver.hasQueueOrderedMemory())) {
            DeferredRelease.execute(() -> context.releaseAfterAllWork(owner));
        } else {
            DeferredRelease.execute(owner::release);
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
            DriverEvent known = DriverEvent.of(context, event);
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

    @Override
    public final DeviceEvent importEvent(long syncEvent) {
        if (syncEvent == 0) {
            throw new IllegalArgumentException("sync_event is NULL: the data is there");
        }
        requireOpen("importEvent");
        return DriverEvent.foreign(context, syncEvent);
    }

    /**
     * Imports a foreign event by its native handle, if there is no {@code sync_event} that points to the handle. The
     * event must live as long as it is used here. The caller closes the result, which does not destroy the event.
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
     * Runs an action that needs the device. The device stays open until the action returns.
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
     * Unregisters the runtime and releases its reference to the device. Buffers, queues and events that exist stay
     * usable, and keep the device open. Idempotent. Does nothing for a runtime that {@link Devices} has discovered.
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
