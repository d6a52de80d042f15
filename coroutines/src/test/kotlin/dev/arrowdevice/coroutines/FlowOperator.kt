package dev.arrowdevice.coroutines

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.yield
import java.io.IOException
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** The behaviour of an operator on a flow of borrowed batches; [words] are in the table of `docs/flows.md`. */
internal enum class Outcome(
    val words: String,
) {
    WORKS("works"),
    THROWS("throws"),
    NEEDS_NEW_STREAM("`asyncDeviceStream` works: it starts again; `asFlow` throws"),
}

/** Any of the numbers, in order: of operators that leave out what comes too fast. */
internal object Some

/** The input of a row's code: the flow itself or, for the code to write instead, something that makes one. */
internal class Given(
    val batches: Flow<RecordBatch>,
    val open: () -> DeviceArrayStream,
    val start: ((CAsyncDeviceStreamHandlerStruct) -> Unit)?,
)

internal class Snippet(
    val run: suspend Step.(Given) -> Any?,
    /** Null: for all streams. */
    val pulled: Boolean? = null,
)

/**
 * A row of the table. Its code is that of its lambda, read from the source.
 *
 * @property gives the result of the code for the batches 11 to 16
 * @property whenFailing the result for a stream that fails after 13; null: the failure
 */
internal class FlowOperator(
    val name: String,
    val outcome: Outcome,
    val gives: Any?,
    val whenFailing: Any?,
    val snippet: Snippet,
) {
    val instead = ArrayList<Snippet>()

    fun instead(code: suspend Step.(batches: Flow<RecordBatch>) -> Any?): FlowOperator =
        or(Snippet({ code(it.batches) }))

    fun insteadPulled(code: suspend Step.(open: () -> DeviceArrayStream) -> Any?): FlowOperator =
        or(Snippet({ code(it.open) }, pulled = true))

    fun insteadAsync(code: suspend Step.(start: (CAsyncDeviceStreamHandlerStruct) -> Unit) -> Any?): FlowOperator =
        or(Snippet({ code(it.start!!) }, pulled = false))

    private fun or(snippet: Snippet) = apply { instead += snippet }
}

/** The result for all of a stream's batches. */
internal val allNumbers: List<Int> = List(6) { 11 + it }

internal fun operators(rows: Operators.() -> Unit): List<FlowOperator> = Operators().apply(rows).list

internal class Operators {
    val list = ArrayList<FlowOperator>()

    fun works(
        name: String,
        gives: Any? = allNumbers,
        whenFailing: Any? = null,
        code: suspend Step.(batches: Flow<RecordBatch>) -> Any?,
    ): FlowOperator = row(name, Outcome.WORKS, gives, whenFailing, code)

    fun throws(
        name: String,
        gives: Any? = allNumbers,
        code: suspend Step.(batches: Flow<RecordBatch>) -> Any?,
    ): FlowOperator = row(name, Outcome.THROWS, gives, null, code)

    fun needsNewStream(
        name: String,
        gives: Any?,
        code: suspend Step.(batches: Flow<RecordBatch>) -> Any?,
    ): FlowOperator = row(name, Outcome.NEEDS_NEW_STREAM, gives, null, code)

    private fun row(
        name: String,
        outcome: Outcome,
        gives: Any?,
        whenFailing: Any?,
        code: suspend Step.(batches: Flow<RecordBatch>) -> Any?,
    ) = FlowOperator(name, outcome, gives, whenFailing, Snippet({ code(it.batches) })).also { list += it }
}

/** Stands for what a program does with a batch, in the code of the rows as [use]; it may take a while. */
internal class Step(
    private val manner: Manner,
) {
    enum class Manner {
        /** The batch must stay usable for as long as this takes. */
        WHILE_LENT,

        /** Takes so long that the batch is closed in an operator that doesn't wait for it. */
        WHEN_EXPIRED,

        /** Begins and never ends. */
        FOR_EVER,
    }

    /** Complete when [use] waits for ever. */
    val stuck = CompletableDeferred<Unit>()

    private var failed = false

    suspend fun use(batch: RecordBatch): Int {
        when (manner) {
            Manner.WHILE_LENT -> {
                repeat(3) { yield() }
            }

            Manner.WHEN_EXPIRED -> {
                awaitExpiry(batch)
            }

            Manner.FOR_EVER -> {
                stuck.complete(Unit)
                awaitCancellation()
            }
        }
        return batch.number()
    }

    fun failsOnce(number: Int): Int {
        if (number == 13 && !failed) {
            failed = true
            throw IOException("the first time")
        }
        return number
    }

    private suspend fun awaitExpiry(batch: RecordBatch) {
        val start = TimeSource.Monotonic.markNow()
        while (batch.isLive) {
            check(start.elapsedNow() < 10.seconds) { "the row is wrong: the operator waits, so it works" }
            yield()
        }
    }
}
