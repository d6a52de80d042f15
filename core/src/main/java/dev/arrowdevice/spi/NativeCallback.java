package dev.arrowdevice.spi;

import dev.arrowdevice.internal.abi.ArrayUpcalls;
import dev.arrowdevice.internal.binding.Upcalls;
import dev.arrowdevice.internal.memory.Platform;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Function pointers for native code to call. */
public final class NativeCallback {
    private NativeCallback() {}

    /**
     * The address of a static method, valid as long as the process. Make one for each kind of callback, in a
     * {@code static final} field, and let the arguments say what a call is about: each takes about a tenth of a
     * millisecond, and memory that is never freed. Native code may call it on any thread.
     *
     * <p>An exception of the method can't pass through native code. It is reported, and the caller gets 0.
     *
     * @param lookup {@code MethodHandles.lookup()} of the class of the method, which may be private
     * @param method its name
     * @param result the type of its result
     * @param parameters the types of its parameters, with the same meaning as those of {@link NativeFunctions}
     * @throws IllegalArgumentException if the class has no such static method, or C has no such types
     * @throws UnsupportedOperationException if this Java is older than 22, or native access is denied to {@code core}
     */
    public static long of(MethodHandles.Lookup lookup, String method, Class<?> result, Class<?>... parameters) {
        Platform.requireNativeAccess("a callback");
        try {
            MethodType type = MethodType.methodType(result, parameters);
            MethodHandle target = lookup.findStatic(lookup.lookupClass(), method, type);
            return Upcalls.addressOf(MethodHandles.catchException(target, Throwable.class, report(method, result)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Reports an exception and returns 0. */
    private static MethodHandle report(String method, Class<?> result) throws ReflectiveOperationException {
        MethodHandle report = MethodHandles.lookup()
                .findStatic(
                        ArrayUpcalls.class, "report", MethodType.methodType(void.class, String.class, Throwable.class))
                .bindTo(method);
        return result == void.class ? report : MethodHandles.filterReturnValue(report, MethodHandles.zero(result));
    }
}
