package dev.arrowdevice.samples.duckdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.function.LongConsumer;

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
        DuckDb database = new DuckDb(create(Environment.handle(), DuckDbFunction.INSTANCE_CREATE));
        try (Arena arena = Arena.ofConfined()) {
            DuckDbFunction.INSTANCE_ATTACH.call(database.instance, NONE, NativeText.view(arena, path), NONE, 1);
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
        return new DuckDbConnection(create(instance, DuckDbFunction.CONNECTION_CREATE));
    }

    /**
     * Closes the database. It stays in memory until the last connection and the last unread result of a query are
     * closed too.
     */
    @Override
    public synchronized void close() {
        DuckDbFunction.INSTANCE_DESTROY.destroy(instance);
        instance = NONE;
    }

    private static long create(long parent, DuckDbFunction function) {
        return out(slot -> function.call(parent, slot));
    }

    /** What a call writes to the address that it is given. */
    static long out(LongConsumer call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(ValueLayout.JAVA_LONG);
            call.accept(slot.address());
            return slot.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** "Call once at program start": the root of all databases of the process. It is never destroyed. */
    private static final class Environment {
        private static long handle;

        static synchronized long handle() {
            if (handle == NONE) {
                checkVersion();
                handle = out(DuckDbFunction.ENVIRONMENT_CREATE::call);
            }
            return handle;
        }

        private static void checkVersion() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment view = NativeText.emptyView(arena);
                DuckDbFunction.LIBRARY_VERSION.call(view.address());
                String version = NativeText.read(view);
                if (!version.equals(VERSION)) {
                    throw new DuckDbException("this binding is for DuckDB " + VERSION + ", the library is " + version);
                }
            }
        }
    }
}
