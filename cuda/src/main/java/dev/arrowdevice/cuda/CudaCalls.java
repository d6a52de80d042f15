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
                : new DeviceException(device, function, code, text);
    }
}
