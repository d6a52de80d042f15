package dev.arrowdevice.samples.duckdb;

import dev.arrowdevice.spi.NativeAllocation;
import java.nio.file.Path;

/**
 * An open DuckDB database in this process.
 *
 * <p>Usable from any thread. Close it after its connections.
 */
public final class DuckDb implements AutoCloseable {
    /** The release that the binding was written for; C API v2 may look different in the next one. */
    static final String VERSION = "v2.0.0";

    private static final long NONE = 0;

    private long instance;

    private DuckDb(long instance) {
        this.instance = instance;
    }

    /**
     * Opens a database that lives in memory and is gone when it is closed.
     *
     * @throws DuckDbException when the native library is missing, does not load or is of another version
     */
    public static DuckDb openInMemory() {
        return open(":memory:");
    }

    /**
     * Opens the database in a file, which is created when it does not exist.
     *
     * @throws DuckDbException as {@link #openInMemory()}, and when the file is no database or is open already
     */
    public static DuckDb open(Path file) {
        return open(file.toString());
    }

    private static DuckDb open(String path) {
        DuckDb database = new DuckDb(create(Environment.handle()));
        try (NativeText file = new NativeText(path)) {
            DuckDbCalls.run((api, error) ->
                    api.duckdb_v2_instance_attach(database.instance, NONE, file.view(), NONE, true, error));
            try (DuckDbConnection connection = database.connect()) {
                StreamScan.register(connection.handle());
            }
            return database;
        } catch (RuntimeException | Error e) {
            database.close();
            throw e;
        }
    }

    /** Opens a connection: a session with its own transaction and temporary views. It runs one statement at a time. */
    public synchronized DuckDbConnection connect() {
        if (instance == NONE) {
            throw new IllegalStateException("connect: the database is closed");
        }
        return new DuckDbConnection(
                DuckDbCalls.out((api, out, error) -> api.duckdb_v2_connection_create(instance, out, error)));
    }

    /**
     * Closes the database. It stays in memory until the last connection and the last unread result of a query are
     * closed too.
     */
    @Override
    public synchronized void close() {
        DuckDbCalls.destroy(instance, DuckDbApi::duckdb_v2_instance_destroy);
        instance = NONE;
    }

    private static long create(long environment) {
        return DuckDbCalls.out((api, out, error) -> api.duckdb_v2_instance_create(environment, out, error));
    }

    /** "Call once at program start": the root of all databases of the process. It is never destroyed. */
    private static final class Environment {
        private static long handle;

        static synchronized long handle() {
            if (handle == NONE) {
                checkVersion();
                handle = DuckDbCalls.out(DuckDbApi::duckdb_v2_environment_create);
            }
            return handle;
        }

        private static void checkVersion() {
            try (NativeAllocation view = NativeText.emptyView()) {
                DuckDbCalls.run((api, error) -> api.duckdb_v2_library_version(view.getAddress(), error));
                String version = NativeText.read(view);
                if (!version.equals(VERSION)) {
                    throw new DuckDbException("this binding is for DuckDB " + VERSION + ", the library is " + version);
                }
            }
        }
    }
}
