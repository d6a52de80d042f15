package dev.arrowdevice.samples.duckdb;

/** An Arrow stream's time as a view of a connection, from {@link DuckDbConnection#register} to {@link #close}. */
public final class StreamRegistration implements AutoCloseable {
    private final DuckDbConnection connection;
    private final String name;
    private final ScannedStream stream;

    StreamRegistration(DuckDbConnection connection, String name, ScannedStream stream) {
        this.connection = connection;
        this.name = name;
        this.stream = stream;
    }

    /**
     * Drops the view and releases the stream. A statement that is scanning it at this moment runs to its end, and the
     * stream is released then.
     *
     * <p>Never throws. When the connection is busy with an unread result, the view stays; reading it says that its
     * stream is gone.
     */
    @Override
    public void close() {
        if (stream.close() && connection.isOpen()) {
            try {
                connection.execute("DROP VIEW IF EXISTS temp." + DuckDbConnection.quoted(name));
            } catch (DuckDbException busy) {
                return;
            }
        }
    }
}
