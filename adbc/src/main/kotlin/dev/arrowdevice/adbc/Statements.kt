package dev.arrowdevice.adbc

import dev.arrowdevice.coroutines.StreamDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext

/**
 * Calls [block] with a new statement, and closes it. If the caller is cancelled, the call of the driver that runs is
 * cancelled and waited for, and none begins after it.
 */
internal suspend fun <R> AdbcConnection.withStatement(
    operation: String,
    block: suspend StatementScope.() -> R,
): R {
    lock.requireNotPulling(operation)
    return try {
        coroutineScope {
            val statement = onDriver { createStatement(operation) }
            val watch =
                launch(StreamDispatcher, CoroutineStart.UNDISPATCHED) {
                    try {
                        awaitCancellation()
                    } finally {
                        statement.abandon()
                    }
                }
            try {
                StatementScope(statement, watch, this).block()
            } catch (e: Throwable) {
                statement.letNoCallBegin()
                throw e
            } finally {
                watch.cancel()
                // Before the scope waits for its children: a flow that the driver reads ends when it is released.
                withContext(NonCancellable) { onDriver { statement.close() } }
            }
        }
    } catch (e: AdbcException) {
        // The driver's word for a cancellation of ours, which has its own exception.
        currentCoroutineContext().ensureActive()
        throw e
    }
}

/** A statement, the job that abandons it when it is cancelled, and the scope of what it reads. */
internal class StatementScope(
    val statement: AdbcStatement,
    private val watch: Job,
    val scope: CoroutineScope,
) {
    /** Cancels the call that runs, if any, and lets none begin. Does not wait. */
    fun abandon() = watch.cancel()
}

/** Makes a call that may block. The result is not lost if the caller is cancelled meanwhile. */
internal suspend fun <R> onDriver(call: () -> R): R {
    var result: Result<R>? = null
    try {
        withContext(StreamDispatcher) { result = runCatching(call) }
    } catch (e: Throwable) {
        val lost = result?.getOrNull()
        if (lost is AutoCloseable) {
            withContext(NonCancellable + StreamDispatcher) { runCatching(lost::close).onFailure(e::addSuppressed) }
        }
        throw e
    }
    return result!!.getOrThrow()
}
