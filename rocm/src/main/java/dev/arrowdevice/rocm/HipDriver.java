package dev.arrowdevice.rocm;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.spi.AddressRange;
import dev.arrowdevice.spi.DeviceDriver;
import dev.arrowdevice.spi.MemoryInfo;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.NativeAllocation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The calls of HIP for one GPU. Queues are {@code hipStream_t}, events {@code hipEvent_t}. */
final class HipDriver implements DeviceDriver {
    private static final long KEPT_STAGING = 128L << 20;

    /** The system property that turns stream-ordered memory off: releases of ROCm are reported to deadlock with it. */
    static final String POOLS = "dev.arrowdevice.rocm.pools";

    private static final int SUCCESS = 0;
    private static final int NOT_READY = 600;
    private static final int NOT_SUPPORTED = 801;
    private static final int PEER_ACCESS_ALREADY_ENABLED = 704;

    private static final int HOST_MALLOC_PORTABLE = 1;
    private static final int MEM_ATTACH_GLOBAL = 1;
    private static final int STREAM_NON_BLOCKING = 1;
    private static final int EVENT_DISABLE_TIMING = 2;

    private static final int HOST_TO_DEVICE = 1;
    private static final int DEVICE_TO_HOST = 2;
    private static final int DEVICE_TO_DEVICE = 3;
    private static final int BY_ADDRESSES = 4;

    private static final int MANAGED_MEMORY_ATTRIBUTE = 24;
    private static final int MEMORY_POOLS_ATTRIBUTE = 88;

    private static final long NULL_STREAM = 0;
    private static final int NAME_SIZE = 256;

    private final HipLibrary library;
    private final HipApi api;
    private final HipPointers pointers;
    private final int ordinal;
    private final int count;
    private final Device device;
    private final HipCalls calls;
    private final String description;
    private final boolean managedMemory;
    private final boolean queueOrderedMemory;
    private final Map<Long, Boolean> peers = new ConcurrentHashMap<>();

    HipDriver(HipLibrary library, int ordinal, int count) {
        this.library = library;
        this.api = library.api;
        this.ordinal = ordinal;
        this.count = count;
        this.device = new Device(DeviceType.ROCM, ordinal);
        this.calls = new HipCalls(library, device);
        this.pointers = new HipPointers(library, calls);
        this.description = name() + ", HIP " + library.versionText();
        this.managedMemory = library.has("hipMallocManaged") && hasAttribute(MANAGED_MEMORY_ATTRIBUTE);
        this.queueOrderedMemory = Boolean.parseBoolean(System.getProperty(POOLS, "true"))
                && library.has("hipMallocAsync")
                && library.has("hipFreeAsync")
                && hasAttribute(MEMORY_POOLS_ATTRIBUTE);
    }

    @Override
    public Device device() {
        return device;
    }

    HipLibrary library() {
        return library;
    }

    /** The GPU's name. Some releases of ROCm 6.0 return an empty one. */
    private String name() {
        try (NativeAllocation out = NativeAllocation.allocate(NAME_SIZE)) {
            boolean known = library.has("hipDeviceGetName")
                    && api.hipDeviceGetName(out.getAddress(), NAME_SIZE, ordinal) == SUCCESS
                    && out.getByte(0) != 0;
            return known ? out.getString() : "AMD GPU";
        }
    }

    @Override
    public String description() {
        return description;
    }

    private boolean hasAttribute(int attribute) {
        if (!library.has("hipDeviceGetAttribute")) {
            return false;
        }
        try (NativeAllocation out = NativeAllocation.allocate(Integer.BYTES)) {
            return api.hipDeviceGetAttribute(out.getAddress(), attribute, ordinal) == SUCCESS && out.getInt(0) != 0;
        }
    }

    @Override
    public @Nullable MemoryInfo memoryInfo() {
        if (!library.has("hipMemGetInfo")) {
            return null;
        }
        try (NativeAllocation out = NativeAllocation.allocate(2 * Long.BYTES)) {
            calls.run("hipMemGetInfo", () -> api.hipMemGetInfo(out.getAddress(), out.getAddress() + Long.BYTES));
            return new MemoryInfo(out.getLong(0), out.getLong(Long.BYTES));
        }
    }

    @Override
    public boolean hasMemory(MemoryKind kind) {
        return kind != MemoryKind.MANAGED || managedMemory;
    }

    @Override
    public boolean isHostReadable(MemoryKind kind) {
        // GPUs differ in whether the host may access managed memory while the GPU works.
        return kind == MemoryKind.HOST;
    }

    @Override
    public boolean canAccessPeer(Device other) {
        if (other.type() == DeviceType.ROCM_HOST) {
            return true; // HOST_MALLOC_PORTABLE: pinned for all of them
        }
        return other.type() == DeviceType.ROCM
                && (other.id() == ordinal || peers.computeIfAbsent(other.id(), this::enablePeerAccess));
    }

    private boolean enablePeerAccess(long peer) {
        if (peer < 0 || peer >= count || !library.has("hipDeviceCanAccessPeer")) {
            return false;
        }
        try (NativeAllocation out = NativeAllocation.allocate(Integer.BYTES)) {
            int code = api.hipDeviceCanAccessPeer(out.getAddress(), ordinal, (int) peer);
            if (code != SUCCESS || out.getInt(0) == 0) {
                return false;
            }
        }
        int[] code = new int[1];
        calls.run("hipDeviceEnablePeerAccess", () -> {
            code[0] = api.hipDeviceEnablePeerAccess((int) peer, 0);
            return SUCCESS;
        });
        return code[0] == SUCCESS || code[0] == PEER_ACCESS_ALREADY_ENABLED;
    }

    @Override
    public long allocate(MemoryKind kind, long byteSize) {
        switch (kind) {
            case DEVICE:
                return calls.create("hipMalloc", out -> api.hipMalloc(out, byteSize));
            case HOST:
                return calls.create("hipHostMalloc", out -> api.hipHostMalloc(out, byteSize, HOST_MALLOC_PORTABLE));
            default:
                return calls.create("hipMallocManaged", out -> api.hipMallocManaged(out, byteSize, MEM_ATTACH_GLOBAL));
        }
    }

    @Override
    public void free(MemoryKind kind, long address) {
        if (kind == MemoryKind.HOST) {
            calls.free("hipHostFree", () -> api.hipHostFree(address));
        } else {
            calls.free("hipFree", () -> api.hipFree(address));
        }
    }

    @Override
    public long keptStaging() {
        return KEPT_STAGING;
    }

    @Override
    public boolean hasQueueOrderedMemory() {
        return queueOrderedMemory;
    }

    @Override
    public long allocateAsync(long byteSize, long queue) {
        return calls.create("hipMallocAsync", out -> api.hipMallocAsync(out, byteSize, queue));
    }

    @Override
    public void freeAsync(long address, long queue) {
        calls.free("hipFreeAsync", () -> api.hipFreeAsync(address, queue));
    }

    @Override
    public long defaultQueue() {
        return NULL_STREAM;
    }

    @Override
    public long createQueue() {
        return calls.create("hipStreamCreateWithFlags", out -> api.hipStreamCreateWithFlags(out, STREAM_NON_BLOCKING));
    }

    @Override
    public void destroyQueue(long queue) {
        calls.free("hipStreamDestroy", () -> api.hipStreamDestroy(queue));
    }

    @Override
    public void synchronize(long queue) {
        calls.run("hipStreamSynchronize", () -> api.hipStreamSynchronize(queue));
    }

    @Override
    public void synchronizeDevice() {
        calls.run("hipDeviceSynchronize", api::hipDeviceSynchronize);
    }

    @Override
    public void copyAsync(
            Device sourceDevice, long source, Device targetDevice, long target, long byteSize, long queue) {
        if (areTwoGpus(sourceDevice, targetDevice) && library.has("hipMemcpyPeerAsync")) {
            int from = (int) sourceDevice.id();
            int to = (int) targetDevice.id();
            calls.run("hipMemcpyPeerAsync", () -> api.hipMemcpyPeerAsync(target, to, source, from, byteSize, queue));
            return;
        }
        int kind = copyKind(sourceDevice, targetDevice);
        calls.run("hipMemcpyAsync", () -> api.hipMemcpyAsync(target, source, byteSize, kind, queue));
    }

    /** Access that was enabled between GPUs need not cover memory of pools, so such a copy says where the memory is. */
    private static boolean areTwoGpus(Device source, Device target) {
        return source.type() == DeviceType.ROCM && target.type() == DeviceType.ROCM && source.id() != target.id();
    }

    /** The kind of a copy. Between two GPUs, and if this GPU only carries out the copy, HIP finds the kind itself. */
    private static int copyKind(Device source, Device target) {
        boolean fromGpu = source.type() == DeviceType.ROCM;
        boolean toGpu = target.type() == DeviceType.ROCM;
        if (fromGpu && toGpu) {
            return source.id() == target.id() ? DEVICE_TO_DEVICE : BY_ADDRESSES;
        }
        if (fromGpu) {
            return DEVICE_TO_HOST;
        }
        return toGpu ? HOST_TO_DEVICE : BY_ADDRESSES;
    }

    @Override
    public long recordEvent(long queue) {
        long event =
                calls.create("hipEventCreateWithFlags", out -> api.hipEventCreateWithFlags(out, EVENT_DISABLE_TIMING));
        try {
            calls.run("hipEventRecord", () -> api.hipEventRecord(event, queue));
        } catch (DeviceException e) {
            try {
                destroyEvent(event);
            } catch (DeviceException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
        return event;
    }

    @Override
    public void destroyEvent(long event) {
        calls.free("hipEventDestroy", () -> api.hipEventDestroy(event));
    }

    @Override
    public boolean isComplete(long event) {
        boolean[] pending = new boolean[1];
        calls.run("hipEventQuery", () -> {
            int code = api.hipEventQuery(event);
            pending[0] = code == NOT_READY;
            if (pending[0]) {
                library.forget(NOT_READY);
                return SUCCESS;
            }
            return code;
        });
        return !pending[0];
    }

    @Override
    public void await(long event) {
        calls.run("hipEventSynchronize", () -> api.hipEventSynchronize(event));
    }

    @Override
    public void waitFor(long queue, long event) {
        calls.run("hipStreamWaitEvent", () -> api.hipStreamWaitEvent(queue, event, 0));
    }

    @Override
    public boolean isSyncEventPointerToHandle() {
        return true; // "hipEvent_t*"
    }

    /**
     * HIP has no error code of its own for it. A call that fails with "not supported" for another reason fails again on
     * the other thread.
     */
    @Override
    public boolean isCallbackRefusal(DeviceException failure) {
        return failure.getCode() == NOT_SUPPORTED;
    }

    /** HIP keeps nothing for a device that must be released. */
    @Override
    public void close() {}

    /** The kind of memory that an address belongs to; null if this HIP runtime does not know it. */
    @Nullable
    MemoryKind kindOf(long address) {
        return pointers.kindOf(address);
    }

    @Override
    public @Nullable Device deviceOf(long address, Device presumed) {
        return pointers.deviceOf(address, presumed);
    }

    @Override
    public @Nullable AddressRange allocationOf(long address) {
        return pointers.allocationOf(address);
    }

    /** Runs an action with this device current in the thread. */
    <T extends @Nullable Object> T onDevice(Supplier<T> action) {
        return calls.call(action);
    }
}
