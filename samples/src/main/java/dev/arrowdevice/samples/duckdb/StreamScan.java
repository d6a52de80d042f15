package dev.arrowdevice.samples.duckdb;

import dev.arrowdevice.spi.NativeAllocation;
import dev.arrowdevice.spi.NativeCallback;
import dev.arrowdevice.spi.NativeMemory;
import java.lang.invoke.MethodHandles;
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
        long factory =
                DuckDbCalls.out((api, out, error) -> api.duckdb_v2_connection_get_factory(connection, out, error));
        long function = DuckDbCalls.out((api, out, error) -> api.duckdb_v2_table_function_create(factory, out, error));
        long type = DuckDbCalls.out((api, out, error) ->
                api.duckdb_v2_factory_create_type_from_id(factory, UBIGINT, NONE, NONE, 0, out, error));
        try (NativeText parameter = new NativeText("id");
                NativeText name = new NativeText(NAME)) {
            long signature = DuckDbCalls.out(
                    (api, out, error) -> api.duckdb_v2_table_function_get_signature(function, out, error));
            DuckDbCalls.run((api, error) -> api.duckdb_v2_function_signature_add_parameter(
                    signature, parameter.view(), type, NONE, STANDARD_PARAMETER, error));
            DuckDbCalls.run((api, error) -> api.duckdb_v2_table_function_set_name(function, name.view(), error));
            DuckDbCalls.run(
                    (api, error) -> api.duckdb_v2_table_function_set_bind_callback(function, Stubs.BIND, error));
            DuckDbCalls.run(
                    (api, error) -> api.duckdb_v2_table_function_set_init_global_callback(function, Stubs.INIT, error));
            DuckDbCalls.run(
                    (api, error) -> api.duckdb_v2_table_function_set_exec_callback(function, Stubs.EXEC, error));
            DuckDbCalls.run(
                    (api, error) -> api.duckdb_v2_connection_register_table_function(connection, function, error));
        } finally {
            DuckDbCalls.destroy(type, DuckDbApi::duckdb_v2_logical_type_destroy);
            DuckDbCalls.destroy(function, DuckDbApi::duckdb_v2_table_function_destroy);
        }
    }

    /**
     * {@code duckdb_v2_table_function_bind_callback_fn}: declares the stream's columns and keeps its id as bind data.
     */
    private static void bind(long info, long tableInfo, long context, long errorSlot) {
        guarded(errorSlot, () -> {
            long value = DuckDbCalls.out(
                    (api, out, error) -> api.duckdb_v2_function_bind_get_arg_value(info, 0, out, error));
            long id;
            try {
                id = DuckDbCalls.out((api, out, error) -> api.duckdb_v2_value_get_ubigint(value, out, error));
            } finally {
                DuckDbCalls.destroy(value, DuckDbApi::duckdb_v2_value_destroy);
            }
            declareColumns(tableInfo, context, ScannedStream.find(id).schema());
            try (NativeAllocation data = opaque(id, NONE)) {
                DuckDbCalls.run(
                        (api, error) -> api.duckdb_v2_function_bind_set_bind_data(info, data.getAddress(), error));
            }
        });
    }

    private static void declareColumns(long tableInfo, long context, long arrowSchema) {
        long importer = DuckDbCalls.out(
                (api, out, error) -> api.duckdb_v2_arrow_importer_create(context, arrowSchema, 0, out, error));
        long schema = NONE;
        try (NativeAllocation name = NativeText.emptyView()) {
            schema =
                    DuckDbCalls.out((api, out, error) -> api.duckdb_v2_arrow_importer_get_schema(importer, out, error));
            long columns = count(DuckDbApi::duckdb_v2_schema_get_count, schema);
            for (long i = 0; i < columns; i++) {
                long type = field(schema, i, name.getAddress());
                DuckDbCalls.run((api, error) ->
                        api.duckdb_v2_table_function_bind_add_result_column(tableInfo, name.getAddress(), type, error));
            }
        } finally {
            DuckDbCalls.destroy(schema, DuckDbApi::duckdb_v2_schema_destroy);
            DuckDbCalls.destroy(importer, DuckDbApi::duckdb_v2_arrow_importer_destroy);
        }
    }

    private static long field(long schema, long index, long name) {
        return DuckDbCalls.out((api, out, error) -> api.duckdb_v2_schema_get_field(schema, index, name, out, error));
    }

    /** {@code duckdb_v2_table_function_init_global_callback_fn}: a scan begins. */
    private static void init(long info, long context, long errorSlot) {
        guarded(errorSlot, () -> {
            long source = DuckDbCalls.out(
                    (api, out, error) -> api.duckdb_v2_table_function_init_global_get_bind_data(info, out, error));
            long id = LAST_ID.incrementAndGet();
            RUNNING.put(id, new StreamScan(ScannedStream.find(source)));
            try (NativeAllocation state = opaque(id, Stubs.DESTROY)) {
                DuckDbCalls.run((api, error) ->
                        api.duckdb_v2_table_function_init_global_set_global_state(info, state.getAddress(), error));
            } catch (RuntimeException | Error e) {
                destroy(id);
                throw e;
            }
        });
    }

    /** {@code duckdb_v2_table_function_exec_callback_fn}: the next rows. */
    private static void exec(long info, long context, long errorSlot) {
        guarded(errorSlot, () -> {
            long id = DuckDbCalls.out(
                    (api, out, error) -> api.duckdb_v2_table_function_exec_get_global_state(info, out, error));
            long output = DuckDbCalls.out(
                    (api, out, error) -> api.duckdb_v2_table_function_exec_get_output_chunk(info, out, error));
            RUNNING.get(id).next(output, context);
        });
    }

    /** {@code duckdb_v2_opaque_destroy_fn} of the scan's state. */
    private static void destroy(long id) {
        StreamScan scan = RUNNING.remove(id);
        guarded(NONE, () -> {
            try {
                DuckDbCalls.destroy(scan.importer, DuckDbApi::duckdb_v2_arrow_importer_destroy);
            } finally {
                scan.source.finish();
            }
        });
    }

    private void next(long output, long context) {
        if (importer == NONE) {
            // The handle of the context is good for this callback only; what the importer keeps is the context itself.
            // Chunks of a vector's size at most: a longer one would not fit the output.
            long rows = count(DuckDbApi::duckdb_v2_data_chunk_get_capacity, output);
            importer = DuckDbCalls.out((api, out, error) ->
                    api.duckdb_v2_arrow_importer_create(context, source.schema(), rows, out, error));
        }
        while (!ended) {
            long chunk =
                    DuckDbCalls.out((api, out, error) -> api.duckdb_v2_arrow_importer_next_chunk(importer, out, error));
            if (chunk == NONE) {
                appendNextArray();
                continue;
            }
            try {
                reference(chunk, output);
                return;
            } finally {
                DuckDbCalls.destroy(chunk, DuckDbApi::duckdb_v2_data_chunk_destroy);
            }
        }
    }

    /** Passes the next array of the stream to the importer, which then owns it. */
    private void appendNextArray() {
        try (NativeAllocation block = NativeAllocation.allocate(ArrowStream.ARRAY_SIZE)) {
            long array = block.getAddress();
            ArrowStream.getNext(stream, array);
            if (ArrowStream.isArrayReleased(array)) {
                ended = true;
                ArrowStream.release(stream);
                return;
            }
            try {
                // consume: its chunks refer to the array's buffers. flush: a short last chunk is not held back to be
                // copied.
                DuckDbCalls.run(
                        (api, error) -> api.duckdb_v2_arrow_importer_append(importer, array, true, true, error));
            } finally {
                ArrowStream.releaseArray(array);
            }
        }
    }

    /** Points the output's vectors to those of the chunk; they keep the Arrow array alive. */
    private static void reference(long chunk, long output) {
        long columns = count(DuckDbApi::duckdb_v2_data_chunk_get_vector_count, output);
        for (long i = 0; i < columns; i++) {
            long target = vector(output, i);
            long source = vector(chunk, i);
            DuckDbCalls.run((api, error) -> api.duckdb_v2_vector_reference(target, source, error));
        }
        long size = count(DuckDbApi::duckdb_v2_data_chunk_get_size, chunk);
        long first = vector(output, 0);
        DuckDbCalls.run((api, error) -> api.duckdb_v2_vector_set_size(first, size, error));
    }

    private static long vector(long chunk, long index) {
        return DuckDbCalls.out((api, out, error) -> api.duckdb_v2_data_chunk_get_vector(chunk, index, out, error));
    }

    private interface Counter {
        int count(DuckDbApi api, long handle, long out, long error);
    }

    private static long count(Counter function, long handle) {
        return DuckDbCalls.out((api, out, error) -> function.count(api, handle, out, error));
    }

    /**
     * {@code struct duckdb_v2_opaque}: a value that DuckDB keeps for us, and the function that it calls when it drops
     * it.
     */
    private static NativeAllocation opaque(long value, long destroy) {
        return NativeAllocation.ofLongs(value, destroy, NONE);
    }

    /** Runs a callback's body. An exception becomes the error of the statement. */
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
        String message = problem.getMessage() == null ? problem.toString() : problem.getMessage();
        try (NativeText text = new NativeText(message)) {
            long info = NativeMemory.getLong(errorSlot);
            DuckDbCalls.run((api, error) -> api.duckdb_v2_error_info_set_code(info, ERROR_API));
            DuckDbCalls.run((api, error) -> api.duckdb_v2_error_info_set_text(info, text.view()));
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

        private static long stub(String method, int parameters) {
            Class<?>[] types = new Class<?>[parameters];
            Arrays.fill(types, long.class);
            return NativeCallback.of(MethodHandles.lookup().in(StreamScan.class), method, void.class, types);
        }
    }
}
