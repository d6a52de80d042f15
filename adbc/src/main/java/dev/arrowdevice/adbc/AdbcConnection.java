package dev.arrowdevice.adbc;

import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.Validation;
import dev.arrowdevice.adbc.internal.abi.DriverFunctions;
import dev.arrowdevice.adbc.internal.abi.NativeDriver;
import dev.arrowdevice.adbc.internal.abi.Texts;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a database. Its calls, and those of its statements and results, wait for each other: a driver serves
 * one call of a connection at a time. For queries that run at the same time use several connections.
 *
 * <p>A call blocks until the database has answered. {@link #cancel} and {@link AdbcStatement#cancel} don't wait.
 */
public final class AdbcConnection extends AdbcObject {
    private final AdbcDatabase parent;
    private final CancelGate cancels = new CancelGate();
    /** With the lock held. */
    private final Set<AdbcStatement> statements = new LinkedHashSet<>();
    /** Results of the connection itself; with the lock held. */
    private final Set<ResultStream> results = new LinkedHashSet<>();

    AdbcConnection(AdbcDatabase parent, NativeDriver driver, AdbcOptions options) {
        super(driver, new CallLock(), OptionFunctions.CONNECTION);
        this.parent = parent;
        initialise("ConnectionNew", (functions, error) -> functions.ConnectionNew(address(), error), () -> {
            options.applyTo(this);
            driver.run(
                    "ConnectionInit",
                    (functions, error) -> functions.ConnectionInit(address(), parent.address(), error));
        });
    }

    @Override
    NativeDriver.Call releaseCall() {
        return (functions, error) -> functions.ConnectionRelease(address(), error);
    }

    /** A new statement, which the caller closes. */
    public AdbcStatement createStatement() {
        return createStatement("createStatement");
    }

    /** @param operation what the caller does, for messages */
    AdbcStatement createStatement(String operation) {
        return call(operation, () -> {
            AdbcStatement statement = new AdbcStatement(this, driver);
            statements.add(statement);
            return statement;
        });
    }

    /**
     * Executes a query.
     *
     * @return the result, which the caller closes. Its batches outlive it
     */
    public DeviceArrayStream executeQuery(String sql) {
        return once(statement -> {
            statement.setSqlQuery(sql);
            return statement.executeQuery(Validation.STRUCTURE, true);
        });
    }

    /**
     * Executes SQL without a result.
     *
     * @return the number of rows that it changed, -1 if the driver does not know
     */
    public long executeUpdate(String sql) {
        try (AdbcStatement statement = createStatement("executeUpdate")) {
            statement.setSqlQuery(sql);
            return statement.executeUpdate();
        }
    }

    /**
     * Writes the rows of a batch into a table.
     *
     * @param batch remains the caller's
     * @return the number of rows, -1 if the driver does not know
     */
    public long ingest(IngestTarget target, RecordBatch batch) {
        try (AdbcStatement statement = createStatement("ingest")) {
            target.applyTo(statement);
            statement.bind(batch);
            return statement.executeUpdate();
        }
    }

    /**
     * Writes the rows of a stream into a table.
     *
     * @param rows is moved, also on failure. It must not read from this connection
     * @return the number of rows, -1 if the driver does not know
     */
    public long ingest(IngestTarget target, DeviceArrayStream rows) {
        try (DeviceArrayStream closing = rows;
                AdbcStatement statement = createStatement("ingest")) {
            target.applyTo(statement);
            statement.bind(closing);
            return statement.executeUpdate();
        }
    }

    /** Makes a statement for one result, which closes it. */
    private DeviceArrayStream once(Function<AdbcStatement, DeviceArrayStream> execute) {
        AdbcStatement statement = createStatement("executeQuery");
        try {
            return execute.apply(statement);
        } catch (Throwable e) {
            try {
                statement.close();
            } catch (RuntimeException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    /** Whether each statement is a transaction of its own, from a driver of ADBC 1.1. */
    public boolean isAutocommit() {
        return getOption(AdbcOption.AUTOCOMMIT);
    }

    /** Begins transactions, which {@link #commit} and {@link #rollback} end, or ends them and commits. */
    public void setAutocommit(boolean on) {
        setOption(AdbcOption.AUTOCOMMIT, on);
    }

    /** Commits the transaction, and begins another. */
    public void commit() {
        call("commit", () -> {
            driver.run("ConnectionCommit", (functions, error) -> functions.ConnectionCommit(address(), error));
            return null;
        });
    }

    /** Takes back the transaction, and begins another. */
    public void rollback() {
        call("rollback", () -> {
            driver.run("ConnectionRollback", (functions, error) -> functions.ConnectionRollback(address(), error));
            return null;
        });
    }

    /** What the driver and the database say of themselves. */
    public AdbcInfo getInfo() {
        return MetadataReader.info(stream(
                "ConnectionGetInfo",
                (functions, out, error, texts) -> functions.ConnectionGetInfo(address(), 0, 0, out, error)));
    }

    /**
     * The catalogs, schemas, tables and columns of the database.
     *
     * @param filter which of them, and how deep
     */
    public List<AdbcCatalog> getObjects(ObjectFilter filter) {
        return MetadataReader.objects(stream(
                "ConnectionGetObjects",
                (functions, out, error, texts) -> functions.ConnectionGetObjects(
                        address(),
                        filter.depthCode(),
                        texts.of(filter.catalog()),
                        texts.of(filter.dbSchema()),
                        texts.of(filter.table()),
                        texts.ofAll(filter.tableTypes()),
                        texts.of(filter.column()),
                        out,
                        error)));
    }

    /** The types of tables that the database has, such as {@code table} and {@code view}. */
    public List<String> getTableTypes() {
        return MetadataReader.texts(stream(
                "ConnectionGetTableTypes",
                (functions, out, error, texts) -> functions.ConnectionGetTableTypes(address(), out, error)));
    }

    /**
     * The schema of a table.
     *
     * @param catalog null for any
     * @param dbSchema null for any
     * @throws AdbcException with {@link AdbcStatus#NOT_FOUND} if there is no such table
     */
    public Schema getTableSchema(@Nullable String catalog, @Nullable String dbSchema, String table) {
        return call("getTableSchema", () -> {
            try (Texts texts = new Texts();
                    CSchemaStruct out = CStruct.schema()) {
                long catalogText = texts.of(catalog);
                long schemaText = texts.of(dbSchema);
                long tableText = texts.of(table);
                driver.run(
                        "ConnectionGetTableSchema",
                        (functions, error) -> functions.ConnectionGetTableSchema(
                                address(), catalogText, schemaText, tableText, out.getAddress(), error));
                return ArrowImport.importSchema(out);
            }
        });
    }

    /**
     * Statistics of tables, from a driver of ADBC 1.1.
     *
     * @param catalog, dbSchema, table patterns of SQL's {@code LIKE}; null for all
     * @param approximate whether estimates are enough, which cost less
     */
    public List<AdbcStatistic> getStatistics(
            @Nullable String catalog, @Nullable String dbSchema, @Nullable String table, boolean approximate) {
        Map<Integer, String> names =
                StatisticNames.all(driver.has("ConnectionGetStatisticNames") ? statisticNames() : Map.of());
        return MetadataReader.statistics(
                stream(
                        "ConnectionGetStatistics",
                        (functions, out, error, texts) -> functions.ConnectionGetStatistics(
                                address(),
                                texts.of(catalog),
                                texts.of(dbSchema),
                                texts.of(table),
                                approximate,
                                out,
                                error)),
                names);
    }

    private Map<Integer, String> statisticNames() {
        try {
            return MetadataReader.names(stream(
                    "ConnectionGetStatisticNames",
                    (functions, out, error, texts) -> functions.ConnectionGetStatisticNames(address(), out, error)));
        } catch (AdbcException e) {
            if (e.getStatus() == AdbcStatus.NOT_IMPLEMENTED) {
                return Map.of();
            }
            throw e;
        }
    }

    /**
     * Reads one partition of {@link AdbcStatement#executePartitions}, of this or another process.
     *
     * @return its result, which the caller closes
     */
    public DeviceArrayStream readPartition(byte[] descriptor) {
        return stream(
                "ConnectionReadPartition",
                (functions, out, error, texts) -> functions.ConnectionReadPartition(
                        address(), texts.ofBytes(descriptor), descriptor.length, out, error));
    }

    /**
     * Cancels the call of the connection that runs on another thread, such as {@link #getObjects}, and not those of its
     * statements. The call then fails with {@link AdbcStatus#CANCELLED}, or returns if it had ended before.
     *
     * @throws AdbcException with {@link AdbcStatus#NOT_IMPLEMENTED} if the driver can't
     */
    public void cancel() {
        cancels.cancel(
                "cancel",
                this,
                () -> driver.run(
                        "ConnectionCancel", (functions, error) -> functions.ConnectionCancel(address(), error)));
    }

    private interface StreamCall {
        byte call(DriverFunctions functions, long out, long error, Texts texts);
    }

    /** The stream that a function of the connection returns. */
    private DeviceArrayStream stream(String function, StreamCall streamCall) {
        return call(function, () -> {
            try (Texts texts = new Texts()) {
                ResultStream result = ResultStream.of(
                        driver,
                        this,
                        Validation.STRUCTURE,
                        out -> driver.run(
                                function, (functions, error) -> streamCall.call(functions, out, error, texts)));
                results.add(result);
                return result;
            }
        });
    }

    /** With the lock held. */
    void forget(ResultStream result) {
        results.remove(result);
    }

    /** With the lock held. */
    void requireNoResultBut(AdbcStatement statement, String operation) {
        if (statements.stream().anyMatch(other -> other != statement && other.hasUnreadResult())) {
            throw new AdbcException(
                    AdbcStatus.INVALID_STATE,
                    "[" + operation + "][INVALID_STATE] the " + this
                            + " has a result that was not read to its end, and the"
                            + " driver has one result of a connection at a time: read or close that one first, or use"
                            + " another connection",
                    null);
        }
    }

    /** Whether no other statement has a result, which a cancel could hit. With the lock held. */
    boolean isIdleBut(AdbcStatement statement) {
        return results.isEmpty() && statements.stream().noneMatch(other -> other != statement && other.hasResults());
    }

    /** With the lock held. */
    void forget(AdbcStatement statement) {
        statements.remove(statement);
    }

    /**
     * Closes its statements and results, and then the connection. Waits for a call that runs; cancel it first if it may
     * take long. What was not committed is lost. Idempotent.
     */
    @Override
    public void close() {
        try (Closing closing = new Closing()) {
            lock.close(() -> {
                List.copyOf(statements).forEach(closing::close);
                List.copyOf(results).forEach(result -> closing.run(result::releaseSource));
                cancels.close();
                closing.run(this::release);
            });
            parent.forget(this);
        }
    }

    /** What it is, and of which driver; no options, which may be secret. */
    @Override
    public String toString() {
        return "connection of " + driver.getName();
    }
}
