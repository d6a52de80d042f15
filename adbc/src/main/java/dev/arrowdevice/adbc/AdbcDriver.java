package dev.arrowdevice.adbc;

import dev.arrowdevice.adbc.internal.abi.DriverStruct;
import dev.arrowdevice.adbc.internal.abi.NativeDriver;
import dev.arrowdevice.adbc.internal.search.DriverLibrary;
import dev.arrowdevice.adbc.internal.search.DriverSearch;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A driver of ADBC 1.0 or 1.1: a shared library that knows one kind of database. It needs Java 22 or newer and native
 * access for {@code core}. May be used from any thread.
 *
 * <pre>{@code
 * import dev.arrowdevice.DeviceArrayStream;
 * import dev.arrowdevice.adbc.AdbcConnection;
 * import dev.arrowdevice.adbc.AdbcDatabase;
 * import dev.arrowdevice.adbc.AdbcDriver;
 * import dev.arrowdevice.adbc.AdbcOption;
 * import dev.arrowdevice.adbc.AdbcOptions;
 *
 * try (AdbcDriver driver = AdbcDriver.find("sqlite");
 *         AdbcDatabase database = driver.open(new AdbcOptions().set(AdbcOption.URI, "file:orders.db"));
 *         AdbcConnection connection = database.connect();
 *         DeviceArrayStream result = connection.executeQuery("SELECT * FROM orders")) {
 *     System.out.println(result.nextBatch());
 * }
 * }</pre>
 */
public final class AdbcDriver implements AutoCloseable {
    private final NativeDriver driver;
    private final Set<AdbcDatabase> databases = ConcurrentHashMap.newKeySet();
    /** Held to read while a database is opened, so that a close waits for that. */
    private final ReadWriteLock lifetime = new ReentrantReadWriteLock();

    private boolean open = true;

    private AdbcDriver(NativeDriver driver) {
        this.driver = driver;
    }

    /**
     * Finds, loads and initialises a driver. Where it is looked for: if the name has a slash, it is the path of a
     * library or of a driver manifest. Otherwise in the folders that {@code ADBC_DRIVER_PATH} names,
     * {@code etc/adbc/drivers} of the Python or Conda environment, the user's folder ({@code ~/.config/adbc/drivers}),
     * the system's ({@code /etc/adbc/drivers}); in each as a manifest {@code NAME.toml}, then as a library. Then in the jars of
     * the class path ({@code duckdb}, from {@code org.duckdb:duckdb_jdbc}), and where the system's loader looks.
     *
     * @param driver the name, such as {@code sqlite}, or a path
     * @throws AdbcException if it is not found, is made for another machine, has no entry point or refuses ADBC 1.1 and
     *     1.0; the message says which
     * @throws UnsupportedOperationException if this Java is older than 22
     * @throws IllegalCallerException if native access is denied to {@code core}
     */
    public static AdbcDriver find(String driver) {
        return find(driver, null, List.of());
    }

    /**
     * Finds, loads and initialises a driver; see {@link #find(String)}.
     *
     * @param entryPoint the name of the function that initialises it; null for that of the manifest, or the usual names
     * @param folders where to look first
     */
    public static AdbcDriver find(String driver, @Nullable String entryPoint, List<Path> folders) {
        DriverLibrary found = DriverSearch.find(driver, entryPoint, folders);
        return new AdbcDriver(NativeDriver.init(found.getLibrary(), found.getEntryPoints()));
    }

    /** The library's file, or its name for the system's loader. */
    public String getLibrary() {
        return driver.getName();
    }

    /** The version of ADBC that it speaks, "1.0" or "1.1". */
    public String getAdbcVersion() {
        return driver.getVersion() == DriverStruct.VERSION_1_0 ? "1.0" : "1.1";
    }

    /**
     * Opens a database. Most drivers connect to nothing before {@link AdbcDatabase#connect()}.
     *
     * @throws AdbcException if an option is unknown or wrong, or the database can't be opened; nothing is left open
     */
    public AdbcDatabase open(AdbcOptions options) {
        return open(options, false);
    }

    /** Opens a database that closes this driver when it is closed. */
    AdbcDatabase open(AdbcOptions options, boolean closesDriver) {
        lifetime.readLock().lock();
        try {
            if (!open) {
                throw new IllegalStateException("open: the driver has been closed");
            }
            AdbcDatabase database = new AdbcDatabase(this, driver, options, closesDriver);
            databases.add(database);
            return database;
        } finally {
            lifetime.readLock().unlock();
        }
    }

    void forget(AdbcDatabase database) {
        databases.remove(database);
    }

    /** Closes its databases, also one that is being opened, and releases the driver. The library stays loaded. Idempotent. */
    @Override
    public void close() {
        lifetime.writeLock().lock();
        try {
            open = false;
        } finally {
            lifetime.writeLock().unlock();
        }
        try (Closing closing = new Closing()) {
            databases.forEach(closing::close);
            if (databases.isEmpty()) {
                closing.run(driver::release);
            }
        }
    }

    /** The library and the version. */
    @Override
    public String toString() {
        return "ADBC " + getAdbcVersion() + " driver " + getLibrary();
    }
}
