package dev.arrowdevice.samples.duckdb;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The table function {@code arrow_c_stream(id)} that reads a {@link ScannedStream}, and one running scan of it.
 *
 * <p>DuckDB calls back on its own threads: <em>bind</em> while it plans a statement (declare the columns),
 * <em>init</em> when the statement starts (take the stream), <em>exec</em> again and again (hand out up to one vector
 * of rows by reference; none at the end), <em>destroy</em> when the scan is over, however it ended. DuckDB runs one
 * scan on one thread at a time. The functions that it calls never throw: an exception that left one would end the JVM.
 */
final class StreamScan {
    private static final String NAME = "arrow_c_stream";
    private static final int UBIGINT = 31;
    private static final int STANDARD_PARAMETER = 1;
    private static final int ERROR_API = 1;
    private static final long NONE = 0;

    private static final ConcurrentMap<Long, StreamScan> RUNNING = new ConcurrentHashMap<>();
    private static final AtomicLong LAST_ID = new AtomicLong();

    private final ScannedStream source;
    private final long stream;
    private long importer;
    private boolean ended;

    private StreamScan(ScannedStream source) {
        this.source = source;
        this.stream = source.take();
    }

    /** The SQL that reads a stream. */
    static String call(ScannedStream stream) {
        return NAME + "(" + stream.id() + ")";
    }

    /** Makes the table function known to the database of a connection. */
    static void register(long connection) {
        long factory = DuckDb.out(out -> DuckDbFunction.CONNECTION_GET_FACTORY.call(connection, out));
        long function = DuckDb.out(out -> DuckDbFunction.TABLE_FUNCTION_CREATE.call(factory, out));
        long type = NONE;
        try (Arena arena = Arena.ofConfined()) {
            type = DuckDb.out(
                    out -> DuckDbFunction.FACTORY_CREATE_TYPE_FROM_ID.call(factory, UBIGINT, NONE, NONE, 0, out));
            long signature = DuckDb.out(out -> DuckDbFunction.TABLE_FUNCTION_GET_SIGNATURE.call(function, out));
            DuckDbFunction.FUNCTION_SIGNATURE_ADD_PARAMETER.call(
                    signature, NativeText.view(arena, "id"), type, NONE, STANDARD_PARAMETER);
            DuckDbFunction.TABLE_FUNCTION_SET_NAME.call(function, NativeText.view(arena, NAME));
            DuckDbFunction.TABLE_FUNCTION_SET_BIND_CALLBACK.call(function, Stubs.BIND);
            DuckDbFunction.TABLE_FUNCTION_SET_INIT_GLOBAL_CALLBACK.call(function, Stubs.INIT);
            DuckDbFunction.TABLE_FUNCTION_SET_EXEC_CALLBACK.call(function, Stubs.EXEC);
            DuckDbFunction.CONNECTION_REGISTER_TABLE_FUNCTION.call(connection, function);
        } finally {
            DuckDbFunction.LOGICAL_TYPE_DESTROY.destroy(type);
            DuckDbFunction.TABLE_FUNCTION_DESTROY.destroy(function);
        }
    }

    /**
     * {@code duckdb_v2_table_function_bind_callback_fn}: declares the stream's columns and keeps its id as bind data.
     */
    private static void bind(long info, long tableInfo, long context, long error) {
        guarded(error, () -> {
            long value = DuckDb.out(out -> DuckDbFunction.FUNCTION_BIND_GET_ARG_VALUE.call(info, 0, out));
            long id;
            try {
                id = DuckDb.out(out -> DuckDbFunction.VALUE_GET_UBIGINT.call(value, out));
            } finally {
                DuckDbFunction.VALUE_DESTROY.destroy(value);
            }
            declareColumns(tableInfo, context, ScannedStream.find(id).schema());
            try (Arena arena = Arena.ofConfined()) {
                DuckDbFunction.FUNCTION_BIND_SET_BIND_DATA.call(info, opaque(arena, id, NONE));
            }
        });
    }

    private static void declareColumns(long tableInfo, long context, long arrowSchema) {
        long importer = DuckDb.out(out -> DuckDbFunction.ARROW_IMPORTER_CREATE.call(context, arrowSchema, 0, out));
        long schema = NONE;
        try (Arena arena = Arena.ofConfined()) {
            schema = DuckDb.out(out -> DuckDbFunction.ARROW_IMPORTER_GET_SCHEMA.call(importer, out));
            long columns = count(DuckDbFunction.SCHEMA_GET_COUNT, schema);
            long name = NativeText.emptyView(arena).address();
            for (long i = 0; i < columns; i++) {
                long type = field(schema, i, name);
                DuckDbFunction.TABLE_FUNCTION_BIND_ADD_RESULT_COLUMN.call(tableInfo, name, type);
            }
        } finally {
            DuckDbFunction.SCHEMA_DESTROY.destroy(schema);
            DuckDbFunction.ARROW_IMPORTER_DESTROY.destroy(importer);
        }
    }

    private static long field(long schema, long index, long name) {
        return DuckDb.out(type -> DuckDbFunction.SCHEMA_GET_FIELD.call(schema, index, name, type));
    }

    /** {@code duckdb_v2_table_function_init_global_callback_fn}: a scan begins. */
    private static void init(long info, long context, long error) {
        guarded(error, () -> {
            long source = DuckDb.out(out -> DuckDbFunction.TABLE_FUNCTION_INIT_GLOBAL_GET_BIND_DATA.call(info, out));
            long id = LAST_ID.incrementAndGet();
            RUNNING.put(id, new StreamScan(ScannedStream.find(source)));
            try (Arena arena = Arena.ofConfined()) {
                DuckDbFunction.TABLE_FUNCTION_INIT_GLOBAL_SET_GLOBAL_STATE.call(info, opaque(arena, id, Stubs.DESTROY));
            } catch (RuntimeException | Error e) {
                destroy(id);
                throw e;
            }
        });
    }

    /** {@code duckdb_v2_table_function_exec_callback_fn}: the next rows. */
    private static void exec(long info, long context, long error) {
        guarded(error, () -> {
            long id = DuckDb.out(out -> DuckDbFunction.TABLE_FUNCTION_EXEC_GET_GLOBAL_STATE.call(info, out));
            long output = DuckDb.out(out -> DuckDbFunction.TABLE_FUNCTION_EXEC_GET_OUTPUT_CHUNK.call(info, out));
            RUNNING.get(id).next(output, context);
        });
    }

    /** {@code duckdb_v2_opaque_destroy_fn} of the scan's state. */
    private static void destroy(long id) {
        StreamScan scan = RUNNING.remove(id);
        guarded(NONE, () -> {
            try {
                DuckDbFunction.ARROW_IMPORTER_DESTROY.destroy(scan.importer);
            } finally {
                scan.source.finish();
            }
        });
    }

    private void next(long output, long context) {
        if (importer == NONE) {
            // The handle of the context is good for this callback only; what the importer keeps is the context itself.
            // Chunks of a vector's size at most: a longer one would not fit the output.
            long rows = count(DuckDbFunction.DATA_CHUNK_GET_CAPACITY, output);
            importer =
                    DuckDb.out(out -> DuckDbFunction.ARROW_IMPORTER_CREATE.call(context, source.schema(), rows, out));
        }
        while (!ended) {
            long chunk = DuckDb.out(out -> DuckDbFunction.ARROW_IMPORTER_NEXT_CHUNK.call(importer, out));
            if (chunk == NONE) {
                appendNextArray();
                continue;
            }
            try {
                reference(chunk, output);
                return;
            } finally {
                DuckDbFunction.DATA_CHUNK_DESTROY.destroy(chunk);
            }
        }
    }

    /** Gives the importer the next array of the stream, which it owns from then on. */
    private void appendNextArray() {
        try (Arena arena = Arena.ofConfined()) {
            long array = arena.allocate(ArrowStream.ARRAY_SIZE, 8).address();
            ArrowStream.getNext(stream, array);
            if (ArrowStream.isArrayReleased(array)) {
                ended = true;
                ArrowStream.release(stream);
                return;
            }
            try {
                // consume: its chunks refer to the array's buffers. flush: a short last chunk is not held back to be
                // copied.
                DuckDbFunction.ARROW_IMPORTER_APPEND.call(importer, array, 1, 1);
            } finally {
                ArrowStream.releaseArray(array);
            }
        }
    }

    /** Points the output's vectors to those of the chunk; they keep the Arrow array alive. */
    private static void reference(long chunk, long output) {
        long columns = count(DuckDbFunction.DATA_CHUNK_GET_VECTOR_COUNT, output);
        for (long i = 0; i < columns; i++) {
            DuckDbFunction.VECTOR_REFERENCE.call(vector(output, i), vector(chunk, i));
        }
        DuckDbFunction.VECTOR_SET_SIZE.call(vector(output, 0), count(DuckDbFunction.DATA_CHUNK_GET_SIZE, chunk));
    }

    private static long vector(long chunk, long index) {
        return DuckDb.out(out -> DuckDbFunction.DATA_CHUNK_GET_VECTOR.call(chunk, index, out));
    }

    private static long count(DuckDbFunction function, long handle) {
        return DuckDb.out(out -> function.call(handle, out));
    }

    /**
     * {@code struct duckdb_v2_opaque}: a value that DuckDB keeps for us, and the function that it calls when it drops
     * it.
     */
    private static long opaque(Arena arena, long value, long destroy) {
        return arena.allocateFrom(ValueLayout.JAVA_LONG, value, destroy, NONE).address();
    }

    /** Runs a callback's body; what it throws becomes the error of the statement. */
    private static void guarded(long errorSlot, Runnable body) {
        try {
            body.run();
        } catch (Throwable e) {
            report(errorSlot, e);
        }
    }

    private static void report(long errorSlot, Throwable problem) {
        if (errorSlot == NONE) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            String message = problem.getMessage() == null ? problem.toString() : problem.getMessage();
            long info = Stubs.pointer(errorSlot);
            DuckDbFunction.ERROR_INFO_SET_CODE.call(info, ERROR_API);
            DuckDbFunction.ERROR_INFO_SET_TEXT.call(info, NativeText.view(arena, message));
        } catch (Throwable unreportable) {
            problem.addSuppressed(unreportable);
        }
    }

    /** The addresses that DuckDB calls, one for each kind, for the life of the process. */
    private static final class Stubs {
        static final long BIND = stub("bind", 4);
        static final long INIT = stub("init", 3);
        static final long EXEC = stub("exec", 3);
        static final long DESTROY = stub("destroy", 1);

        @SuppressWarnings("restricted") // upcalls
        private static long stub(String method, int parameters) {
            ValueLayout.OfLong[] pointers = new ValueLayout.OfLong[parameters];
            Arrays.fill(pointers, ValueLayout.JAVA_LONG);
            FunctionDescriptor signature = FunctionDescriptor.ofVoid(pointers);
            MethodType type = signature.toMethodType();
            try {
                return Linker.nativeLinker()
                        .upcallStub(
                                MethodHandles.lookup().findStatic(StreamScan.class, method, type),
                                signature,
                                Arena.global())
                        .address();
            } catch (NoSuchMethodException | IllegalAccessException e) {
                throw new AssertionError(method, e);
            }
        }

        @SuppressWarnings("restricted") // DuckDB's slot holds one pointer
        static long pointer(long address) {
            return MemorySegment.ofAddress(address).reinterpret(Long.BYTES).get(ValueLayout.JAVA_LONG, 0);
        }
    }
}
