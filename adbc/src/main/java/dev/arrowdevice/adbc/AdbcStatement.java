package dev.arrowdevice.adbc;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CArrayStreamStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.Validation;
import dev.arrowdevice.adbc.internal.abi.NativeDriver;
import dev.arrowdevice.adbc.internal.abi.PartitionsStruct;
import dev.arrowdevice.adbc.internal.abi.Texts;
import dev.arrowdevice.spi.Move;
import dev.arrowdevice.spi.NativeAllocation;
import dev.arrowdevice.spi.NativeMemory;
import dev.arrowdevice.spi.Verb;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A statement: SQL or a Substrait plan, with its parameters or the rows to ingest. It may be executed again and again. To
 * execute it again ends the results that it had before: "this invalidates any prior result sets".
 */
public final class AdbcStatement extends AdbcObject {
    /** {@code offsetof(struct ArrowArrayStream, release)}. */
    private static final long STREAM_RELEASE = 24;

    private final AdbcConnection connection;
    private final CancelGate cancels = new CancelGate();
    private final RunningCall running = new RunningCall();
    /** With the lock held. */
    private final Set<ResultStream> results = new LinkedHashSet<>();
    /** Whether the last result was released before its end. With the lock held. */
    private boolean leftUnread;

    /** With the lock held. */
    private @Nullable BoundStream bound;

    /** With the lock of the connection held. */
    AdbcStatement(AdbcConnection connection, NativeDriver driver) {
        super(driver, connection.lock, OptionFunctions.STATEMENT);
        this.connection = connection;
        initialise(
                "StatementNew",
                (functions, error) -> functions.StatementNew(connection.address(), address(), error),
                () -> {});
    }

    @Override
    NativeDriver.Call releaseCall() {
        return (functions, error) -> functions.StatementRelease(address(), error);
    }

    @Override
    <R extends @Nullable Object> R call(String operation, Supplier<R> body) {
        return super.call(operation, () -> running.run(operation, body));
    }

    /** Sets the SQL to execute. Some drivers parse it here, others when it is executed. */
    public void setSqlQuery(String sql) {
        call("setSqlQuery", () -> {
            try (Texts texts = new Texts()) {
                long text = texts.of(sql);
                driver.run(
                        "StatementSetSqlQuery",
                        (functions, error) -> functions.StatementSetSqlQuery(address(), text, error));
            }
            return null;
        });
    }

    /** Sets the plan to execute, a serialised {@code substrait.Plan}. */
    public void setSubstraitPlan(byte[] plan) {
        call("setSubstraitPlan", () -> {
            try (Texts texts = new Texts()) {
                long bytes = texts.ofBytes(plan);
                driver.run(
                        "StatementSetSubstraitPlan",
                        (functions, error) ->
                                functions.StatementSetSubstraitPlan(address(), bytes, plan.length, error));
            }
            return null;
        });
    }

    /** Prepares the query, for parameters or to execute it more than once. */
    public void prepare() {
        call("prepare", () -> {
            driver.run("StatementPrepare", (functions, error) -> functions.StatementPrepare(address(), error));
            return null;
        });
    }

    /** The parameters of the prepared query, in order. Their types are null if the database can't say. */
    public Schema getParameterSchema() {
        return schema(
                "StatementGetParameterSchema",
                (out) -> (functions, error) -> functions.StatementGetParameterSchema(address(), out, error));
    }

    /** The schema of the result, from a driver of ADBC 1.1, without executing the query. */
    public Schema executeSchema() {
        return schema(
                "StatementExecuteSchema",
                (out) -> (functions, error) -> functions.StatementExecuteSchema(address(), out, error));
    }

    private interface SchemaCall {
        NativeDriver.Call into(long outSchema);
    }

    private Schema schema(String function, SchemaCall schemaCall) {
        return call(function, () -> {
            try (CSchemaStruct out = CStruct.schema()) {
                driver.run(function, schemaCall.into(out.getAddress()));
                return ArrowImport.importSchema(out);
            }
        });
    }

    /**
     * Binds a batch: a row for each execution of a query with parameters, or the rows to ingest. A driver that binds streams
     * gets it as a stream of one batch.
     *
     * @param batch remains the caller's
     * @throws IllegalArgumentException if it is not in CPU memory
     */
    public void bind(RecordBatch batch) {
        try (DeviceArrayStream rows = streamOf(batch.share())) {
            bindStream(rows, null);
        } catch (AdbcException e) {
            if (e.getStatus() != AdbcStatus.NOT_IMPLEMENTED || !driver.has("StatementBind")) {
                throw e;
            }
            call("bind", () -> {
                BoundBatch.bind(driver, this, batch);
                bound = null;
                return null;
            });
        }
    }

    private static DeviceArrayStream streamOf(RecordBatch batch) {
        try {
            return DeviceArrayStream.of(batch.getSchema(), List.of(batch));
        } catch (Throwable e) {
            batch.close();
            throw e;
        }
    }

    /**
     * Binds the batches of a stream. The driver reads them when it executes the statement, on this or another thread.
     *
     * @param rows is moved, also on failure. It must not read from this statement's connection. If it fails, the execution
     *     fails with its exception
     * @throws IllegalArgumentException if it is not in CPU memory
     */
    public void bind(DeviceArrayStream rows) {
        try (BoundStream stream = new BoundStream(Move.stream(rows, Verb.BIND), lock)) {
            bindStream(stream, stream);
        }
    }

    /** "The driver will call the release callback itself, although it may not do this until the statement is released." */
    private void bindStream(DeviceArrayStream rows, @Nullable BoundStream watched) {
        call("bind", () -> {
            // A driver that fails and leaves the stream where it is leaves it to us.
            try (CArrayStreamStruct stream = CStruct.arrayStream()) {
                ArrowExport.exportStream(rows, stream);
                driver.run(
                        "StatementBindStream",
                        (functions, error) -> functions.StatementBindStream(address(), stream.getAddress(), error));
                // A driver may take the stream without marking the struct released.
                NativeMemory.putLong(stream.getAddress() + STREAM_RELEASE, 0);
                bound = watched;
            }
            return null;
        });
    }

    /**
     * Executes the query.
     *
     * @return the result, which the caller closes. Its batches outlive it; it ends with this statement
     */
    public DeviceArrayStream executeQuery() {
        return executeQuery(Validation.STRUCTURE);
    }

    /** Executes the query, and checks the batches of the result on a level. */
    public DeviceArrayStream executeQuery(Validation validation) {
        return executeQuery(validation, false);
    }

    /** Executes the query. If the result owns this statement, it closes it. */
    DeviceArrayStream executeQuery(Validation validation, boolean closesStatement) {
        return execute("executeQuery", () -> {
            try (NativeAllocation rows = NativeAllocation.ofLongs(-1)) {
                ResultStream result = ResultStream.of(
                        driver,
                        this,
                        closesStatement ? this : null,
                        validation,
                        out -> driver.run(
                                "StatementExecuteQuery",
                                (functions, error) ->
                                        functions.StatementExecuteQuery(address(), out, rows.getAddress(), error)));
                results.add(result);
                return result;
            }
        });
    }

    /**
     * Executes SQL without a result, or ingests the rows that are bound.
     *
     * @return the number of rows that it changed, -1 if the driver does not know
     */
    public long executeUpdate() {
        return execute("executeUpdate", () -> {
            try (NativeAllocation rows = NativeAllocation.ofLongs(-1)) {
                driver.run(
                        "StatementExecuteQuery",
                        (functions, error) -> functions.StatementExecuteQuery(address(), 0, rows.getAddress(), error));
                return rows.getLong(0);
            }
        });
    }

    /** Executes the query, whose result is then read in parts, also by other processes: {@link AdbcConnection#readPartition}. */
    public AdbcPartitions executePartitions() {
        return execute("executePartitions", () -> {
            try (CSchemaStruct schema = CStruct.schema();
                    PartitionsStruct partitions = new PartitionsStruct();
                    NativeAllocation rows = NativeAllocation.ofLongs(-1)) {
                driver.run(
                        "StatementExecutePartitions",
                        (functions, error) -> functions.StatementExecutePartitions(
                                address(), schema.getAddress(), partitions.getAddress(), rows.getAddress(), error));
                return new AdbcPartitions(
                        schema.isLive() ? ArrowImport.importSchema(schema) : null, partitions.read(), rows.getLong(0));
            }
        });
    }

    /**
     * Cancels the execution or the read of a result that runs on another thread. That call then fails, with
     * {@link AdbcStatus#CANCELLED} or as the driver reports it, or returns if it had ended before. If no call runs, a database
     * that still sends a result may stop; else nothing happens. Before the close of a long result that was not read to its end it
     * spares the next query a wait: PostgreSQL's driver reads the rest then.
     *
     * @throws AdbcException with {@link AdbcStatus#NOT_IMPLEMENTED} if the driver can't
     */
    public void cancel() {
        cancels.cancel(
                "cancel",
                this,
                () -> driver.run("StatementCancel", (functions, error) -> functions.StatementCancel(address(), error)));
    }

    /**
     * Ends the use of the statement from another thread: a call that runs is cancelled, again and again until it returns,
     * because a database forgets a cancel that arrives before the query. A call that comes later fails. If the driver can't
     * cancel, the call that runs is not disturbed. Returns when no call runs, or when it can't be cancelled.
     */
    void abandon() {
        running.abandon(this::cancelIfOpen);
    }

    /** Begins what {@link #abandon} does: no call begins, and a result that was not read to its end is cancelled by the close. */
    void letNoCallBegin() {
        running.letNoneBegin();
    }

    /** False if the driver can't cancel. */
    private boolean cancelIfOpen() {
        try {
            cancel();
            return true;
        } catch (AdbcException e) {
            return e.getStatus() != AdbcStatus.NOT_IMPLEMENTED;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    /** Ends the results of the last execution, and executes. */
    private <R extends @Nullable Object> R execute(String operation, Supplier<R> body) {
        return call(operation, () -> {
            if (driver.hasOneResultAtATime()) {
                connection.requireNoResultBut(this, operation);
            }
            endResults();
            leftUnread = false;
            try {
                return whileBound(body);
            } catch (Throwable e) {
                endResults();
                throw e;
            }
        });
    }

    /**
     * Makes a call in which the driver may read the bound stream. If the stream failed, that is the failure, whatever the
     * driver made of it: some report it, some take it for the end of the rows. With the lock held.
     */
    <R extends @Nullable Object> R whileBound(Supplier<R> body) {
        R result;
        try {
            result = body.get();
        } catch (AdbcException e) {
            Throwable failure = takeBoundFailure();
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e);
            throw AdbcStatement.<RuntimeException>unchecked(failure);
        }
        Throwable failure = takeBoundFailure();
        if (failure != null) {
            if (result instanceof DeviceArray) {
                ((DeviceArray) result).close();
            }
            throw AdbcStatement.<RuntimeException>unchecked(failure);
        }
        return result;
    }

    private @Nullable Throwable takeBoundFailure() {
        Throwable failure = bound == null ? null : bound.getFailure();
        if (failure != null) {
            bound = null;
        }
        return failure;
    }

    private void endResults() {
        List.copyOf(results).forEach(ResultStream::releaseSource);
    }

    /** A Kotlin flow throws what it likes. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable failure) throws E {
        throw (E) failure;
    }

    /** With the lock held. */
    void forget(ResultStream result, boolean ended) {
        results.remove(result);
        leftUnread |= !ended;
    }

    /** Whether it has a result that was neither read to its end nor closed. With the lock held. */
    boolean hasUnreadResult() {
        return results.stream().anyMatch(ResultStream::isUnread);
    }

    /** Whether it has a result that was not closed. With the lock held. */
    boolean hasResults() {
        return !results.isEmpty();
    }

    /**
     * Closes its results, and then the statement. Waits for a call that runs; cancel it first if it may take long.
     * Idempotent.
     */
    @Override
    public void close() {
        lock.close(() -> {
            try (Closing closing = new Closing()) {
                List.copyOf(results).forEach(result -> closing.run(result::releaseSource));
                if (leftUnread && running.isAbandoned() && connection.isIdleBut(this)) {
                    // A database may still send rows, and a driver would read all of them before the next query.
                    cancelIfOpen();
                }
                cancels.close();
                closing.run(this::release);
                connection.forget(this);
            }
        });
    }

    /** What it is, and of which driver; no SQL, which may contain secrets. */
    @Override
    public String toString() {
        return "statement of " + driver.getName();
    }
}
