package dev.arrowdevice.cuda;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceUnavailableException;
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
 * An NVIDIA GPU with its own memory, with host memory pinned for it, or with its managed memory: Arrow's devices
 * {@code CUDA}, {@code CUDA_HOST} and {@code CUDA_MANAGED}. Their id is CUDA's ordinal of the GPU.
 *
 * <p>A runtime that you opened must be closed. All runtimes of a GPU in a process share its context: queues, events and
 * buffers of one can be used with the others, also with those that {@link dev.arrowdevice.spi.Devices} finds by itself.
 * After {@code close()} you can't call this runtime; everything made with it stays valid. The GPU's primary context is
 * released when nothing of the GPU is used any more. That is never if {@code Devices} has found and used the GPU.
 *
 * <p>Methods take and return JCuda's types. These name a stream, an event or memory and do not own it: whoever created
 * it destroys it, in the way it was created. All methods may be called from any thread. JCuda's own functions need a
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
     * @return the runtime, which the caller closes
     * @throws DeviceUnavailableException if there is no driver or no such GPU; the message says why
     */
    public static CudaRuntime open(int device) {
        return open(device, MemoryKind.DEVICE);
    }

    /**
     * Opens a GPU with one kind of memory.
     *
     * @param device CUDA's ordinal of the GPU
     * @param kind the kind of memory that {@link #allocate} allocates
     * @return the runtime, which the caller closes
     * @throws DeviceUnavailableException if there is no driver, no such GPU, or no such memory; the message says why
     */
    public static CudaRuntime open(int device, MemoryKind kind) {
        return CudaDevices.ofProcess().open(device, kind);
    }

    /**
     * The number of GPUs.
     *
     * @throws DeviceUnavailableException if there is no driver or no GPU; the message says why
     */
    public static int deviceCount() {
        return CudaDevices.ofProcess().count();
    }

    /**
     * The GPU's primary context, which everything of this runtime belongs to. It is valid while the runtime is open. Do
     * not destroy or release it.
     */
    public CUcontext getContext() {
        return whileOpen("getContext", () -> JCudaTypes.context(calls.primaryContext()));
    }

    /**
     * Runs an action with the GPU's primary context current on this thread, as JCuda's functions need it. Afterwards,
     * even if the action fails, the thread's earlier context is current again.
     *
     * @return the result of the action
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

    /** A queue as JCuda's stream, to launch kernels on. It is valid until the queue is closed. */
    public CUstream stream(DeviceQueue queue) {
        requireCuda(queue.getDevice());
        return JCudaTypes.stream(queue.getHandle());
    }

    /**
     * A stream of JCuda as a queue. The stream must exist as long as the queue is used. Closing the queue does not
     * destroy the stream.
     */
    public DeviceQueue queue(CUstream stream) {
        return importQueue(JCudaTypes.handle(stream));
    }

    /** An event as JCuda's event. It is valid until the event is closed. */
    public CUevent event(DeviceEvent event) {
        requireCuda(event.getDevice());
        return JCudaTypes.event(NativeMemory.getLong(event.getSyncEvent()));
    }

    /**
     * An event of JCuda, which must have been recorded, as an event of this runtime. It must exist as long as the
     * result is used. The caller closes the result, which does not destroy JCuda's event.
     */
    public DeviceEvent event(CUevent event) {
        return importEventHandle(JCudaTypes.handle(event));
    }

    /**
     * The address of a buffer as JCuda's pointer. It is valid as long as the buffer's owner is.
     *
     * @throws IllegalArgumentException if GPUs can't use the buffer's memory
     */
    public CUdeviceptr pointer(DeviceBuffer buffer) {
        Device device = buffer.getDevice();
        boolean known = device.type() == DeviceType.CUDA
                || device.type() == DeviceType.CUDA_HOST
                || device.type() == DeviceType.CUDA_MANAGED;
        if (!known) {
            throw new IllegalArgumentException("CUDA has no pointer to memory of " + device);
        }
        return JCudaTypes.pointer(buffer.getAddress());
    }

    /**
     * Memory of JCuda as a buffer of this device.
     *
     * @param pointer memory of this runtime's kind: of {@code cuMemAlloc} for {@code CUDA}, {@code cuMemHostAlloc} for
     *     {@code CUDA_HOST}, {@code cuMemAllocManaged} for {@code CUDA_MANAGED}
     * @param byteSize its size in bytes, which is not checked
     * @param owner keeps the memory alive, and frees it; no reference is taken
     */
    public DeviceBuffer buffer(CUdeviceptr pointer, long byteSize, ReferenceCounted owner) {
        return buffer(JCudaTypes.address(pointer), byteSize, owner);
    }

    private static void requireCuda(Device device) {
        if (device.type() != DeviceType.CUDA) {
            throw new IllegalArgumentException("CUDA can't use a queue or an event of " + device);
        }
    }
}
