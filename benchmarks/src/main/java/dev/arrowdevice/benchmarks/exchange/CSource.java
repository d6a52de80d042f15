package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import java.lang.invoke.MethodHandle;

/** A producer in C that hands out exports of one array, and the consumer beside it. See {@code c_exchange.c}. */
final class CSource implements AutoCloseable {
    private static final MethodHandle OPEN = CFunctions.function("c_source", 1);
    private static final MethodHandle CLOSE = CFunctions.function("c_source_close", 1);
    private static final MethodHandle EXPORT = CFunctions.action("c_export", 2);
    private static final MethodHandle EXPORT_ALL = CFunctions.action("c_export_all", 3);
    private static final MethodHandle CONSUME = CFunctions.function("c_consume", 1);
    private static final MethodHandle RELEASE_ALL = CFunctions.action("c_release_all", 2);
    private static final MethodHandle EXCHANGE = CFunctions.function("c_exchange", 2);

    private static final MethodHandle STREAM = CFunctions.action("c_stream", 3);
    private static final MethodHandle SEND = CFunctions.action("c_send", 3);

    private final long address;

    private CSource(long address) {
        this.address = address;
    }

    /** Moves an array into the hands of C. */
    static CSource of(DeviceArray array) {
        try (CArrayStruct struct = CStruct.array()) {
            ArrowExport.exportArray(array, struct);
            return new CSource((long) OPEN.invokeExact(struct.getAddress()));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Fills an {@code ArrowArray}. */
    void export(long array) {
        try {
            EXPORT.invokeExact(address, array);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Fills many in a row. */
    void exportAll(Slots arrays, int count) {
        try {
            EXPORT_ALL.invokeExact(address, arrays.address(), (long) count);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Fills an {@code ArrowArrayStream} that gives so many exports; the array must be a struct of one int32. */
    void stream(int batches, long stream) {
        try {
            STREAM.invokeExact(address, (long) batches, stream);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Sends so many exports to an {@code ArrowAsyncDeviceStreamHandler}; the array must be a struct of one int32. */
    void send(int batches, long handler) {
        try {
            SEND.invokeExact(address, (long) batches, handler);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Takes an {@code ArrowArray} as an importer does and releases it; answers a number made of all members it has seen. */
    static long consume(long array) {
        try {
            return (long) CONSUME.invokeExact(array);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Releases many in a row. */
    static void releaseAll(Slots arrays, int count) {
        try {
            RELEASE_ALL.invokeExact(arrays.address(), (long) count);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** So many times {@link #export} and {@link #consume}, in a loop in C; answers the sum of what was seen. */
    long exchange(int count) {
        try {
            return (long) EXCHANGE.invokeExact(address, (long) count);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Releases the array.
     *
     * @throws AssertionError if exports of it were not released
     */
    @Override
    public void close() {
        try {
            long unreleased = (long) CLOSE.invokeExact(address);
            if (unreleased != 0) {
                throw new AssertionError("not released: " + unreleased + " exports of C");
            }
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error) {
            throw (Error) thrown;
        }
        return thrown instanceof RuntimeException ? (RuntimeException) thrown : new IllegalStateException(thrown);
    }
}
