package dev.arrowdevice.samples.duckdb;

import dev.arrowdevice.spi.NativeAllocation;

/**
 * A session on a {@link DuckDb}.
 *
 * <p>Use it from one thread at a time; only {@link #interrupt()} may come from another. While the result of a {@link
 * #query} has neither been read to its end nor released, the connection refuses the next statement: open a second
 * connection for that.
 */
public final class DuckDbConnection implements AutoCloseable {
    /** Rows per Arrow array, at most: 64 of DuckDB's vectors. */
    private static final long ROWS_PER_BATCH = 131_072;

    private static final long NONE = 0;

    private long handle;

    DuckDbConnection(long handle) {
        this.handle = handle;
    }

    /**
     * Runs all statements in {@code sql} to their end; rows that they return are dropped.
     *
     * @return how many rows the last statement inserted, updated or deleted; 0 for any other statement
     * @throws DuckDbException with DuckDB's message; the statements before the failing one have been executed
     */
    public long execute(String sql) {
        long changed = 0;
        try (Statements statements = new Statements(sql)) {
            for (long statement = statements.next(); statement != NONE; statement = statements.next()) {
                changed = drain(start(statement));
            }
        }
        return changed;
    }

    /**
     * Starts the statement {@code sql} and makes its result an Arrow C stream.
     *
     * <p><b>What is copied:</b> DuckDB writes the rows once, from its own vectors into Arrow buffers, as the stream is
     * read: that is how its result is made. Nothing is copied after that; the arrays own those buffers and outlive
     * stream, connection and database.
     *
     * <p><b>Ownership:</b> on success the stream belongs to the caller, who must release it. On failure nothing was
     * written.
     *
     * @param sql one statement
     * @param arrowArrayStream address of 40 bytes for the {@code struct ArrowArrayStream}; what they hold is
     * overwritten
     * @throws DuckDbException with DuckDB's message when the statement is refused. An error while it runs comes out of
     * the stream
     * @throws IllegalArgumentException when {@code sql} is not exactly one statement
     */
    public void query(String sql, long arrowArrayStream) {
        try (Statements statements = new Statements(sql)) {
            long statement = statements.next();
            if (statement == NONE || statements.hasAnother()) {
                throw new IllegalArgumentException("query takes one statement: " + sql);
            }
            try (NativeAllocation result = NativeAllocation.ofLongs(start(statement))) {
                try {
                    DuckDbCalls.run((api, error) ->
                            api.duckdb_v2_arrow_result_to_arrow_c_stream(result.getAddress(), arrowArrayStream, error));
                } finally {
                    DuckDbCalls.destroy(result.getLong(0), DuckDbApi::duckdb_v2_arrow_result_destroy);
                }
            }
        }
    }

    /**
     * Makes an Arrow C stream a view that SQL on this connection can read <em>once</em>: a C stream cannot be rewound.
     *
     * <p><b>What is copied:</b> nothing at registration: only the schema is asked for, and arrays are pulled while a
     * statement scans the view. DuckDB then works on the arrays' own buffers for numbers, timestamps, dates of 32 bits,
     * the bytes of texts longer than 12, and the values of lists and structs. It makes its own validity bits, booleans
     * (one byte each), list and text headers (16 bytes each; a text of up to 12 bytes lies in its header), narrower
     * decimals (unless the Arrow width is the one it uses), and values of units that it does not have. A statement that
     * stores the rows, such as {@code CREATE TABLE … AS}, copies them into the table, of course.
     *
     * <p><b>Ownership:</b> the stream is moved out of {@code arrowArrayStream}, on failure as well, and is released at
     * its end, at the end of the statement that scanned it, or when the registration is closed, whichever is first.
     * Arrays are released when no vector of the running statement refers to them, on any of DuckDB's threads.
     *
     * @param name of the temporary view; quoted for SQL as it is
     * @param arrowArrayStream address of a live {@code struct ArrowArrayStream} of record batches
     * @return what ends the registration
     * @throws DuckDbException when the stream gives no schema, DuckDB does not know one of its types, or the name is
     * taken
     * @throws IllegalArgumentException when the stream has been released
     */
    public StreamRegistration register(String name, long arrowArrayStream) {
        if (ArrowStream.isReleased(arrowArrayStream)) {
            throw new IllegalArgumentException("register " + name + ": the stream has been released");
        }
        ScannedStream stream = new ScannedStream(name, arrowArrayStream);
        try {
            stream.readSchema();
            execute("CREATE TEMPORARY VIEW " + quoted(name) + " AS FROM " + StreamScan.call(stream));
        } catch (RuntimeException | Error e) {
            stream.close();
            throw e;
        }
        return new StreamRegistration(this, name, stream);
    }

    /**
     * Asks the running statement to stop; its stream then fails with "Interrupted!". Does nothing when none runs or
     * after {@link #close}.
     */
    public synchronized void interrupt() {
        if (handle != NONE) {
            DuckDbCalls.run((api, error) -> api.duckdb_v2_connection_interrupt(handle, error));
        }
    }

    /** Closes the session. Streams that came from it go on. Closing again does nothing. */
    @Override
    public synchronized void close() {
        DuckDbCalls.destroy(handle, DuckDbApi::duckdb_v2_connection_destroy);
        handle = NONE;
    }

    synchronized boolean isOpen() {
        return handle != NONE;
    }

    synchronized long handle() {
        if (handle == NONE) {
            throw new IllegalStateException("the connection is closed");
        }
        return handle;
    }

    /** The SQL literal of a text, such as a file's name. */
    public static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    private long start(long statement) {
        return DuckDbCalls.out((api, out, error) ->
                api.duckdb_v2_statement_execute_arrow(handle(), statement, NONE, NONE, 0, ROWS_PER_BATCH, out, error));
    }

    private static long drain(long result) {
        try {
            return DuckDbCalls.out((api, out, error) -> api.duckdb_v2_arrow_result_drain(result, out, error));
        } finally {
            DuckDbCalls.destroy(result, DuckDbApi::duckdb_v2_arrow_result_destroy);
        }
    }

    /** The statements of a text, parsed one after the other. */
    private final class Statements implements AutoCloseable {
        private final long iterator;
        private long current;

        Statements(String sql) {
            try (NativeAllocation text = NativeAllocation.ofString(sql)) {
                iterator = DuckDbCalls.out(
                        (api, out, error) -> api.duckdb_v2_parse_sql(handle(), text.getAddress(), out, error));
            }
        }

        /** The next statement, valid until the one after it, or 0 at the end. */
        long next() {
            DuckDbCalls.destroy(current, DuckDbApi::duckdb_v2_sql_statement_destroy);
            current = NONE;
            current = advance();
            return current;
        }

        boolean hasAnother() {
            long another = advance();
            DuckDbCalls.destroy(another, DuckDbApi::duckdb_v2_sql_statement_destroy);
            return another != NONE;
        }

        private long advance() {
            return DuckDbCalls.out((api, out, error) -> api.duckdb_v2_statement_iterator_next(iterator, out, error));
        }

        @Override
        public void close() {
            DuckDbCalls.destroy(current, DuckDbApi::duckdb_v2_sql_statement_destroy);
            DuckDbCalls.destroy(iterator, DuckDbApi::duckdb_v2_statement_iterator_destroy);
        }
    }
}
