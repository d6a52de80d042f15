package dev.arrowdevice.abi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The C heap: {@code malloc} and {@code free}. Only touched where {@code java.lang.foreign} exists. */
public final class CHeap {
    // size_t and pointers are 64-bit integers on every platform that the SDK supports.
    private static final MethodHandle MALLOC =
            bind("malloc", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = bind("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    private CHeap() {}

    /**
     * Allocates uninitialised memory.
     *
     * @param byteSize the size in bytes, above 0
     * @return the address, aligned for every C type
     * @throws OutOfMemoryError if the C heap has no room
     */
    public static long allocate(long byteSize) {
        long address;
        try {
            address = (long) MALLOC.invokeExact(byteSize);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        if (address == 0) {
            throw new OutOfMemoryError("malloc of " + byteSize + " bytes failed");
        }
        return address;
    }

    /** Frees what {@link #allocate} returned; exactly once. */
    public static void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
        Linker linker = Linker.nativeLinker();
        MemorySegment symbol = linker.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name));
        return linker.downcallHandle(symbol, descriptor);
    }
}
