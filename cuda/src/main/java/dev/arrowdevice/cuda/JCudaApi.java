package dev.arrowdevice.cuda;

import static dev.arrowdevice.cuda.JCudaTypes.context;
import static dev.arrowdevice.cuda.JCudaTypes.device;
import static dev.arrowdevice.cuda.JCudaTypes.event;
import static dev.arrowdevice.cuda.JCudaTypes.pointer;
import static dev.arrowdevice.cuda.JCudaTypes.stream;

import dev.arrowdevice.spi.NativeAllocation;
import dev.arrowdevice.spi.NativeFunctions;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import jcuda.CudaException;
import jcuda.NativePointerObject;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** CUDA's driver API as JCuda calls it, except for the functions of {@link JCudaGaps}. */
final class JCudaApi implements CudaApi {
    private final JCudaGaps gaps;
    private final boolean hasPointerAttributes;
    private final boolean hasStreamOrderedMemory;

    JCudaApi(NativeFunctions<JCudaGaps> gaps, boolean hasStreamOrderedMemory) {
        this.gaps = gaps.getCalls();
        this.hasPointerAttributes = gaps.has("cuPointerGetAttributes");
        this.hasStreamOrderedMemory = hasStreamOrderedMemory;
    }

    /** The result of a call, even if the program has set JCuda, for the whole process, to throw it as an exception. */
    private static int result(IntSupplier call) {
        try {
            return call.getAsInt();
        } catch (CudaException e) {
            return Codes.BY_NAME.getOrDefault(e.getMessage(), CUresult.CUDA_ERROR_UNKNOWN);
        }
    }

    private static int result(NativePointerObject made, long[] out, IntSupplier call) {
        int code = result(call);
        out[0] = JCudaTypes.handle(made);
        return code;
    }

    @Override
    public int cuInit(int flags) {
        return result(() -> JCudaDriver.cuInit(flags));
    }

    @Override
    public int cuDriverGetVersion(int[] version) {
        return result(() -> JCudaDriver.cuDriverGetVersion(version));
    }

    @Override
    public String cuGetErrorName(int code) {
        String[] name = new String[1];
        result(() -> JCudaDriver.cuGetErrorName(code, name));
        return name[0] == null ? "an error that the driver does not know" : name[0];
    }

    @Override
    public String cuGetErrorString(int code) {
        String[] text = new String[1];
        result(() -> JCudaDriver.cuGetErrorString(code, text));
        return text[0] == null ? "no description" : text[0];
    }

    @Override
    public int cuDeviceGetCount(int[] count) {
        return result(() -> JCudaDriver.cuDeviceGetCount(count));
    }

    @Override
    public int cuDeviceGetName(byte[] name, int device) {
        return result(() -> JCudaDriver.cuDeviceGetName(name, name.length, device(device)));
    }

    @Override
    public int cuDeviceGetAttribute(int[] value, int attribute, int device) {
        return result(() -> JCudaDriver.cuDeviceGetAttribute(value, attribute, device(device)));
    }

    @Override
    public int cuDeviceCanAccessPeer(int[] can, int device, int peer) {
        return result(() -> JCudaDriver.cuDeviceCanAccessPeer(can, device(device), device(peer)));
    }

    @Override
    public int cuDevicePrimaryCtxRetain(long[] context, int device) {
        CUcontext made = new CUcontext();
        return result(made, context, () -> JCudaDriver.cuDevicePrimaryCtxRetain(made, device(device)));
    }

    @Override
    public int cuDevicePrimaryCtxRelease(int device) {
        return result(() -> JCudaDriver.cuDevicePrimaryCtxRelease(device(device)));
    }

    @Override
    public int cuCtxPushCurrent(long context) {
        return result(() -> JCudaDriver.cuCtxPushCurrent(context(context)));
    }

    @Override
    public int cuCtxPopCurrent() {
        return result(() -> JCudaDriver.cuCtxPopCurrent(new CUcontext()));
    }

    @Override
    public int cuCtxEnablePeerAccess(long context) {
        return result(() -> JCudaDriver.cuCtxEnablePeerAccess(context(context), 0));
    }

    @Override
    public int cuCtxSynchronize() {
        return result(JCudaDriver::cuCtxSynchronize);
    }

    @Override
    public int cuMemGetInfo(long[] free, long[] total) {
        return result(() -> JCudaDriver.cuMemGetInfo(free, total));
    }

    @Override
    public int cuMemAlloc(long[] address, long byteSize) {
        CUdeviceptr made = new CUdeviceptr();
        return result(made, address, () -> JCudaDriver.cuMemAlloc(made, byteSize));
    }

    @Override
    public int cuMemFree(long address) {
        return result(() -> JCudaDriver.cuMemFree(pointer(address)));
    }

    @Override
    public int cuMemAllocManaged(long[] address, long byteSize, int flags) {
        CUdeviceptr made = new CUdeviceptr();
        return result(made, address, () -> JCudaDriver.cuMemAllocManaged(made, byteSize, flags));
    }

    @Override
    public int cuMemHostAlloc(long[] address, long byteSize, int flags) {
        try (NativeAllocation out = NativeAllocation.allocate(Long.BYTES)) {
            int code = gaps.cuMemHostAlloc(out.getAddress(), byteSize, flags);
            address[0] = out.getLong(0);
            return code;
        }
    }

    @Override
    public int cuMemFreeHost(long address) {
        return gaps.cuMemFreeHost(address);
    }

    @Override
    public boolean hasStreamOrderedMemory() {
        return hasStreamOrderedMemory;
    }

    @Override
    public int cuMemAllocAsync(long[] address, long byteSize, long stream) {
        CUdeviceptr made = new CUdeviceptr();
        return result(made, address, () -> JCudaDriver.cuMemAllocAsync(made, byteSize, stream(stream)));
    }

    @Override
    public int cuMemFreeAsync(long address, long stream) {
        return result(() -> JCudaDriver.cuMemFreeAsync(pointer(address), stream(stream)));
    }

    @Override
    public boolean hasPointerAttributes() {
        return hasPointerAttributes;
    }

    @Override
    public int cuPointerGetAttributes(long[] values, int[] attributes, long address) {
        // All zeros at first, because the driver writes some attributes as 32 bits and some as one byte.
        try (NativeAllocation results = NativeAllocation.ofLongs(new long[values.length]);
                NativeAllocation names = NativeAllocation.ofInts(attributes);
                NativeAllocation pointers = NativeAllocation.allocate((long) values.length * Long.BYTES)) {
            for (int i = 0; i < values.length; i++) {
                pointers.putLong((long) i * Long.BYTES, results.getAddress() + (long) i * Long.BYTES);
            }
            int code =
                    gaps.cuPointerGetAttributes(attributes.length, names.getAddress(), pointers.getAddress(), address);
            for (int i = 0; i < values.length; i++) {
                values[i] = results.getLong((long) i * Long.BYTES);
            }
            return code;
        }
    }

    @Override
    public int cuMemGetAddressRange(long[] start, long[] byteSize, long address) {
        CUdeviceptr found = new CUdeviceptr();
        return result(found, start, () -> JCudaDriver.cuMemGetAddressRange(found, byteSize, pointer(address)));
    }

    @Override
    public int cuMemcpyAsync(long target, long source, long byteSize, long stream) {
        return result(() -> JCudaDriver.cuMemcpyAsync(pointer(target), pointer(source), byteSize, stream(stream)));
    }

    @Override
    public int cuMemcpyHtoDAsync(long target, long source, long byteSize, long stream) {
        return result(() -> JCudaDriver.cuMemcpyHtoDAsync(pointer(target), pointer(source), byteSize, stream(stream)));
    }

    @Override
    public int cuMemcpyDtoHAsync(long target, long source, long byteSize, long stream) {
        return result(() -> JCudaDriver.cuMemcpyDtoHAsync(pointer(target), pointer(source), byteSize, stream(stream)));
    }

    @Override
    public int cuMemcpyPeerAsync(
            long target, long targetContext, long source, long sourceContext, long byteSize, long stream) {
        return result(() -> JCudaDriver.cuMemcpyPeerAsync(
                pointer(target),
                context(targetContext),
                pointer(source),
                context(sourceContext),
                byteSize,
                stream(stream)));
    }

    @Override
    public int cuStreamCreate(long[] stream, int flags) {
        CUstream made = new CUstream();
        return result(made, stream, () -> JCudaDriver.cuStreamCreate(made, flags));
    }

    @Override
    public int cuStreamDestroy(long stream) {
        return result(() -> JCudaDriver.cuStreamDestroy(stream(stream)));
    }

    @Override
    public int cuStreamGetCtx(long stream, long[] context) {
        CUcontext found = new CUcontext();
        return result(found, context, () -> JCudaDriver.cuStreamGetCtx(stream(stream), found));
    }

    @Override
    public int cuStreamSynchronize(long stream) {
        return result(() -> JCudaDriver.cuStreamSynchronize(stream(stream)));
    }

    @Override
    public int cuStreamWaitEvent(long stream, long event) {
        return result(() -> JCudaDriver.cuStreamWaitEvent(stream(stream), event(event), 0));
    }

    @Override
    public int cuEventCreate(long[] event, int flags) {
        CUevent made = new CUevent();
        return result(made, event, () -> JCudaDriver.cuEventCreate(made, flags));
    }

    @Override
    public int cuEventDestroy(long event) {
        return result(() -> JCudaDriver.cuEventDestroy(event(event)));
    }

    @Override
    public int cuEventRecord(long event, long stream) {
        return result(() -> JCudaDriver.cuEventRecord(event(event), stream(stream)));
    }

    @Override
    public int cuEventQuery(long event) {
        return result(() -> JCudaDriver.cuEventQuery(event(event)));
    }

    @Override
    public int cuEventSynchronize(long event) {
        return result(() -> JCudaDriver.cuEventSynchronize(event(event)));
    }

    /** The codes of results by name, because a {@link CudaException} has only the name. */
    private static final class Codes {
        static final Map<String, Integer> BY_NAME = new HashMap<>();

        static {
            try {
                for (Field field : CUresult.class.getFields()) {
                    if (field.getType() == int.class) {
                        int code = field.getInt(null);
                        BY_NAME.put(CUresult.stringFor(code), code);
                    }
                }
            } catch (IllegalAccessException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }
}
