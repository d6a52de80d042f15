package dev.arrowdevice.adbc;

import dev.arrowdevice.adbc.internal.abi.NativeDriver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A database, to which one or more connections are made. What an in-memory database holds lives as long as it. */
public final class AdbcDatabase extends AdbcObject {
    private final AdbcDriver parent;
    private final boolean closesDriver;
    private final Set<AdbcConnection> connections = ConcurrentHashMap.newKeySet();

    AdbcDatabase(AdbcDriver parent, NativeDriver driver, AdbcOptions options, boolean closesDriver) {
        super(driver, new CallLock(), OptionFunctions.DATABASE);
        this.parent = parent;
        this.closesDriver = closesDriver;
        initialise("DatabaseNew", (functions, error) -> functions.DatabaseNew(address(), error), () -> {
            options.applyTo(this);
            driver.run("DatabaseInit", (functions, error) -> functions.DatabaseInit(address(), error));
        });
    }

    @Override
    NativeDriver.Call releaseCall() {
        return (functions, error) -> functions.DatabaseRelease(address(), error);
    }

    /** Connects, without options. */
    public AdbcConnection connect() {
        return connect(new AdbcOptions());
    }

    /**
     * Connects. This may block.
     *
     * @throws AdbcException if an option is unknown or wrong, or there is no connection; nothing is left open
     */
    public AdbcConnection connect(AdbcOptions options) {
        return call("connect", () -> {
            AdbcConnection connection = new AdbcConnection(this, driver, options);
            connections.add(connection);
            return connection;
        });
    }

    void forget(AdbcConnection connection) {
        connections.remove(connection);
    }

    /** Closes its connections, and then the database. Waits for calls that run. Idempotent. */
    @Override
    public void close() {
        try (Closing closing = new Closing()) {
            // Not under our own lock: a connection has its own, and its calls may take long. So one that is being made
            // meanwhile is closed the second time.
            connections.forEach(closing::close);
            lock.close(() -> {
                connections.forEach(closing::close);
                // A connection does not close while its own bound stream is what closes it.
                if (connections.isEmpty()) {
                    closing.run(this::release);
                }
            });
            if (isOpen()) {
                return;
            }
            parent.forget(this);
            if (closesDriver) {
                closing.run(parent::close);
            }
        }
    }

    /** What it is, and of which driver; no options, which may be secret. */
    @Override
    public String toString() {
        return "database of " + driver.getName();
    }
}
