package dev.arrowdevice.oneapi;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.OutOfDeviceMemoryException;
import dev.arrowdevice.spi.DeviceDriver;
import dev.arrowdevice.spi.MemoryInfo;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.NativeAllocation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls of dpctl for one device of SYCL. Queues are {@code sycl::queue*}, events {@code sycl::event*}.
 *
 * <p>dpctl turns most exceptions of SYCL into a null result without a code. In some calls it does not, and an exception
 * there ends the process. Such a call is made only after a check that it can succeed.
 */
final class SyclDriver implements DeviceDriver {
    private static final long KEPT_STAGING = 128L << 20;

    /** {@code DPCTLSyclAspectType} */
    static final int USM_DEVICE_ALLOCATIONS = 12;

    static final int USM_HOST_ALLOCATIONS = 13;
    static final int USM_SHARED_ALLOCATIONS = 14;
    static final int USM_ATOMIC_SHARED_ALLOCATIONS = 17;

    /** {@code DPCTLSyclEventStatusType} */
    private static final int STATUS_UNKNOWN = 0;

    private static final long LONGEST_INTERVAL_NANOS = 1_000_000;
    private static final int STATUS_COMPLETE = 3;

    /** {@code DPCTLQueuePropertyType} */
    private static final int IN_ORDER = 2;

    private static final long ALIGNMENT = 64;

    private final SyclApi api;
    private final SyclDevices devices;
    private final int ordinal;
    private final IntPredicate aspects;
    private final Device device;
    private final SyclCalls calls;
    private final SyclPointers pointers;
    private final String description;
    private final long context;
    private final long defaultQueue;

    /** The queues that were created and not destroyed, which guards itself. */
    private final Set<Long> queues = new HashSet<>();

    SyclDriver(SyclLibrary library, SyclDevices devices, int ordinal, IntPredicate aspects) {
        this.api = library.api;
        this.devices = devices;
        this.ordinal = ordinal;
        this.aspects = aspects;
        this.device = new Device(DeviceType.ONEAPI, ordinal);
        this.calls = new SyclCalls(device);
        long reference = devices.reference(ordinal);
        this.description = library.text(api.DPCTLDevice_GetName(reference)) + ", driver "
                + library.text(api.DPCTLDevice_GetDriverVersion(reference)) + ", SYCL "
                + library.version();
        // Every queue that is made for the device alone has this context, dpctl's own queues too. Memory is known in
        // it.
        this.context = calls.given("DPCTLDeviceMgr_GetCachedContext", api.DPCTLDeviceMgr_GetCachedContext(reference));
        this.pointers = new SyclPointers(api, devices, calls, context);
        try {
            this.defaultQueue = createQueue();
        } catch (Throwable e) {
            api.DPCTLContext_Delete(context);
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

    /** dpctl's C library reports the total memory, not how much is free. */
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

    /** SYCL's name of the aspect that a device needs for a kind of memory. */
    private static String aspectName(MemoryKind kind) {
        switch (kind) {
            case DEVICE:
                return "usm_device_allocations";
            case HOST:
                return "usm_host_allocations";
            default:
                return "usm_shared_allocations";
        }
    }

    /** Only some devices let the host access shared memory while the device works. */
    @Override
    public boolean isHostReadable(MemoryKind kind) {
        return kind == MemoryKind.HOST || (kind == MemoryKind.MANAGED && aspects.test(USM_ATOMIC_SHARED_ALLOCATIONS));
    }

    @Override
    public boolean isHostReadable(long address) {
        MemoryKind kind = kindOf(address);
        return kind != null && isHostReadable(kind);
    }

    /**
     * Memory of another device is copied through the host: it may belong to another context, for which a copy is
     * undefined.
     */
    @Override
    public boolean canAccessPeer(Device other) {
        return other.equals(device);
    }

    @Override
    public @Nullable Device deviceOf(long address, Device presumed) {
        return pointers.deviceOf(address, device);
    }

    /** The kind of memory that an address belongs to; null if this context does not know it. */
    @Nullable
    MemoryKind kindOf(long address) {
        return pointers.kindOf(address);
    }

    @Override
    public long allocate(MemoryKind kind, long byteSize) {
        // Without the aspect the call may throw a C++ exception through C, which ends the process.
        if (!hasMemory(kind)) {
            throw calls.failure(allocator(kind), "the device lacks SYCL's aspect " + aspectName(kind));
        }
        long address = allocated(kind, byteSize);
        if (address == 0) {
            throw new OutOfDeviceMemoryException(
                    device, allocator(kind), SyclCalls.NO_CODE, "no room for " + byteSize + " bytes");
        }
        return address;
    }

    private long allocated(MemoryKind kind, long byteSize) {
        switch (kind) {
            case DEVICE:
                return api.DPCTLaligned_alloc_device(ALIGNMENT, byteSize, defaultQueue);
            case HOST:
                return api.DPCTLaligned_alloc_host(ALIGNMENT, byteSize, defaultQueue);
            default:
                return api.DPCTLaligned_alloc_shared(ALIGNMENT, byteSize, defaultQueue);
        }
    }

    private static String allocator(MemoryKind kind) {
        switch (kind) {
            case DEVICE:
                return "DPCTLaligned_alloc_device";
            case HOST:
                return "DPCTLaligned_alloc_host";
            default:
                return "DPCTLaligned_alloc_shared";
        }
    }

    @Override
    public void free(MemoryKind kind, long address) {
        api.DPCTLfree_with_context(address, context);
    }

    /** {@code sycl::free} waits for nothing. */
    @Override
    public boolean freeWaitsForWork(MemoryKind kind) {
        return false;
    }

    @Override
    public long keptStaging() {
        return KEPT_STAGING;
    }

    @Override
    public boolean hasQueueOrderedMemory() {
        return false;
    }

    @Override
    public long allocateAsync(long byteSize, long queue) {
        throw new UnsupportedOperationException("SYCL 2020 can't allocate in the order of a queue");
    }

    @Override
    public void freeAsync(long address, long queue) {
        throw new UnsupportedOperationException("SYCL 2020 can't allocate in the order of a queue");
    }

    @Override
    public long defaultQueue() {
        return defaultQueue;
    }

    @Override
    public long createQueue() {
        long queue = calls.given(
                "DPCTLQueue_Create",
                api.DPCTLQueue_Create(context, devices.reference(ordinal), SyclCalls.HANDLER, IN_ORDER));
        synchronized (queues) {
            queues.add(queue);
        }
        return queue;
    }

    @Override
    public void destroyQueue(long queue) {
        synchronized (queues) {
            queues.remove(queue);
            api.DPCTLQueue_Delete(queue);
        }
    }

    /** Waits for the queues that were created here, which consumers get too. SYCL can't ask for all queues of a device. */
    @Override
    public void synchronizeDevice() {
        List<Long> events = new ArrayList<>();
        try {
            synchronized (queues) {
                for (long queue : queues) {
                    events.add(recordEvent(queue));
                }
            }
            events.forEach(this::await);
        } finally {
            events.forEach(this::destroyEvent);
        }
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
        // A foreign queue may run its work in any order. Barriers make it the order of the calls.
        boolean ordered = api.DPCTLQueue_IsInOrder(queue);
        if (!ordered) {
            barrier(queue);
        }
        long event = calls.given("DPCTLQueue_Memcpy", api.DPCTLQueue_Memcpy(queue, target, source, byteSize));
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
        return calls.given("DPCTLQueue_SubmitBarrier", api.DPCTLQueue_SubmitBarrier(queue));
    }

    @Override
    public void destroyEvent(long event) {
        api.DPCTLEvent_Delete(event);
    }

    @Override
    public boolean isComplete(long event) {
        return status(event) == STATUS_COMPLETE;
    }

    private int status(long event) {
        int status = api.DPCTLEvent_GetCommandExecutionStatus(event);
        if (status == STATUS_UNKNOWN) {
            throw calls.failure("DPCTLEvent_GetCommandExecutionStatus");
        }
        return status;
    }

    @Override
    public void await(long event) {
        // Asked first, because waiting would throw in C++ for an event that asking reports as failed.
        if (status(event) == STATUS_COMPLETE) {
            return;
        }
        awaitCompletion(event);
        calls.await("DPCTLEvent_WaitAndThrow", () -> api.DPCTLEvent_WaitAndThrow(event)); // Throws what has failed.
    }

    /**
     * Asks until the work is done, at intervals of an eighth of the time so far. A blocking wait may never return: two
     * threads that wait in Intel's runtime for CPUs, on a busy machine of two cores, have missed the end of the work.
     */
    private void awaitCompletion(long event) {
        long start = System.nanoTime();
        while (status(event) != STATUS_COMPLETE) {
            LockSupport.parkNanos(Math.min((System.nanoTime() - start) / 8, LONGEST_INTERVAL_NANOS));
        }
    }

    @Override
    public void waitFor(long queue, long event) {
        try (NativeAllocation events = NativeAllocation.ofLongs(event)) {
            destroyEvent(calls.given(
                    "DPCTLQueue_SubmitBarrierForEvents",
                    api.DPCTLQueue_SubmitBarrierForEvents(queue, events.getAddress(), 1)));
        }
    }

    @Override
    public boolean isSyncEventPointerToHandle() {
        return false; // "sycl::event*", the same pointer as dpctl's reference
    }

    /** dpctl's C library has no callbacks, and a backend may submit work only when somebody waits for it. */
    @Override
    public boolean completesUnwatched() {
        return false;
    }

    @Override
    public void close() {
        destroyQueue(defaultQueue);
        api.DPCTLContext_Delete(context);
    }

    /** The {@code sycl::context*} of its queues and its memory. */
    long context() {
        return context;
    }

    /** Finds out the contexts of pointers, foreign ones too. */
    SyclBinding binding() {
        return new SyclBinding(api);
    }
}
