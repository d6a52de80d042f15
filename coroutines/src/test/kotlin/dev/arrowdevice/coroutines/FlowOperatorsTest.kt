package dev.arrowdevice.coroutines

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.ForeignException
import dev.arrowdevice.importStream
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.PeerStreamOptions
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.withTimeout
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration.Companion.seconds

private const val BORROWED = "the batch was borrowed from a flow and is closed: the collector is done with it"

/**
 * Each operator on flows of foreign batches does what the table of `docs/flows.md` says, and so does what is to be
 * written instead; however the stream ends, nothing leaks.
 */
class FlowOperatorsTest :
    FunSpec({
        extension(Balance)

        for (row in lendingOperators + keepingOperators) {
            test("${row.name} ${row.outcome.name.lowercase().replace('_', ' ')}") {
                for (way in Way.entries) {
                    for (ending in Ending.entries) {
                        withClue("$way, $ending") { ending.check(row, way) }
                    }
                }
            }

            if (row.instead.isNotEmpty()) {
                test("what to write instead of ${row.name}") {
                    for (way in Way.entries) {
                        for ((number, snippet) in row.instead.withIndex()) {
                            if (snippet.pulled != null && snippet.pulled != way.pulled) continue
                            for (ending in Ending.entries) {
                                withClue(
                                    "$way, $ending, alternative $number",
                                ) { ending.checkInstead(row, snippet, way) }
                            }
                        }
                    }
                }
            }
        }
    })

/** How the batches come. */
private enum class Way(
    val pulled: Boolean,
) {
    CALLING_HERE(true),
    CALLING_ELSEWHERE(true),
    PREFETCHING_HERE(true),
    PREFETCHING_ELSEWHERE(true),
    ASYNC_ONE(false),
    ASYNC_THREE(false),
    ;

    /** Runs [test] with six batches, or three and a failure. At the end everything must have been released. */
    fun run(
        fails: Boolean,
        test: suspend (Given) -> Unit,
    ) {
        ReleaseBalance.start(peer).use { if (pulled) runPulled(fails, test) else runAsync(fails, test) }
    }

    private fun runPulled(
        fails: Boolean,
        test: suspend (Given) -> Unit,
    ) {
        val options = PeerStreamOptions.batches(6).let { if (fails) it.failing(3, 28, "disk full") else it }
        val streams = ArrayList<DeviceArrayStream>()
        val open = {
            importStream {
                peer.produceStream(
                    numbers,
                    PeerOptions.rows(3),
                    options,
                    it.address,
                )
            }.also { streams += it }
        }
        val batches =
            when (this) {
                CALLING_HERE -> open().asFlow(EmptyCoroutineContext)
                CALLING_ELSEWHERE -> open().asFlow()
                PREFETCHING_HERE -> open().asFlow(EmptyCoroutineContext, prefetch = 2)
                else -> open().asFlow(prefetch = 2)
            }
        try {
            runBlocking { withTimeout(20.seconds) { test(Given(batches, open, null)) } }
        } finally {
            // Those that no flow has taken over.
            streams.forEach { it.close() }
        }
    }

    private fun runAsync(
        fails: Boolean,
        test: suspend (Given) -> Unit,
    ) {
        val options = PeerAsyncOptions.batches(6).let { if (fails) it.failing(3, 28, "disk full") else it }
        val producers = ArrayList<PeerAsyncProducer>()
        val start = { handler: CAsyncDeviceStreamHandlerStruct ->
            val producer = PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), options)
            producers += producer
            producer.start(handler)
        }
        val batches = asyncDeviceStream(if (this == ASYNC_ONE) 1 else 3) { start(it) }
        try {
            runBlocking { withTimeout(20.seconds) { test(Given(batches, { error("not pulled") }, start)) } }
            producers.forEach { it.checkDone() }
        } finally {
            producers.forEach { it.close() }
        }
    }
}

/** How a collection ends. */
private enum class Ending {
    WITH_THE_STREAM {
        override fun check(
            row: FlowOperator,
            way: Way,
        ) = way.run(fails = false) { given ->
            val result = attempt(row.snippet, given, row.manner())
            when (row.outcome) {
                Outcome.WORKS -> {
                    result.shouldGive(row.gives)
                }

                Outcome.THROWS -> {
                    result.shouldSay(BORROWED)
                }

                Outcome.NEEDS_NEW_STREAM -> {
                    if (way.pulled) {
                        result.shouldSay(
                            COLLECTED,
                        )
                    } else {
                        result.shouldGive(row.gives)
                    }
                }
            }
        }

        override fun checkInstead(
            row: FlowOperator,
            snippet: Snippet,
            way: Way,
        ) = way.run(fails = false) { attempt(snippet, it, Step.Manner.WHILE_LENT).shouldGive(row.gives) }
    },

    WITH_A_FAILURE {
        override fun check(
            row: FlowOperator,
            way: Way,
        ) = way.run(fails = true) { given ->
            val result = attempt(row.snippet, given, row.manner())
            val failure = result.exceptionOrNull()
            when {
                row.outcome == Outcome.WORKS && row.whenFailing != null -> result.shouldGive(row.whenFailing)
                row.outcome == Outcome.WORKS && row.gives == null -> result.shouldGive(null)
                row.outcome == Outcome.WORKS -> failure.shouldBeInstanceOf<ForeignException>()
                row.outcome == Outcome.THROWS && failure !is ForeignException -> result.shouldSay(BORROWED)
                row.outcome == Outcome.NEEDS_NEW_STREAM && failure !is ForeignException -> result.shouldSay(COLLECTED)
            }
        }

        override fun checkInstead(
            row: FlowOperator,
            snippet: Snippet,
            way: Way,
        ) = way.run(fails = true) {
            val result = attempt(snippet, it, Step.Manner.WHILE_LENT)
            if (result.isSuccess) {
                result.shouldGive(row.gives)
            } else {
                result.exceptionOrNull().shouldBeInstanceOf<ForeignException>()
            }
        }
    },

    WITH_CANCELLATION {
        override fun check(
            row: FlowOperator,
            way: Way,
        ) = cancelled(row.snippet, way)

        override fun checkInstead(
            row: FlowOperator,
            snippet: Snippet,
            way: Way,
        ) = cancelled(snippet, way)

        /** Strikes while a batch is in use and others are in the buffer of an operator that prefetches. */
        private fun cancelled(
            snippet: Snippet,
            way: Way,
        ) = way.run(fails = false) { given ->
            val step = Step(Step.Manner.FOR_EVER)
            supervisorScope {
                val collecting = async(Dispatchers.Default) { snippet.run(step, given) }
                select {
                    step.stuck.onAwait {}
                    collecting.onJoin {}
                }
                collecting.cancelAndJoin()
            }
        }
    },
    ;

    abstract fun check(
        row: FlowOperator,
        way: Way,
    )

    abstract fun checkInstead(
        row: FlowOperator,
        snippet: Snippet,
        way: Way,
    )

    protected suspend fun attempt(
        snippet: Snippet,
        given: Given,
        manner: Step.Manner,
    ): Result<Any?> = runCatching { snippet.run(Step(manner), given) }

    protected fun FlowOperator.manner(): Step.Manner =
        if (outcome == Outcome.THROWS) Step.Manner.WHEN_EXPIRED else Step.Manner.WHILE_LENT

    protected fun Result<Any?>.shouldGive(expected: Any?) {
        val given = getOrThrow()
        if (expected == Some) given shouldBe allNumbers.filter { it in given as List<*> } else given shouldBe expected
    }

    protected fun Result<Any?>.shouldSay(advice: String) {
        val failure = exceptionOrNull()
        failure.shouldBeInstanceOf<IllegalStateException>()
        failure.message shouldContain advice
    }
}
