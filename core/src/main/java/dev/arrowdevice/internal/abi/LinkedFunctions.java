package dev.arrowdevice.internal.abi;

import dev.arrowdevice.internal.binding.Upcalls;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Links the functions of this module's own: those that it calls, and those that native code calls. Keeps the types of
 * what was linked so far, because GraalVM has to know them all when it builds a native image: the file
 * {@code reachability-metadata.json} names the same, and a test compares the two.
 */
final class LinkedFunctions {
    static final Set<MethodType> DOWNCALLS = ConcurrentHashMap.newKeySet();
    static final Set<MethodType> CRITICAL_DOWNCALLS = ConcurrentHashMap.newKeySet();
    static final Set<MethodType> UPCALLS = ConcurrentHashMap.newKeySet();

    private static final Linker.Option CRITICAL = Linker.Option.critical(false);

    private LinkedFunctions() {}

    /** Calls a function of the C library. */
    @SuppressWarnings("restricted")
    static MethodHandle downcall(MemorySegment function, FunctionDescriptor type) {
        DOWNCALLS.add(type.toMethodType());
        return Linker.nativeLinker().downcallHandle(function, type);
    }

    /** Calls a function of the C library that ends in a few nanoseconds, for which the virtual machine waits. */
    @SuppressWarnings("restricted")
    static MethodHandle criticalDowncall(MemorySegment function, FunctionDescriptor type) {
        CRITICAL_DOWNCALLS.add(type.toMethodType());
        return Linker.nativeLinker().downcallHandle(function, type, CRITICAL);
    }

    /** Calls the function whose address is the first argument, a segment. */
    @SuppressWarnings("restricted")
    static MethodHandle downcall(FunctionDescriptor type) {
        DOWNCALLS.add(type.toMethodType());
        return Linker.nativeLinker().downcallHandle(type);
    }

    /** The address at which native code calls a function of ours. */
    static long upcall(MethodHandle target) {
        UPCALLS.add(target.type());
        return Upcalls.addressOf(target);
    }
}
