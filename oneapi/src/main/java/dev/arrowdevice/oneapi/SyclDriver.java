package dev.arrowdevice.oneapi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.OutOfDeviceMemoryException;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.spi.DeviceDriver;
import dev.arrowdevice.spi.MemoryInfo;
import dev.arrowdevice.spi.MemoryKind;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls of dpctl for one device of SYCL. Queues are {@code sycl::queue*}, events {@code sycl::event*}.
 *
 * <p>dpctl turns most exceptions of SYCL into a result that is null, without a code; an exception in a call where it does not
 * would end the process. Such calls are made only after asking whether they can be.
 */
final class SyclDriver implements DeviceDriver {
    /** {@code DPCTLSyclAspectType} */
    static final int USM_DEVICE_ALLOCATIONS = 12;

    static final int USM_HOST_ALLOCATIONS = 13;
    static final int USM_SHARED_ALLOCATIONS = 14;
    static final int USM_ATOMIC_SHARED_ALLOCATIONS = 17;

    /** {@code DPCTLSyclUSMType} */
    private static final int POINTER_OF_DEVICE = 1;

    private static final int POINTER_OF_SHARED = 2;
    private static final int POINTER_OF_HOST = 3;

    /** {@code DPCTLSyclEventStatusType} */
    private static final int STATUS_UNKNOWN = 0;

    private static final int STATUS_COMPLETE = 3;

    /** {@code DPCTLQueuePropertyType} */
    private static final int IN_ORDER = 2;

    private static final long ALIGNMENT = 64;
    private static final int NO_CODE = -1;
    private static final String NO_REASON =
            "dpctl passes no code on; with DPCTL_VERBOSITY=error in the environment it prints SYCL's message";

    private final SyclCalls calls;
    private final SyclDevices devices;
    private final int ordinal;
    private final IntPredicate aspects;
    private final Device device;
    private final String description;
    private final long context;
    private final long defaultQueue;

    SyclDriver(SyclLibrary library, SyclDevices devices, int ordinal, IntPredicate aspects) {
        this.calls = library.calls;
        this.devices = devices;
        this.ordinal = ordinal;
        this.aspects = aspects;
        this.device = new Device(DeviceType.ONEAPI, ordinal);
        long reference = devices.reference(ordinal);
        this.description = library.text(calls.pointer(SyclFunction.DEVICE_GET_NAME, reference)) + ", driver "
                + library.text(calls.pointer(SyclFunction.DEVICE_GET_DRIVER_VERSION, reference)) + ", SYCL "
                + library.version();
        // The one that every queue has that is made for the device alone, dpctl's own too: memory is known in it.
        this.context =
                given(SyclFunction.GET_CACHED_CONTEXT, calls.pointer(SyclFunction.GET_CACHED_CONTEXT, reference));
        try {
            this.defaultQueue = createQueue();
        } catch (Throwable e) {
            calls.run(SyclFunction.CONTEXT_DELETE, context);
            throw e;
        }
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public String description() {
        return description;
    }

    /** dpctl's C library tells the total, not what is free. */
    @Override
    public @Nullable MemoryInfo memoryInfo() {
        return null;
    }

    @Override
    public boolean hasMemory(MemoryKind kind) {
        return aspects.test(aspectOf(kind));
    }

    private static int aspectOf(MemoryKind kind) {
        switch (kind) {
            case DEVICE:
                return USM_DEVICE_ALLOCATIONS;
            case HOST:
                return USM_HOST_ALLOCATIONS;
            default:
                return USM_SHARED_ALLOCATIONS;
        }
    }

    /** SYCL's name of what a device must have for a kind of memory. */
    static String aspectName(MemoryKind kind) {
        switch (kind) {
            case DEVICE:
                return "usm_device_allocations";
            case HOST:
                return "usm_host_allocations";
            default:
                return "usm_shared_allocations";
        }
    }

    /** Shared memory may be touched by the host while the device works only where both may use it at the same time. */
    @Override
    public boolean isHostReadable(MemoryKind kind) {
        return kind == MemoryKind.HOST || (kind == MemoryKind.MANAGED && aspects.test(USM_ATOMIC_SHARED_ALLOCATIONS));
    }

    @Override
    public boolean isHostReadable(long address) {
        MemoryKind kind = kindOf(address);
        return kind != null && isHostReadable(kind);
    }

    /** Memory of another device goes through the host: it may be of another context, where a copy is undefined. */
    @Override
    public boolean canAccessPeer(Device other) {
        return other.equals(device);
    }

    @Override
    public @Nullable Device deviceOf(long address, Device presumed) {
        MemoryKind kind = kindOf(address);
        if (kind == null) {
            return null;
        }
        if (kind == MemoryKind.HOST) {
            return device; // of the context, which this device belongs to
        }
        long owner = given(
                SyclFunction.GET_POINTER_DEVICE, calls.pointer(SyclFunction.GET_POINTER_DEVICE, address, context));
        try {
            int number = devices.ordinalOf(owner);
            return number < 0 ? null : new Device(DeviceType.ONEAPI, number);
        } finally {
            calls.run(SyclFunction.DEVICE_DELETE, owner);
        }
    }

    /** The kind of memory that an address belongs to; null if it is none of this context's. */
    @Nullable
    MemoryKind kindOf(long address) {
        if (address == 0) {
            return null;
        }
        switch (calls.number(SyclFunction.GET_POINTER_TYPE, address, context)) {
            case POINTER_OF_DEVICE:
                return MemoryKind.DEVICE;
            case POINTER_OF_SHARED:
                return MemoryKind.MANAGED;
            case POINTER_OF_HOST:
                return MemoryKind.HOST;
            default:
                return null;
        }
    }

    @Override
    public long allocate(MemoryKind kind, long byteSize) {
        SyclFunction function = allocator(kind);
        // Without the aspect the call may throw in C++, through C, which ends the process.
        if (!hasMemory(kind)) {
            throw new DeviceException(
                    device, function.symbol, NO_CODE, "the device lacks SYCL's aspect " + aspectName(kind));
        }
        long address = calls.pointer(function, ALIGNMENT, byteSize, defaultQueue);
        if (address == 0) {
            throw new OutOfDeviceMemoryException(
                    device, function.symbol, NO_CODE, "no room for " + byteSize + " bytes");
        }
        return address;
    }

    private static SyclFunction allocator(MemoryKind kind) {
        switch (kind) {
            case DEVICE:
                return SyclFunction.ALIGNED_ALLOC_DEVICE;
            case HOST:
                return SyclFunction.ALIGNED_ALLOC_HOST;
            default:
                return SyclFunction.ALIGNED_ALLOC_SHARED;
        }
    }

    @Override
    public void free(MemoryKind kind, long address) {
        calls.run(SyclFunction.FREE_WITH_CONTEXT, address, context);
    }

    @Override
    public boolean hasQueueOrderedMemory() {
        return false;
    }

    @Override
    public long allocateAsync(long byteSize, long queue) {
        throw new UnsupportedOperationException("SYCL 2020 has no memory in the order of a queue");
    }

    @Override
    public void freeAsync(long address, long queue) {
        throw new UnsupportedOperationException("SYCL 2020 has no memory in the order of a queue");
    }

    @Override
    public long defaultQueue() {
        return defaultQueue;
    }

    @Override
    public long createQueue() {
        return given(
                SyclFunction.QUEUE_CREATE,
                calls.pointer(
                        SyclFunction.QUEUE_CREATE, context, devices.reference(ordinal), SyclErrors.HANDLER, IN_ORDER));
    }

    @Override
    public void destroyQueue(long queue) {
        calls.run(SyclFunction.QUEUE_DELETE, queue);
    }

    @Override
    public void synchronize(long queue) {
        long event = recordEvent(queue);
        try {
            await(event);
        } finally {
            destroyEvent(event);
        }
    }

    @Override
    public void copyAsync(
            Device sourceDevice, long source, Device targetDevice, long target, long byteSize, long queue) {
        // A queue of somebody else may run its work in any order, which barriers make the order of the calls.
        boolean ordered = calls.truth(SyclFunction.QUEUE_IS_IN_ORDER, queue);
        if (!ordered) {
            barrier(queue);
        }
        long event = given(
                SyclFunction.QUEUE_MEMCPY, calls.pointer(SyclFunction.QUEUE_MEMCPY, queue, target, source, byteSize));
        destroyEvent(event);
        if (!ordered) {
            barrier(queue);
        }
    }

    private void barrier(long queue) {
        destroyEvent(recordEvent(queue));
    }

    @Override
    public long recordEvent(long queue) {
        return given(SyclFunction.QUEUE_SUBMIT_BARRIER, calls.pointer(SyclFunction.QUEUE_SUBMIT_BARRIER, queue));
    }

    @Override
    public void destroyEvent(long event) {
        calls.run(SyclFunction.EVENT_DELETE, event);
    }

    @Override
    public boolean isComplete(long event) {
        return status(event) == STATUS_COMPLETE;
    }

    private int status(long event) {
        int status = calls.number(SyclFunction.EVENT_GET_STATUS, event);
        if (status == STATUS_UNKNOWN) {
            throw new DeviceException(device, SyclFunction.EVENT_GET_STATUS.symbol, NO_CODE, NO_REASON);
        }
        return status;
    }

    @Override
    public void await(long event) {
        // Asked also because it fails by a result where waiting would throw.
        if (status(event) == STATUS_COMPLETE) {
            return;
        }
        SyclErrors.rethrowing(
                device, SyclFunction.EVENT_WAIT_AND_THROW, () -> calls.run(SyclFunction.EVENT_WAIT_AND_THROW, event));
    }

    @Override
    public void waitFor(long queue, long event) {
        long events = CHeap.allocate(Long.BYTES);
        try {
            RawMemory.putLong(events, event);
            destroyEvent(given(
                    SyclFunction.QUEUE_SUBMIT_BARRIER_FOR_EVENTS,
                    calls.pointer(SyclFunction.QUEUE_SUBMIT_BARRIER_FOR_EVENTS, queue, events, 1)));
        } finally {
            CHeap.free(events);
        }
    }

    @Override
    public boolean isSyncEventPointerToHandle() {
        return false; // "sycl::event*", which dpctl's reference is
    }

    /** dpctl's C library passes none on; threads wait. */
    @Override
    public boolean hasCallbacks() {
        return false;
    }

    @Override
    public void callAfter(long queue, Runnable action) {
        throw new UnsupportedOperationException("dpctl's C library has no callbacks");
    }

    @Override
    public void close() {
        destroyQueue(defaultQueue);
        calls.run(SyclFunction.CONTEXT_DELETE, context);
    }

    /** The {@code sycl::context*} of its queues and its memory. */
    long context() {
        return context;
    }

    /** What tells the contexts of pointers, others' too. */
    SyclBinding binding() {
        return new SyclBinding(calls);
    }

    private long given(SyclFunction function, long reference) {
        if (reference == 0) {
            throw new DeviceException(device, function.symbol, NO_CODE, NO_REASON);
        }
        return reference;
    }
}
