package dev.arrowdevice.cuda;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.spi.AddressRange;
import dev.arrowdevice.spi.DeviceDriver;
import dev.arrowdevice.spi.MemoryInfo;
import dev.arrowdevice.spi.MemoryKind;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUmemAttach_flags;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/** The calls of CUDA for one GPU. Queues are {@code CUstream}, events {@code CUevent}. */
final class CudaDriver implements DeviceDriver {
    private static final long KEPT_STAGING = 128L << 20;

    /** CUDA's default stream. Other streams wait for it, unless they were created with a flag that says otherwise. */
    private static final long DEFAULT_STREAM = 0;

    /** The greatest handle that means a stream of the current context: after the default stream these are two more. */
    private static final long PER_THREAD_STREAM = 2;

    private final CudaApi api;
    private final CudaCalls calls;
    private final CudaPointers pointers;
    private final int ordinal;
    private final Device device;
    private final String description;
    private final boolean managed;
    private final boolean concurrentManaged;
    private final boolean streamOrdered;
    private final Set<Integer> peers = ConcurrentHashMap.newKeySet();

    CudaDriver(CudaLibrary library, int ordinal) {
        this.api = library.api;
        this.ordinal = ordinal;
        this.device = new Device(DeviceType.CUDA, ordinal);
        this.calls = new CudaCalls(library, device);
        this.pointers = new CudaPointers(api, ordinal, calls);
        this.managed = attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY);
        this.concurrentManaged = attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS);
        this.streamOrdered = api.hasStreamOrderedMemory()
                && attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
        byte[] name = new byte[256];
        calls.check("cuDeviceGetName", api.cuDeviceGetName(name, ordinal));
        this.description = text(name) + ", driver of CUDA " + library.versionText();
    }

    private boolean attribute(int number) {
        int[] value = new int[1];
        calls.check("cuDeviceGetAttribute", api.cuDeviceGetAttribute(value, number, ordinal));
        return value[0] != 0;
    }

    private static String text(byte[] bytes) {
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public MemoryInfo memoryInfo() {
        long[] free = new long[1];
        long[] total = new long[1];
        calls.run("cuMemGetInfo", () -> api.cuMemGetInfo(free, total));
        return new MemoryInfo(free[0], total[0]);
    }

    @Override
    public boolean hasMemory(MemoryKind kind) {
        return kind != MemoryKind.MANAGED || managed;
    }

    @Override
    public boolean isHostReadable(MemoryKind kind) {
        return kind == MemoryKind.HOST || (kind == MemoryKind.MANAGED && concurrentManaged);
    }

    @Override
    public boolean canAccessPeer(Device other) {
        switch (other.type()) {
            case DeviceType.CUDA_HOST:
                return true; // Pinned memory is allocated as portable, and every GPU with unified addresses maps it.
            case DeviceType.CUDA_MANAGED:
                return other.id() == ordinal || concurrentManaged;
            case DeviceType.CUDA:
                return other.id() == ordinal || isPeer(other.id());
            default:
                return false;
        }
    }

    private boolean isPeer(long other) {
        int[] can = new int[1];
        // The call fails for a device that does not exist.
        return other == (int) other && api.cuDeviceCanAccessPeer(can, ordinal, (int) other) == 0 && can[0] != 0;
    }

    @Override
    public @Nullable Device deviceOf(long address, Device presumed) {
        return pointers.deviceOf(address, presumed);
    }

    @Override
    public @Nullable AddressRange allocationOf(long address) {
        return pointers.allocationOf(address);
    }

    @Override
    public long allocate(MemoryKind kind, long byteSize) {
        long[] address = new long[1];
        switch (kind) {
            case DEVICE -> calls.run("cuMemAlloc", () -> api.cuMemAlloc(address, byteSize));
            case HOST ->
                calls.run(
                        "cuMemHostAlloc",
                        () -> api.cuMemHostAlloc(address, byteSize, JCudaDriver.CU_MEMHOSTALLOC_PORTABLE));
            case MANAGED ->
                calls.run(
                        "cuMemAllocManaged",
                        () -> api.cuMemAllocManaged(address, byteSize, CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL));
        }
        return address[0];
    }

    @Override
    public void free(MemoryKind kind, long address) {
        if (kind == MemoryKind.HOST) {
            calls.run("cuMemFreeHost", () -> api.cuMemFreeHost(address));
        } else {
            calls.run("cuMemFree", () -> api.cuMemFree(address));
        }
    }

    /** CUDA says so of {@code cuMemFree}, for memory of no pool, and says nothing of {@code cuMemFreeHost}. */
    @Override
    public boolean freeWaitsForWork(MemoryKind kind) {
        return kind != MemoryKind.HOST;
    }

    @Override
    public long keptStaging() {
        return KEPT_STAGING;
    }

    @Override
    public boolean hasQueueOrderedMemory() {
        return streamOrdered;
    }

    @Override
    public long allocateAsync(long byteSize, long queue) {
        long[] address = new long[1];
        calls.run("cuMemAllocAsync", () -> api.cuMemAllocAsync(address, byteSize, queue));
        return address[0];
    }

    @Override
    public void freeAsync(long address, long queue) {
        calls.run("cuMemFreeAsync", () -> api.cuMemFreeAsync(address, queue));
    }

    @Override
    public long defaultQueue() {
        return DEFAULT_STREAM;
    }

    @Override
    public long createQueue() {
        long[] stream = new long[1];
        calls.run("cuStreamCreate", () -> api.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING));
        return stream[0];
    }

    @Override
    public void destroyQueue(long queue) {
        calls.run("cuStreamDestroy", () -> api.cuStreamDestroy(queue));
    }

    @Override
    public void synchronize(long queue) {
        calls.run("cuStreamSynchronize", () -> api.cuStreamSynchronize(queue));
    }

    /** All work of the primary context, in which nearly everybody works. */
    @Override
    public void synchronizeDevice() {
        calls.run("cuCtxSynchronize", api::cuCtxSynchronize);
    }

    @Override
    public void copyAsync(
            Device sourceDevice, long source, Device targetDevice, long target, long byteSize, long queue) {
        boolean fromHost = isHostSide(sourceDevice);
        boolean toHost = isHostSide(targetDevice);
        if (fromHost && !toHost) {
            calls.run("cuMemcpyHtoDAsync", () -> api.cuMemcpyHtoDAsync(target, source, byteSize, queue));
        } else if (toHost && !fromHost) {
            calls.run("cuMemcpyDtoHAsync", () -> api.cuMemcpyDtoHAsync(target, source, byteSize, queue));
        } else if (isOther(sourceDevice) || isOther(targetDevice)) {
            copyPeer(sourceDevice, source, targetDevice, target, byteSize, queue);
        } else {
            calls.run("cuMemcpyAsync", () -> api.cuMemcpyAsync(target, source, byteSize, queue));
        }
    }

    private boolean isOther(Device other) {
        return other.type() == DeviceType.CUDA && other.id() != ordinal;
    }

    /**
     * Copies between two GPUs. Access that was enabled between contexts makes that faster, but does not cover memory of
     * pools, so the copy says which contexts the memory belongs to.
     */
    private void copyPeer(
            Device sourceDevice, long source, Device targetDevice, long target, long byteSize, long queue) {
        enablePeer(sourceDevice);
        enablePeer(targetDevice);
        long from = retainContext(sourceDevice);
        try {
            long to = retainContext(targetDevice);
            try {
                calls.run("cuMemcpyPeerAsync", () -> api.cuMemcpyPeerAsync(target, to, source, from, byteSize, queue));
            } finally {
                api.cuDevicePrimaryCtxRelease((int) targetDevice.id());
            }
        } finally {
            // The context is released again at once. The memory, which exists because it is to be copied, keeps it.
            api.cuDevicePrimaryCtxRelease((int) sourceDevice.id());
        }
    }

    private long retainContext(Device other) {
        long[] context = new long[1];
        calls.check("cuDevicePrimaryCtxRetain", api.cuDevicePrimaryCtxRetain(context, (int) other.id()));
        return context[0];
    }

    private static boolean isHostSide(Device other) {
        return other.type() != DeviceType.CUDA && other.type() != DeviceType.CUDA_MANAGED;
    }

    /**
     * Allows this GPU to access another one's memory directly, once. If that is refused, the driver copies through the
     * host.
     */
    private void enablePeer(Device other) {
        if (other.type() != DeviceType.CUDA || other.id() == ordinal || !peers.add((int) other.id())) {
            return;
        }
        int peer = (int) other.id();
        long[] context = new long[1];
        if (api.cuDevicePrimaryCtxRetain(context, peer) == 0) {
            // The peer's context is released here again. Its memory, which exists because it is to be copied, keeps it.
            calls.inContext(() -> api.cuCtxEnablePeerAccess(context[0]));
            api.cuDevicePrimaryCtxRelease(peer);
        }
    }

    @Override
    public long recordEvent(long queue) {
        long[] event = new long[1];
        long context = contextOf(queue);
        calls.check(
                "cuEventCreate",
                calls.inContext(context, () -> api.cuEventCreate(event, CUevent_flags.CU_EVENT_DISABLE_TIMING)));
        int code = calls.inContext(context, () -> api.cuEventRecord(event[0], queue));
        if (code != 0) {
            calls.inContext(context, () -> api.cuEventDestroy(event[0]));
            throw calls.failure("cuEventRecord", code);
        }
        return event[0];
    }

    /**
     * The context of a stream: a stream takes events of its own context only, and a foreign stream may have another one
     * than ours.
     */
    private long contextOf(long queue) {
        if (Long.compareUnsigned(queue, PER_THREAD_STREAM) <= 0) {
            return calls.primaryContext();
        }
        long[] context = new long[1];
        calls.run("cuStreamGetCtx", () -> api.cuStreamGetCtx(queue, context));
        return context[0];
    }

    @Override
    public void destroyEvent(long event) {
        calls.run("cuEventDestroy", () -> api.cuEventDestroy(event));
    }

    @Override
    public boolean isComplete(long event) {
        int code = calls.inContext(() -> api.cuEventQuery(event));
        if (code == CUresult.CUDA_ERROR_NOT_READY) {
            return false;
        }
        calls.check("cuEventQuery", code);
        return true;
    }

    @Override
    public void await(long event) {
        calls.run("cuEventSynchronize", () -> api.cuEventSynchronize(event));
    }

    @Override
    public void waitFor(long queue, long event) {
        calls.run("cuStreamWaitEvent", () -> api.cuStreamWaitEvent(queue, event));
    }

    @Override
    public boolean isSyncEventPointerToHandle() {
        return true;
    }

    @Override
    public boolean isCallbackRefusal(DeviceException failure) {
        return failure.getCode() == CUresult.CUDA_ERROR_NOT_PERMITTED;
    }

    @Override
    public void close() {
        calls.close();
    }

    /** The calls in the primary context. */
    CudaCalls calls() {
        return calls;
    }
}
