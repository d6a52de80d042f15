package dev.arrowdevice.adbc

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.Validation
import dev.arrowdevice.coroutines.asFlow
import dev.arrowdevice.coroutines.toDeviceArrayStream
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.withContext

/**
 * The result of a query as a cold flow: each collection executes the query. Its batches are borrowed, as all flows of
 * batches have it: a batch is closed when the collector is done with it, and `share()` keeps one.
 *
 * **Cancellation**: if the collector is cancelled, or has enough, the call of the driver that runs is cancelled from another
 * thread (`AdbcStatementCancel`) and waited for; then the result and the statement are released, and `collect` returns. If the
 * driver can't cancel, such as SQLite's, the call that runs is waited for.
 *
 * **Threads**: the driver is called on [dev.arrowdevice.coroutines.StreamDispatcher], never on the collector's thread.
 *
 * @param parameters a row for each execution of a query with parameters; remains the caller's, also while it is collected
 * @param prefetch the number of batches that are read before the collector asks for them
 * @param validation how the batches are checked
 * @throws AdbcException when collected, for an error of the driver
 */
public fun AdbcConnection.query(
    sql: String,
    parameters: RecordBatch? = null,
    prefetch: Int = 0,
    validation: Validation = Validation.STRUCTURE,
): Flow<RecordBatch> {
    require(prefetch >= 0) { "prefetch is $prefetch" }
    return flow {
        withStatement("query") {
            val result =
                onDriver {
                    statement.setSqlQuery(sql)
                    statement.bindParameters(parameters)
                    statement.executeQuery(validation)
                }
            result.use {
                it.asFlow(prefetch = prefetch).collect { batch ->
                    try {
                        emit(batch)
                    } catch (e: Throwable) {
                        abandon() // A batch that is read ahead is not waited for.
                        throw e
                    }
                }
            }
        }
    }
}

/**
 * Executes SQL without a result. A cancellation is as that of [query].
 *
 * @param parameters a row for each execution; remains the caller's
 * @return the number of rows that it changed, -1 if the driver does not know
 * @throws AdbcException for an error of the driver
 */
public suspend fun AdbcConnection.update(
    sql: String,
    parameters: RecordBatch? = null,
): Long =
    withStatement("update") {
        onDriver {
            statement.setSqlQuery(sql)
            statement.bindParameters(parameters)
            statement.executeUpdate()
        }
    }

private fun AdbcStatement.bindParameters(parameters: RecordBatch?) {
    if (parameters != null) {
        prepare()
        bind(parameters)
    }
}

/**
 * Writes the batches of a flow into a table. The flow is collected while the driver reads it, batch by batch, on the
 * thread that the driver reads on. If it fails, the ingest fails with its exception. What the table has then depends on the
 * database; in a [transaction] it is as before.
 *
 * A cancellation is as that of [query]; the flow is cancelled too.
 *
 * @param rows must not read from this connection: both would wait for each other, which is an [IllegalStateException]
 * @param schema of all batches
 * @return the number of rows, -1 if the driver does not know
 * @throws AdbcException for an error of the driver
 */
public suspend fun AdbcConnection.ingest(
    target: IngestTarget,
    schema: Schema,
    rows: Flow<RecordBatch>,
): Long =
    withStatement("ingest") {
        onDriver { target.applyTo(statement) }
        rows.toDeviceArrayStream(schema, scope).use { stream -> onDriver { statement.bind(stream) } }
        onDriver { statement.executeUpdate() }
    }

/**
 * Runs [block] in a transaction: what it does is committed if it returns, and rolled back if it throws or is cancelled.
 * The connection commits each statement by itself before and afterwards. Others must not use it meanwhile.
 *
 * A cancellation that comes while the database commits comes too late: then this returns the result of [block].
 *
 * @throws AdbcException for an error of the driver, also if it has no transactions
 */
public suspend fun <R> AdbcConnection.transaction(block: suspend () -> R): R {
    lock.requireNotPulling("transaction")
    // Not half-way: the connection must not be left in a transaction that nobody ends.
    withContext(NonCancellable) { onDriver { setAutocommit(false) } }
    val result =
        try {
            currentCoroutineContext().ensureActive()
            val result = block()
            currentCoroutineContext().ensureActive()
            withContext(NonCancellable) { onDriver { commit() } }
            result
        } catch (e: Throwable) {
            withContext(NonCancellable) {
                try {
                    onDriver {
                        rollback()
                        setAutocommit(true)
                    }
                } catch (alsoFailed: AdbcException) {
                    e.addSuppressed(alsoFailed)
                } catch (closed: IllegalStateException) {
                    e.addSuppressed(closed)
                }
            }
            throw e
        }
    withContext(NonCancellable) { onDriver { setAutocommit(true) } }
    return result
}
