package dev.arrowdevice.rocm;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.HostFunction;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.spi.AddressRange;
import dev.arrowdevice.spi.DeviceDriver;
import dev.arrowdevice.spi.MemoryInfo;
import dev.arrowdevice.spi.MemoryKind;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The calls of HIP for one GPU. Queues are {@code hipStream_t}, events {@code hipEvent_t}. */
final class HipDriver implements DeviceDriver {
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
    private final HipCalls calls;
    private final HipPointers pointers;
    private final int ordinal;
    private final int count;
    private final Device device;
    private final CurrentDevice current;
    private final String description;
    private final boolean managedMemory;
    private final boolean queueOrderedMemory;
    private final Map<Long, Boolean> peers = new ConcurrentHashMap<>();

    HipDriver(HipLibrary library, int ordinal, int count) {
        this.library = library;
        this.calls = library.calls;
        this.pointers = new HipPointers(library);
        this.ordinal = ordinal;
        this.count = count;
        this.device = new Device(DeviceType.ROCM, ordinal);
        this.current = new CurrentDevice(library, device);
        this.description = name() + ", HIP " + library.versionText();
        this.managedMemory = calls.has(HipFunction.MALLOC_MANAGED) && hasAttribute(MANAGED_MEMORY_ATTRIBUTE);
        this.queueOrderedMemory = calls.has(HipFunction.MALLOC_ASYNC)
                && calls.has(HipFunction.FREE_ASYNC)
                && hasAttribute(MEMORY_POOLS_ATTRIBUTE);
    }

    @Override
    public Device device() {
        return device;
    }

    HipLibrary library() {
        return library;
    }

    /** Some releases of ROCm 6.0 give an empty name. */
    private String name() {
        long out = CHeap.allocate(NAME_SIZE);
        try {
            boolean known = calls.has(HipFunction.DEVICE_GET_NAME)
                    && calls.call(HipFunction.DEVICE_GET_NAME, out, NAME_SIZE, ordinal) == SUCCESS
                    && RawMemory.getByte(out) != 0;
            return known ? new String(RawMemory.getCString(out, NAME_SIZE), StandardCharsets.UTF_8) : "AMD GPU";
        } finally {
            CHeap.free(out);
        }
    }

    @Override
    public String description() {
        return description;
    }

    private boolean hasAttribute(int attribute) {
        if (!calls.has(HipFunction.DEVICE_GET_ATTRIBUTE)) {
            return false;
        }
        long out = CHeap.allocate(Integer.BYTES);
        try {
            return calls.call(HipFunction.DEVICE_GET_ATTRIBUTE, out, attribute, ordinal) == SUCCESS
                    && RawMemory.getInt(out) != 0;
        } finally {
            CHeap.free(out);
        }
    }

    @Override
    public @Nullable MemoryInfo memoryInfo() {
        if (!calls.has(HipFunction.MEM_GET_INFO)) {
            return null;
        }
        long out = CHeap.allocate(2 * Long.BYTES);
        try {
            current.run(HipFunction.MEM_GET_INFO, () -> calls.call(HipFunction.MEM_GET_INFO, out, out + Long.BYTES));
            return new MemoryInfo(RawMemory.getLong(out), RawMemory.getLong(out + Long.BYTES));
        } finally {
            CHeap.free(out);
        }
    }

    @Override
    public boolean hasMemory(MemoryKind kind) {
        return kind != MemoryKind.MANAGED || managedMemory;
    }

    @Override
    public boolean isHostReadable(MemoryKind kind) {
        // Whether the host may touch managed memory while the GPU works differs between GPUs.
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
        if (peer < 0 || peer >= count || !calls.has(HipFunction.DEVICE_CAN_ACCESS_PEER)) {
            return false;
        }
        long out = CHeap.allocate(Integer.BYTES);
        try {
            int code = calls.call(HipFunction.DEVICE_CAN_ACCESS_PEER, out, ordinal, (int) peer);
            if (code != SUCCESS || RawMemory.getInt(out) == 0) {
                return false;
            }
        } finally {
            CHeap.free(out);
        }
        int[] code = new int[1];
        current.run(HipFunction.DEVICE_ENABLE_PEER_ACCESS, () -> {
            code[0] = calls.call(HipFunction.DEVICE_ENABLE_PEER_ACCESS, (int) peer, 0);
            return SUCCESS;
        });
        return code[0] == SUCCESS || code[0] == PEER_ACCESS_ALREADY_ENABLED;
    }

    @Override
    public long allocate(MemoryKind kind, long byteSize) {
        switch (kind) {
            case DEVICE:
                return current.create(HipFunction.MALLOC, out -> calls.call(HipFunction.MALLOC, out, byteSize));
            case HOST:
                return current.create(
                        HipFunction.HOST_MALLOC,
                        out -> calls.call(HipFunction.HOST_MALLOC, out, byteSize, HOST_MALLOC_PORTABLE));
            default:
                return current.create(
                        HipFunction.MALLOC_MANAGED,
                        out -> calls.call(HipFunction.MALLOC_MANAGED, out, byteSize, MEM_ATTACH_GLOBAL));
        }
    }

    @Override
    public void free(MemoryKind kind, long address) {
        HipFunction function = kind == MemoryKind.HOST ? HipFunction.HOST_FREE : HipFunction.FREE;
        current.giveBack(function, () -> calls.call(function, address));
    }

    @Override
    public boolean hasQueueOrderedMemory() {
        return queueOrderedMemory;
    }

    @Override
    public long allocateAsync(long byteSize, long queue) {
        return current.create(
                HipFunction.MALLOC_ASYNC, out -> calls.call(HipFunction.MALLOC_ASYNC, out, byteSize, queue));
    }

    @Override
    public void freeAsync(long address, long queue) {
        current.giveBack(HipFunction.FREE_ASYNC, () -> calls.call(HipFunction.FREE_ASYNC, address, queue));
    }

    @Override
    public long defaultQueue() {
        return NULL_STREAM;
    }

    @Override
    public long createQueue() {
        return current.create(
                HipFunction.STREAM_CREATE_WITH_FLAGS,
                out -> calls.call(HipFunction.STREAM_CREATE_WITH_FLAGS, out, STREAM_NON_BLOCKING));
    }

    @Override
    public void destroyQueue(long queue) {
        current.giveBack(HipFunction.STREAM_DESTROY, () -> calls.call(HipFunction.STREAM_DESTROY, queue));
    }

    @Override
    public void synchronize(long queue) {
        current.run(HipFunction.STREAM_SYNCHRONIZE, () -> calls.call(HipFunction.STREAM_SYNCHRONIZE, queue));
    }

    @Override
    public void copyAsync(
            Device sourceDevice, long source, Device targetDevice, long target, long byteSize, long queue) {
        int kind = copyKind(sourceDevice, targetDevice);
        current.run(
                HipFunction.MEMCPY_ASYNC,
                () -> calls.call(HipFunction.MEMCPY_ASYNC, target, source, byteSize, kind, queue));
    }

    /** Between two GPUs, and where the GPU is only the one that copies, HIP finds out itself. */
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
        long event = current.create(
                HipFunction.EVENT_CREATE_WITH_FLAGS,
                out -> calls.call(HipFunction.EVENT_CREATE_WITH_FLAGS, out, EVENT_DISABLE_TIMING));
        try {
            current.run(HipFunction.EVENT_RECORD, () -> calls.call(HipFunction.EVENT_RECORD, event, queue));
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
        current.giveBack(HipFunction.EVENT_DESTROY, () -> calls.call(HipFunction.EVENT_DESTROY, event));
    }

    @Override
    public boolean isComplete(long event) {
        boolean[] pending = new boolean[1];
        current.run(HipFunction.EVENT_QUERY, () -> {
            int code = calls.call(HipFunction.EVENT_QUERY, event);
            pending[0] = code == NOT_READY;
            if (pending[0]) {
                current.forget(NOT_READY);
                return SUCCESS;
            }
            return code;
        });
        return !pending[0];
    }

    @Override
    public void await(long event) {
        current.run(HipFunction.EVENT_SYNCHRONIZE, () -> calls.call(HipFunction.EVENT_SYNCHRONIZE, event));
    }

    @Override
    public void waitFor(long queue, long event) {
        current.run(HipFunction.STREAM_WAIT_EVENT, () -> calls.call(HipFunction.STREAM_WAIT_EVENT, queue, event, 0));
    }

    @Override
    public boolean isSyncEventPointerToHandle() {
        return true; // "hipEvent_t*"
    }

    @Override
    public boolean hasCallbacks() {
        return calls.has(HipFunction.STREAM_ADD_CALLBACK) || calls.has(HipFunction.LAUNCH_HOST_FUNC);
    }

    @Override
    public void callAfter(long queue, Runnable action) {
        long userData = HostFunction.register(action);
        try {
            // The older function goes first: only it is also called when the work before it has failed.
            if (calls.has(HipFunction.STREAM_ADD_CALLBACK)) {
                current.run(
                        HipFunction.STREAM_ADD_CALLBACK,
                        () -> calls.call(
                                HipFunction.STREAM_ADD_CALLBACK,
                                queue,
                                HostFunction.STREAM_CALLBACK_STUB,
                                userData,
                                0));
            } else {
                current.run(
                        HipFunction.LAUNCH_HOST_FUNC,
                        () -> calls.call(HipFunction.LAUNCH_HOST_FUNC, queue, HostFunction.STUB, userData));
            }
        } catch (Throwable e) {
            HostFunction.forget(userData);
            throw e;
        }
    }

    /** HIP has no code of its own for it. A call that is not supported elsewhere either fails again on the other thread. */
    @Override
    public boolean isCallbackRefusal(DeviceException failure) {
        return failure.getCode() == NOT_SUPPORTED;
    }

    /** HIP keeps nothing for a device that would have to be given back. */
    @Override
    public void close() {}

    /** The kind of memory that an address belongs to; null if it is none of this HIP runtime's. */
    @Nullable
    MemoryKind kindOf(long address) {
        return pointers.kindOf(address, code -> current.failure(HipFunction.POINTER_GET_ATTRIBUTES, code));
    }

    @Override
    public @Nullable Device deviceOf(long address, Device presumed) {
        return calls.has(HipFunction.POINTER_GET_ATTRIBUTES)
                ? pointers.deviceOf(address, code -> current.failure(HipFunction.POINTER_GET_ATTRIBUTES, code))
                : presumed;
    }

    @Override
    public @Nullable AddressRange allocationOf(long address) {
        return calls.has(HipFunction.MEM_GET_ADDRESS_RANGE)
                ? HipPointers.whole(address, inside -> pointers.allocationOf(inside, current::forget))
                : null;
    }

    /** Runs an action with this device current in the thread. */
    <T extends @Nullable Object> T onDevice(Supplier<T> action) {
        return current.call(action);
    }
}
