package dev.arrowdevice.internal.abi;

import dev.arrowdevice.internal.binding.Upcalls;
import dev.arrowdevice.internal.diagnostics.Log;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The native addresses of our callbacks: one stub per kind, for the life of the process, because making one costs as
 * much as hundreds of exports and a call of a dead one ends the process. What a call is about is found through
 * {@code private_data}. No exception leaves a callback: that would end the process too.
 */
public final class Stubs {
    /** {@code ArrowArray.release}. */
    public static final long RELEASE_ARRAY = stub("releaseArray", void.class, long.class);
    /** {@code ArrowSchema.release}. */
    public static final long RELEASE_SCHEMA = stub("releaseSchema", void.class, long.class);

    private Stubs() {}

    private static void releaseArray(long array) {
        try {
            Exported.Array exported = Exports.ARRAYS.get(CArray.privateData(array));
            if (exported != null) {
                exported.release(array);
            } else {
                CArray.setRelease(array, 0);
            }
        } catch (Throwable e) {
            report("ArrowArray.release", e);
        }
    }

    private static void releaseSchema(long schema) {
        try {
            SchemaBlock.release(schema);
        } catch (Throwable e) {
            report("ArrowSchema.release", e);
        }
    }

    /** The last resort for an exception that must not leave a callback; it must not throw either. */
    public static void report(String callback, Throwable e) {
        try {
            Log.CALLBACKS.tell("exception in the callback " + callback, e);
        } catch (Throwable ignored) {
            // There is not even memory for the message, and the foreign caller must go on.
        }
    }

    private static long stub(String method, Class<?> result, Class<?>... parameters) {
        return stub(MethodHandles.lookup(), method, result, parameters);
    }

    /** A stub, for ever, of a static method of the class that looks it up. */
    static long stub(MethodHandles.Lookup lookup, String method, Class<?> result, Class<?>... parameters) {
        try {
            MethodHandle target =
                    lookup.findStatic(lookup.lookupClass(), method, MethodType.methodType(result, parameters));
            return Upcalls.addressOf(target);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
