package dev.arrowdevice.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The functions that JCuda mishandles, called without it. JCuda allocates more than 2 GiB of pinned memory and then throws
 * it away with an exception; its callbacks need a non-null stream, attach a non-daemon thread for each call, and leak when
 * the driver refuses them; its attributes of addresses are one per call, and an error for an address of somebody else.
 */
final class CudaForeign {
    private final MethodHandle memHostAlloc;
    private final MethodHandle memFreeHost;
    private final MethodHandle streamAddCallback;
    private final @Nullable MethodHandle pointerGetAttributes;

    CudaForeign(SymbolLookup library) {
        memHostAlloc = function(library, "cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT);
        memFreeHost = function(library, "cuMemFreeHost", JAVA_LONG);
        streamAddCallback = function(library, "cuStreamAddCallback", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
        String attributes = "cuPointerGetAttributes";
        pointerGetAttributes = library.find(attributes).isPresent()
                ? function(library, attributes, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG)
                : null;
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(SymbolLookup library, String name, MemoryLayout... parameters) {
        MemorySegment symbol = library.find(name).orElseThrow(() -> new UnsatisfiedLinkError(name));
        return Linker.nativeLinker().downcallHandle(symbol, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    int cuMemHostAlloc(long[] address, long byteSize, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            int code = (int) memHostAlloc.invokeExact(out, byteSize, flags);
            address[0] = out.get(JAVA_LONG, 0);
            return code;
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    int cuMemFreeHost(long address) {
        try {
            return (int) memFreeHost.invokeExact(address);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    int cuStreamAddCallback(long stream, long function, long userData) {
        try {
            return (int) streamAddCallback.invokeExact(stream, function, userData, 0);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    boolean hasPointerAttributes() {
        return pointerGetAttributes != null;
    }

    int cuPointerGetAttributes(long[] values, int[] attributes, long address) {
        MethodHandle function = pointerGetAttributes;
        if (function == null) {
            throw new UnsatisfiedLinkError("cuPointerGetAttributes");
        }
        int count = attributes.length;
        try (Arena arena = Arena.ofConfined()) {
            // Zeroed, because some attributes are written as 32 bits, some as a single byte.
            MemorySegment results = arena.allocate(JAVA_LONG, count);
            MemorySegment pointers = arena.allocate(ADDRESS, count);
            for (int i = 0; i < count; i++) {
                pointers.setAtIndex(ADDRESS, i, results.asSlice(i * JAVA_LONG.byteSize()));
            }
            int code = (int) function.invokeExact(count, arena.allocateFrom(JAVA_INT, attributes), pointers, address);
            for (int i = 0; i < count; i++) {
                values[i] = results.getAtIndex(JAVA_LONG, i);
            }
            return code;
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private static RuntimeException rethrown(Throwable e) {
        if (e instanceof Error) {
            throw (Error) e;
        }
        return e instanceof RuntimeException ? (RuntimeException) e : new IllegalStateException(e);
    }
}
