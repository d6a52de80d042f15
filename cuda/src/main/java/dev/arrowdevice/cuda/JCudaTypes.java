package dev.arrowdevice.cuda;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;

/** Makes and reads JCuda's objects for native handles, which JCuda allows its own package only. */
final class JCudaTypes {
    private static final VarHandle NATIVE_POINTER = field(NativePointerObject.class, "nativePointer");
    private static final VarHandle BYTE_OFFSET = field(Pointer.class, "byteOffset");

    private JCudaTypes() {}

    static CUdevice device(int ordinal) {
        return with(new CUdevice(), ordinal);
    }

    static CUcontext context(long handle) {
        return with(new CUcontext(), handle);
    }

    static CUstream stream(long handle) {
        return with(new CUstream(), handle);
    }

    static CUevent event(long handle) {
        return with(new CUevent(), handle);
    }

    /** Not made as an offset from NULL, because {@code CUdeviceptr.equals} ignores the offset. */
    static CUdeviceptr pointer(long address) {
        return with(new CUdeviceptr(), address);
    }

    /** The native handle. For a pointer, its offset is not added. */
    static long handle(NativePointerObject object) {
        return (long) NATIVE_POINTER.get(object);
    }

    static long address(CUdeviceptr pointer) {
        return handle(pointer) + (long) BYTE_OFFSET.get((Pointer) pointer);
    }

    private static <T extends NativePointerObject> T with(T object, long handle) {
        NATIVE_POINTER.set((NativePointerObject) object, handle);
        return object;
    }

    private static VarHandle field(Class<?> type, String name) {
        try {
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup()).findVarHandle(type, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("JCuda is not the version that this was built with: " + e.getMessage(), e);
        }
    }
}
