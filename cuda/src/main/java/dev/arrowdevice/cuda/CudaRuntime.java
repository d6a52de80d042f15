package dev.arrowdevice.cuda;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceEvent;
import dev.arrowdevice.DeviceQueue;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.DeviceUnavailableException;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DriverContext;
import dev.arrowdevice.spi.DriverRuntime;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.NativeMemory;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.function.Supplier;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * An NVIDIA GPU, or the host's memory pinned for it, or its managed memory: Arrow's devices {@code CUDA}, {@code CUDA_HOST}
 * and {@code CUDA_MANAGED}, whose id is CUDA's ordinal of the GPU.
 *
 * <p>A runtime that was opened is a handle, to be closed by who opened it. All runtimes of a GPU in a process share its
 * context: queues, events and buffers of one can be used with the others, also with those that
 * {@link dev.arrowdevice.Devices} finds by itself. Closing the handle makes the handle unusable and nothing else;
 * the GPU's primary context is given back when nothing of the GPU is used any more, which is never if
 * {@code Devices} has found and used it.
 *
 * <p>JCuda's types go in and out. They name the same things, without owning them: who created a stream, an event or memory
 * destroys it, the way it was created. All methods may be called from any thread; JCuda's own functions need a
 * {@linkplain #inContext current context}.
 */
public final class CudaRuntime extends DriverRuntime {
    private final CudaCalls calls;

    CudaRuntime(DriverContext context, int ordinal, MemoryKind kind, boolean ofProcess) {
        super(
                context,
                new Device(deviceType(kind), ordinal),
                new Device(DeviceType.CUDA_HOST, ordinal),
                kind,
                ofProcess);
        this.calls = ((CudaDriver) context.getDriver()).calls();
    }

    private static int deviceType(MemoryKind kind) {
        return switch (kind) {
            case DEVICE -> DeviceType.CUDA;
            case HOST -> DeviceType.CUDA_HOST;
            case MANAGED -> DeviceType.CUDA_MANAGED;
        };
    }

    /**
     * Opens a GPU with its own memory.
     *
     * @param device CUDA's ordinal of the GPU
     * @return a handle, which the caller closes
     * @throws DeviceUnavailableException if there is no driver or no such GPU; the message says why
     */
    public static CudaRuntime open(int device) {
        return open(device, MemoryKind.DEVICE);
    }

    /**
     * Opens a GPU with one kind of memory.
     *
     * @param device CUDA's ordinal of the GPU
     * @param kind which memory {@link #allocate} gives
     * @return a handle, which the caller closes
     * @throws DeviceUnavailableException if there is no driver, no such GPU, or no such memory; the message says why
     */
    public static CudaRuntime open(int device, MemoryKind kind) {
        return CudaDevices.ofProcess().open(device, kind);
    }

    /**
     * How many GPUs there are.
     *
     * @throws DeviceUnavailableException if there is no driver or no GPU; the message says why
     */
    public static int deviceCount() {
        return CudaDevices.ofProcess().count();
    }

    /**
     * The GPU's primary context, in which everything of this runtime lives. Valid while the runtime is open; to be neither
     * destroyed nor released.
     */
    public CUcontext getContext() {
        return whileOpen("getContext", () -> JCudaTypes.context(calls.primaryContext()));
    }

    /**
     * Runs an action with the GPU's primary context current on this thread, as JCuda's functions need it, and makes the
     * context current again that was so before, also when the action fails.
     *
     * @return what the action returns
     */
    public <T extends @Nullable Object> T inContext(Supplier<T> action) {
        return whileOpen("inContext", () -> {
            calls.pushContext();
            try {
                return action.get();
            } finally {
                calls.popContext();
            }
        });
    }

    /** A queue as JCuda's stream, to launch kernels on. Valid until the queue is closed. */
    public CUstream stream(DeviceQueue queue) {
        requireCuda(queue.getDevice());
        return JCudaTypes.stream(queue.getHandle());
    }

    /** A stream of JCuda as a queue. It must live as long as it is used here; closing the result does not destroy it. */
    public DeviceQueue queue(CUstream stream) {
        return importQueue(JCudaTypes.handle(stream));
    }

    /** An event as JCuda's. Valid until the event is closed. */
    public CUevent event(DeviceEvent event) {
        requireCuda(event.getDevice());
        return JCudaTypes.event(NativeMemory.getLong(event.getSyncEvent()));
    }

    /**
     * An event of JCuda, which has been recorded. It must live as long as it is used here. The caller closes the result, which
     * does not destroy the event.
     */
    public DeviceEvent event(CUevent event) {
        return importEventHandle(JCudaTypes.handle(event));
    }

    /**
     * The address of a buffer as JCuda's pointer. Valid while the buffer's owner is.
     *
     * @throws IllegalArgumentException if GPUs can't use the buffer's memory
     */
    public CUdeviceptr pointer(DeviceBuffer buffer) {
        Device device = buffer.getDevice();
        boolean known = device.type() == DeviceType.CUDA
                || device.type() == DeviceType.CUDA_HOST
                || device.type() == DeviceType.CUDA_MANAGED;
        if (!known) {
            throw new IllegalArgumentException("a pointer of CUDA to memory of " + device);
        }
        return JCudaTypes.pointer(buffer.getAddress());
    }

    /**
     * Memory of JCuda as a buffer of this device.
     *
     * @param pointer memory of this runtime's kind: of {@code cuMemAlloc} for {@code CUDA}, {@code cuMemHostAlloc} for
     *     {@code CUDA_HOST}, {@code cuMemAllocManaged} for {@code CUDA_MANAGED}
     * @param byteSize its size in bytes, which the caller vouches for
     * @param owner what keeps the memory alive, and frees it; no reference is taken
     */
    public DeviceBuffer buffer(CUdeviceptr pointer, long byteSize, ReferenceCounted owner) {
        return buffer(JCudaTypes.address(pointer), byteSize, owner);
    }

    private static void requireCuda(Device device) {
        if (device.type() != DeviceType.CUDA) {
            throw new IllegalArgumentException("a queue or an event of " + device + " with CUDA");
        }
    }
}
