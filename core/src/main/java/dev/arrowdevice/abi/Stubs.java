package dev.arrowdevice.abi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The native addresses of our callbacks: one stub per kind, for the life of the process, because making one costs as
 * much as hundreds of exports and a call of a dead one ends the process. What a call is about is found through
 * {@code private_data}. No exception leaves a callback: that would end the process too.
 */
public final class Stubs {
    private static final int EIO = 5;

    /** {@code ArrowArray.release}. */
    public static final long RELEASE_ARRAY = stub("releaseArray", void.class, long.class);
    /** {@code ArrowSchema.release}. */
    public static final long RELEASE_SCHEMA = stub("releaseSchema", void.class, long.class);
    /** {@code ArrowArrayStream.get_schema}. */
    public static final long STREAM_GET_SCHEMA = stub("streamGetSchema", int.class, long.class, long.class);
    /** {@code ArrowArrayStream.get_next}. */
    public static final long STREAM_GET_NEXT = stub("streamGetNext", int.class, long.class, long.class);
    /** {@code ArrowArrayStream.get_last_error}. */
    public static final long STREAM_GET_LAST_ERROR = stub("streamGetLastError", long.class, long.class);
    /** {@code ArrowArrayStream.release}. */
    public static final long STREAM_RELEASE = stub("streamRelease", void.class, long.class);
    /** {@code ArrowDeviceArrayStream.get_schema}. */
    public static final long DEVICE_STREAM_GET_SCHEMA =
            stub("deviceStreamGetSchema", int.class, long.class, long.class);
    /** {@code ArrowDeviceArrayStream.get_next}. */
    public static final long DEVICE_STREAM_GET_NEXT = stub("deviceStreamGetNext", int.class, long.class, long.class);
    /** {@code ArrowDeviceArrayStream.get_last_error}. */
    public static final long DEVICE_STREAM_GET_LAST_ERROR = stub("deviceStreamGetLastError", long.class, long.class);
    /** {@code ArrowDeviceArrayStream.release}. */
    public static final long DEVICE_STREAM_RELEASE = stub("deviceStreamRelease", void.class, long.class);

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

    private static int streamGetSchema(long stream, long out) {
        return getSchema(CArrayStream.privateData(stream), out);
    }

    private static int streamGetNext(long stream, long out) {
        return getNext(CArrayStream.privateData(stream), out);
    }

    private static long streamGetLastError(long stream) {
        return getLastError(CArrayStream.privateData(stream));
    }

    private static void streamRelease(long stream) {
        release(CArrayStream.privateData(stream));
        CArrayStream.setRelease(stream, 0);
    }

    private static int deviceStreamGetSchema(long stream, long out) {
        return getSchema(CDeviceArrayStream.privateData(stream), out);
    }

    private static int deviceStreamGetNext(long stream, long out) {
        return getNext(CDeviceArrayStream.privateData(stream), out);
    }

    private static long deviceStreamGetLastError(long stream) {
        return getLastError(CDeviceArrayStream.privateData(stream));
    }

    private static void deviceStreamRelease(long stream) {
        release(CDeviceArrayStream.privateData(stream));
        CDeviceArrayStream.setRelease(stream, 0);
    }

    private static int getSchema(long id, long out) {
        try {
            Exported.Stream exported = Exports.STREAMS.get(id);
            return exported == null ? EIO : exported.getSchema(out);
        } catch (Throwable e) {
            report("get_schema", e);
            return EIO;
        }
    }

    private static int getNext(long id, long out) {
        try {
            Exported.Stream exported = Exports.STREAMS.get(id);
            return exported == null ? EIO : exported.getNext(out);
        } catch (Throwable e) {
            report("get_next", e);
            return EIO;
        }
    }

    private static long getLastError(long id) {
        try {
            Exported.Stream exported = Exports.STREAMS.get(id);
            return exported == null ? 0 : exported.getLastError();
        } catch (Throwable e) {
            report("get_last_error", e);
            return 0;
        }
    }

    private static void release(long id) {
        try {
            Exported.Stream exported = Exports.STREAMS.get(id);
            if (exported != null) {
                exported.release();
            }
        } catch (Throwable e) {
            report("release", e);
        }
    }

    /** The last resort for an exception that must not leave a callback; it must not throw either. */
    @SuppressWarnings("CatchAndPrintStackTrace")
    public static void report(String callback, Throwable e) {
        try {
            System.err.println("arrow-device: exception in the callback " + callback);
            e.printStackTrace();
        } catch (Throwable ignored) {
            // Nothing can be done, and the foreign caller must go on.
        }
    }

    private static long stub(String method, Class<?> result, Class<?>... parameters) {
        return stub(MethodHandles.lookup(), method, result, parameters);
    }

    /** A stub, for ever, of a static method of the class that looks it up. */
    @SuppressWarnings("restricted")
    static long stub(MethodHandles.Lookup lookup, String method, Class<?> result, Class<?>... parameters) {
        try {
            MethodHandle target =
                    lookup.findStatic(lookup.lookupClass(), method, MethodType.methodType(result, parameters));
            ValueLayout[] arguments = new ValueLayout[parameters.length];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = ValueLayout.JAVA_LONG;
                if (parameters[i] == int.class) {
                    arguments[i] = ValueLayout.JAVA_INT;
                }
            }
            FunctionDescriptor descriptor = result == void.class
                    ? FunctionDescriptor.ofVoid(arguments)
                    : FunctionDescriptor.of(
                            result == int.class ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG, arguments);
            return Linker.nativeLinker()
                    .upcallStub(target, descriptor, Arena.global())
                    .address();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
