package dev.arrowdevice.internal.binding;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/**
 * Handles that call native functions. The Java types of a handle determine the C types: {@code long} is a pointer, a
 * {@code size_t} or 64 bits, {@code int} is 32 bits, and so on; {@code boolean} is C's {@code bool}.
 */
public final class Downcalls {
    private static final MethodHandle SEGMENT_AT = method(MemorySegment.class, "ofAddress", MemorySegment.class);
    private static final MethodHandle ALLOCATOR_AT = method(Downcalls.class, "allocatorAt", SegmentAllocator.class);

    private Downcalls() {}

    /** Calls the function at an address. */
    @SuppressWarnings("restricted") // a call of a native function: what the flag --enable-native-access is for
    public static MethodHandle at(long address, MethodType type) {
        return Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(address), descriptor(type));
    }

    /**
     * Calls the function at an address, which returns a struct of longs by value. The first argument is the address that
     * the struct is written to.
     */
    @SuppressWarnings("restricted") // a call of a native function: what the flag --enable-native-access is for
    public static MethodHandle structAt(long address, MethodType type, int longs) {
        if (type.returnType() != void.class || type.parameterCount() == 0 || type.parameterType(0) != long.class) {
            throw new IllegalArgumentException(
                    "a struct is written to the address that the first parameter, a long, says; the result is void");
        }
        MemoryLayout[] members = new MemoryLayout[longs];
        Arrays.fill(members, ValueLayout.JAVA_LONG);
        FunctionDescriptor descriptor =
                descriptor(type.dropParameterTypes(0, 1)).changeReturnLayout(MemoryLayout.structLayout(members));
        MethodHandle handle = Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(address), descriptor);
        return MethodHandles.filterArguments(handle, 0, ALLOCATOR_AT).asType(type);
    }

    /** Calls the function whose address is the first argument. */
    @SuppressWarnings("restricted") // a call of a native function: what the flag --enable-native-access is for
    public static MethodHandle byAddress(MethodType type) {
        MethodHandle handle = Linker.nativeLinker().downcallHandle(descriptor(type));
        return MethodHandles.filterArguments(handle, 0, SEGMENT_AT);
    }

    static FunctionDescriptor descriptor(MethodType type) {
        MemoryLayout[] parameters =
                type.parameterList().stream().map(Downcalls::layout).toArray(MemoryLayout[]::new);
        return type.returnType() == void.class
                ? FunctionDescriptor.ofVoid(parameters)
                : FunctionDescriptor.of(layout(type.returnType()), parameters);
    }

    private static ValueLayout layout(Class<?> type) {
        if (type == long.class) {
            return ValueLayout.JAVA_LONG;
        } else if (type == int.class) {
            return ValueLayout.JAVA_INT;
        } else if (type == boolean.class) {
            return ValueLayout.JAVA_BOOLEAN;
        } else if (type == byte.class) {
            return ValueLayout.JAVA_BYTE;
        } else if (type == short.class) {
            return ValueLayout.JAVA_SHORT;
        } else if (type == float.class) {
            return ValueLayout.JAVA_FLOAT;
        } else if (type == double.class) {
            return ValueLayout.JAVA_DOUBLE;
        }
        throw new IllegalArgumentException("a native function can't take or return " + type.getName()
                + ": only long, int, short, byte, boolean, float and double, and void as a result");
    }

    private static MethodHandle method(Class<?> type, String name, Class<?> result) {
        try {
            return MethodHandles.lookup().findStatic(type, name, MethodType.methodType(result, long.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Has room for one struct, at an address. */
    @SuppressWarnings("restricted") // the caller's memory, as big as the struct
    private static SegmentAllocator allocatorAt(long address) {
        return (byteSize, alignment) -> MemorySegment.ofAddress(address).reinterpret(byteSize);
    }
}
