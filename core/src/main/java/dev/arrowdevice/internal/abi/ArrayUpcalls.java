package dev.arrowdevice.internal.abi;

import dev.arrowdevice.internal.diagnostics.Log;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The native addresses of our callbacks. There is one stub per kind of callback, which lives as long as the process,
 * because making one costs as much as hundreds of exports, and calling one that was freed crashes the process.
 * {@code private_data} says which object a call is for. An exception must not leave a callback, because that would
 * crash the process too.
 */
public final class ArrayUpcalls {
    /** {@code ArrowArray.release}. */
    public static final long RELEASE_ARRAY = stub("releaseArray", void.class, long.class);
    /** {@code ArrowSchema.release}. */
    public static final long RELEASE_SCHEMA = stub("releaseSchema", void.class, long.class);

    private ArrayUpcalls() {}

    private static void releaseArray(long array) {
        try {
            Exported.Array exported = OutstandingExports.ARRAYS.get(CArray.privateData(array));
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
            SchemaMemory.release(schema);
        } catch (Throwable e) {
            report("ArrowSchema.release", e);
        }
    }

    /** Reports an exception that must not leave a callback. Must not throw either. */
    public static void report(String callback, Throwable e) {
        try {
            Log.CALLBACKS.report("exception in the callback " + callback, e);
        } catch (Throwable ignored) {
            // There is no memory left for the message, and the foreign caller must continue.
        }
    }

    private static long stub(String method, Class<?> result, Class<?>... parameters) {
        return stub(MethodHandles.lookup(), method, result, parameters);
    }

    /** Makes a stub of a static method of the class that looks it up. It lives as long as the process. */
    static long stub(MethodHandles.Lookup lookup, String method, Class<?> result, Class<?>... parameters) {
        try {
            MethodHandle target =
                    lookup.findStatic(lookup.lookupClass(), method, MethodType.methodType(result, parameters));
            return LinkedFunctions.upcall(target);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
