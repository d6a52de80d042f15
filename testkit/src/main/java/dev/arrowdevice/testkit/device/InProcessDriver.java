package dev.arrowdevice.testkit.device;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.spi.AddressRange;
import dev.arrowdevice.spi.DeviceDriver;
import dev.arrowdevice.spi.DriverCallback;
import dev.arrowdevice.spi.MemoryInfo;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.NativeMemory;
import dev.arrowdevice.testkit.device.TraceEntry.Phase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The driver of a simulated device. It is stricter than a real one: it reports mistakes that did no harm. */
final class InProcessDriver implements DeviceDriver {
    private static final AtomicLong NEXT_QUEUE = new AtomicLong(0x0170_0000_0000_0000L);

    final Errors errors;
    final Trace trace = new Trace();
    final Faults faults = new Faults();
    final Set<Device> peers = ConcurrentHashMap.newKeySet();
    private final Device device;
    private final SimulatedDevice.Builder options;
    private final Map<Long, SimulatedQueue> queues = new ConcurrentHashMap<>();
    /** The paused queues, including destroyed ones. */
    private final Map<Long, SimulatedQueue> paused = new ConcurrentHashMap<>();

    private final AtomicInteger queueNumber = new AtomicInteger();
    final SimulatedMemory memory;
    private final SimulatedQueue defaultQueue;
    private final AtomicLong events = new AtomicLong();
    private volatile boolean lost;
    private volatile boolean closed;

    InProcessDriver(Device device, SimulatedDevice.Builder options) {
        this.device = device;
        this.options = options;
        this.errors = new Errors(device);
        this.memory = new SimulatedMemory(this, options.memory);
        this.defaultQueue = newQueue();
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public String description() {
        return "simulated device " + device.id();
    }

    @Override
    public boolean hasMemory(MemoryKind kind) {
        return kind != MemoryKind.MANAGED;
    }

    @Override
    public boolean isHostReadable(MemoryKind kind) {
        return kind == MemoryKind.HOST || options.unifiedMemory;
    }

    @Override
    public @Nullable Device deviceOf(long address, Device presumed) {
        Allocation found = Allocation.find(address);
        if (found == null) {
            return null;
        }
        return found.kind == MemoryKind.HOST ? Device.CPU : found.driver.device();
    }

    @Override
    public @Nullable AddressRange allocationOf(long address) {
        Allocation found = Allocation.find(address);
        return found == null ? null : new AddressRange(found.address, found.byteSize);
    }

    @Override
    public boolean canAccessPeer(Device other) {
        return peers.contains(other);
    }

    @Override
    public boolean hasQueueOrderedMemory() {
        return options.queueOrderedMemory;
    }

    @Override
    public boolean isSyncEventPointerToHandle() {
        return true;
    }

    @Override
    public boolean hasCallbacks() {
        return options.callbacks;
    }

    @Override
    public boolean completesUnwatched() {
        return false;
    }

    @Override
    public MemoryInfo memoryInfo() {
        call(Operation.MEMORY_INFO, 0, 0);
        return memory.info();
    }

    @Override
    public long allocate(MemoryKind kind, long byteSize) {
        Operation operation = kind == MemoryKind.HOST ? Operation.ALLOCATE_STAGING : Operation.ALLOCATE;
        call(operation, 0, byteSize);
        return memory.allocate(operation, kind, byteSize, true).address;
    }

    @Override
    public void free(MemoryKind kind, long address) {
        DeviceException refused = refusal(Operation.FREE, 0, address);
        memory.free(Operation.FREE, memory.freeable(Operation.FREE, kind, address));
        rethrow(refused);
    }

    @Override
    public long allocateAsync(long byteSize, long queue) {
        SimulatedQueue ordered = queue(Operation.ALLOCATE_ASYNC, queue);
        call(Operation.ALLOCATE_ASYNC, queue, byteSize);
        Allocation allocation = memory.allocate(Operation.ALLOCATE_ASYNC, MemoryKind.DEVICE, byteSize, false);
        ordered.submit(Operation.MEMORY_READY, allocation.address, earlier -> {
            allocation.becomeReady();
            return null;
        });
        return allocation.address;
    }

    @Override
    public void freeAsync(long address, long queue) {
        DeviceException refused = refusal(Operation.FREE_ASYNC, queue, address);
        SimulatedQueue ordered = queue(Operation.FREE_ASYNC, queue);
        Allocation allocation = memory.freeable(Operation.FREE_ASYNC, MemoryKind.DEVICE, address);
        ordered.submit(Operation.MEMORY_FREED, address, earlier -> {
            memory.free(Operation.MEMORY_FREED, allocation);
            return null;
        });
        rethrow(refused);
    }

    @Override
    public long defaultQueue() {
        return defaultQueue.handle;
    }

    @Override
    public long createQueue() {
        call(Operation.CREATE_QUEUE, 0, 0);
        return newQueue().handle;
    }

    private SimulatedQueue newQueue() {
        SimulatedQueue queue = new SimulatedQueue(
                this, NEXT_QUEUE.incrementAndGet(), "simulated-" + device.id() + "-" + queueNumber.getAndIncrement());
        queues.put(queue.handle, queue);
        queue.start();
        return queue;
    }

    SimulatedQueue queue(Operation operation, long handle) {
        SimulatedQueue queue = queues.get(handle);
        if (queue == null) {
            throw misuse(operation, "no queue has the handle " + hex(handle));
        }
        return queue;
    }

    @Override
    public void destroyQueue(long queue) {
        DeviceException refused = refusal(Operation.DESTROY_QUEUE, queue, 0);
        SimulatedQueue destroyed = queue(Operation.DESTROY_QUEUE, queue);
        if (destroyed == defaultQueue) {
            throw misuse(Operation.DESTROY_QUEUE, "the default queue");
        }
        if (queues.remove(queue, destroyed)) {
            destroyed.destroy();
        }
        rethrow(refused);
    }

    @Override
    public void synchronize(long queue) {
        SimulatedQueue waited = queue(Operation.SYNCHRONIZE, queue);
        call(Operation.SYNCHRONIZE, queue, 0);
        Errors.Failure failure = waited.synchronize();
        rethrow(lost ? errors.lost(Operation.SYNCHRONIZE) : failure);
    }

    @Override
    public void synchronizeDevice() {
        queues.values().forEach(SimulatedQueue::drain);
    }

    @Override
    public void copyAsync(
            Device sourceDevice, long source, Device targetDevice, long target, long byteSize, long queue) {
        SimulatedQueue ordered = queue(Operation.COPY_ASYNC, queue);
        MemoryRange from = memory.range(Operation.COPY_ASYNC, source, byteSize);
        MemoryRange to = memory.range(Operation.COPY_ASYNC, target, byteSize);
        call(Operation.COPY_ASYNC, queue, byteSize);
        ordered.submit(Operation.COPY, byteSize, earlier -> {
            if (earlier != null || faults.hits(Operation.COPY)) {
                return errors.injected(Operation.COPY);
            }
            return MemoryRange.use(
                    this,
                    Operation.COPY,
                    List.of(from, to),
                    () -> NativeMemory.copy(from.bytes(), to.bytes(), byteSize));
        });
    }

    /** Queues a kernel. */
    void launch(long queue, List<MemoryRange> ranges, Runnable kernel) {
        SimulatedQueue ordered = queue(Operation.LAUNCH, queue);
        call(Operation.LAUNCH, queue, 0);
        ordered.submit(Operation.KERNEL, 0, earlier -> {
            if (earlier != null || faults.hits(Operation.KERNEL)) {
                return errors.injected(Operation.KERNEL);
            }
            return MemoryRange.use(this, Operation.KERNEL, ranges, kernel);
        });
    }

    @Override
    public long recordEvent(long queue) {
        SimulatedQueue recorded = queue(Operation.RECORD_EVENT, queue);
        call(Operation.RECORD_EVENT, queue, 0);
        SimulatedEvent event = new SimulatedEvent(recorded);
        events.incrementAndGet();
        recorded.submit(Operation.EVENT, event.handle, earlier -> {
            event.complete(earlier);
            return null;
        });
        return event.handle;
    }

    private SimulatedEvent event(Operation operation, long handle) {
        SimulatedEvent event = SimulatedEvent.find(handle);
        if (event == null) {
            throw misuse(operation, "no event has the handle " + hex(handle));
        }
        return event;
    }

    @Override
    public void destroyEvent(long event) {
        DeviceException refused = refusal(Operation.DESTROY_EVENT, 0, event);
        if (SimulatedEvent.remove(event) == null) {
            throw misuse(Operation.DESTROY_EVENT, "no event has the handle " + hex(event));
        }
        events.decrementAndGet();
        rethrow(refused);
    }

    @Override
    public boolean isComplete(long event) {
        SimulatedEvent asked = event(Operation.IS_COMPLETE, event);
        call(Operation.IS_COMPLETE, asked.queue.handle, event);
        boolean complete = asked.isComplete();
        if (complete) {
            tell(asked);
        }
        return complete;
    }

    @Override
    public void await(long event) {
        SimulatedEvent awaited = event(Operation.AWAIT, event);
        call(Operation.AWAIT, awaited.queue.handle, event);
        awaited.await(() -> false);
        tell(awaited);
    }

    private void tell(SimulatedEvent event) {
        Errors.Failure failure = event.failure();
        if (failure != null) {
            event.queue.told(failure);
            throw errors.exception(failure);
        }
    }

    @Override
    public void waitFor(long queue, long event) {
        SimulatedQueue waiting = queue(Operation.WAIT_FOR, queue);
        SimulatedEvent awaited = event(Operation.WAIT_FOR, event);
        call(Operation.WAIT_FOR, queue, event);
        waiting.submit(Operation.WAIT, event, earlier -> waiting.waitFor(awaited));
    }

    @Override
    public void callAfter(long queue, Runnable action) {
        SimulatedQueue called = queue(Operation.CALL_AFTER, queue);
        call(Operation.CALL_AFTER, queue, 0);
        called.submit(Operation.CALLBACK, 0, earlier -> {
            try {
                DriverCallback.run(action);
            } catch (Throwable e) {
                misuse(Operation.CALLBACK, "it threw " + e);
            }
            return null;
        });
    }

    /** Ends the device: pending work and all later calls fail. */
    void lose() {
        lost = true;
        queues.values().forEach(SimulatedQueue::abandon);
        paused.values().forEach(SimulatedQueue::abandon);
    }

    void pause(long handle) {
        SimulatedQueue queue = queue(Operation.PAUSE, handle);
        paused.put(handle, queue);
        queue.pause();
    }

    void resume(long handle) {
        SimulatedQueue queue = paused.remove(handle);
        if (queue != null) {
            queue.resume();
        }
    }

    boolean isLost() {
        return lost;
    }

    @Override
    public void close() {
        DeviceException refused = refusal(Operation.CLOSE, 0, 0);
        closed = true;
        if (memory.live() != 0 || queues.size() != 1 || events.get() != 0) {
            misuse(
                    Operation.CLOSE,
                    "the device was closed with " + memory.live() + " allocations, " + (queues.size() - 1)
                            + " queues and " + events + " events");
        }
        List.copyOf(paused.keySet()).forEach(this::resume);
        queues.values().forEach(SimulatedQueue::destroy);
        rethrow(refused);
    }

    private void call(Operation operation, long queue, long value) {
        rethrow(refusal(operation, queue, value));
    }

    /** The reason why a call fails, or null. The call is traced. */
    private @Nullable DeviceException refusal(Operation operation, long queue, long value) {
        Operation within = SimulatedQueue.within();
        Errors.Failure failure = null;
        if (within != null) {
            failure = errors.misuse(operation, "called within a " + within);
        } else if (closed) {
            failure = errors.misuse(operation, "the device has been closed");
        } else if (lost) {
            failure = errors.lost(operation);
        } else if (faults.hits(operation)) {
            failure = errors.injected(operation);
        }
        trace.add(operation, failure == null ? Phase.CALLED : Phase.REFUSED, queue, value);
        return failure == null ? null : errors.exception(failure);
    }

    private void rethrow(@Nullable DeviceException refused) {
        if (refused != null) {
            throw refused;
        }
    }

    private void rethrow(Errors.@Nullable Failure failure) {
        if (failure != null) {
            throw errors.exception(failure);
        }
    }

    DeviceException misuse(Operation operation, String text) {
        return errors.exception(errors.misuse(operation, text));
    }

    void traced(Operation operation, Phase phase, long queue, long value) {
        trace.add(operation, phase, queue, value);
    }

    static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }
}
