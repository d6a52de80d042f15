package dev.arrowdevice.cuda;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.OutOfDeviceMemoryException;
import java.util.function.IntSupplier;
import jcuda.driver.CUresult;

/**
 * Calls of CUDA's driver API for one GPU. They need a current context in the calling thread; a failure becomes an
 * exception. The context is the GPU's primary one, which the CUDA runtime and most libraries use too. It is retained by
 * the first call that needs it. It is current during each call only: afterwards the program's own context is current
 * again.
 */
final class CudaCalls {
    private static final int SUCCESS = 0;

    // Codes that JCuda has no name for.
    private static final int CONTAINED = 226;
    private static final int TENSOR_MEMORY_LEAK = 721;

    private final CudaLibrary library;
    private final CudaApi api;
    private final Device device;
    private final int ordinal;
    private volatile long primaryContext;

    CudaCalls(CudaLibrary library, Device device) {
        this.library = library;
        this.api = library.api;
        this.device = device;
        this.ordinal = (int) device.id();
    }

    /** Makes a call with the primary context current in the thread. */
    void run(String function, IntSupplier call) {
        check(function, inContext(call));
    }

    /** Makes a call with the primary context current in the thread, and returns its result. */
    int inContext(IntSupplier call) {
        return inContext(primaryContext(), call);
    }

    /** Makes a call with another context current in the thread, and returns its result. */
    int inContext(long context, IntSupplier call) {
        check("cuCtxPushCurrent", api.cuCtxPushCurrent(context));
        try {
            return call.getAsInt();
        } finally {
            // Not checked: it may return the failure of earlier work, which the call that waits for that work reports.
            api.cuCtxPopCurrent();
        }
    }

    /** Makes the primary context current until {@link #popContext}. */
    void pushContext() {
        check("cuCtxPushCurrent", api.cuCtxPushCurrent(primaryContext()));
    }

    void popContext() {
        check("cuCtxPopCurrent", api.cuCtxPopCurrent());
    }

    /** The primary context, retained until {@link #close}. */
    long primaryContext() {
        long known = primaryContext;
        return known != 0 ? known : retainPrimaryContext();
    }

    private synchronized long retainPrimaryContext() {
        if (primaryContext == 0) {
            long[] context = new long[1];
            check("cuDevicePrimaryCtxRetain", api.cuDevicePrimaryCtxRetain(context, ordinal));
            primaryContext = context[0];
        }
        return primaryContext;
    }

    /** Releases the primary context. */
    synchronized void close() {
        if (primaryContext != 0) {
            primaryContext = 0;
            check("cuDevicePrimaryCtxRelease", api.cuDevicePrimaryCtxRelease(ordinal));
        }
    }

    void check(String function, int code) {
        if (code != SUCCESS) {
            throw failure(function, code);
        }
    }

    DeviceException failure(String function, int code) {
        String text = library.errorText(code);
        return code == CUresult.CUDA_ERROR_OUT_OF_MEMORY
                ? new OutOfDeviceMemoryException(device, function, code, text)
                : new DeviceException(device, function, code, text, isOfWork(code));
    }

    /**
     * Whether a code says that queued work has failed: the codes of errors of the device, after which CUDA does no more
     * work. After all others the work may go on: after refusals, after {@code CUDA_ERROR_UNKNOWN}, after
     * {@code CUDA_ERROR_DEINITIALIZED} of a driver that shuts down, and after {@code CUDA_ERROR_CONTEXT_IS_DESTROYED},
     * which is about the thread's context and not about the one of the work.
     */
    static boolean isOfWork(int code) {
        switch (code) {
            case CUresult.CUDA_ERROR_ECC_UNCORRECTABLE:
            case CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE:
            case CONTAINED:
            case CUresult.CUDA_ERROR_ILLEGAL_ADDRESS:
            case CUresult.CUDA_ERROR_LAUNCH_TIMEOUT:
            case CUresult.CUDA_ERROR_ASSERT:
            case CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR:
            case CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION:
            case CUresult.CUDA_ERROR_MISALIGNED_ADDRESS:
            case CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE:
            case CUresult.CUDA_ERROR_INVALID_PC:
            case CUresult.CUDA_ERROR_LAUNCH_FAILED:
            case TENSOR_MEMORY_LEAK:
            case CUresult.CUDA_ERROR_MPS_CLIENT_TERMINATED:
            case CUresult.CUDA_ERROR_EXTERNAL_DEVICE:
                return true;
            default:
                return false;
        }
    }
}
