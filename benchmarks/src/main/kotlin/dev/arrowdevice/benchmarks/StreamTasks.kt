package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.stream.ArrowJavaStreamExports
import dev.arrowdevice.benchmarks.stream.ArrowJavaStreamReads
import dev.arrowdevice.benchmarks.stream.AsyncExports
import dev.arrowdevice.benchmarks.stream.AsyncReads
import dev.arrowdevice.benchmarks.stream.Caller
import dev.arrowdevice.benchmarks.stream.FlowReads
import dev.arrowdevice.benchmarks.stream.StreamExports
import dev.arrowdevice.benchmarks.stream.StreamReads

private const val FEW = 10_000

private const val MANY = 1_000_000

/** A task whose streams are read in C. */
private fun streamTask(
    name: String,
    what: String,
    ours: Measured,
    peer: Peer,
    ratio: Ratio = Ratio.TimesAsFast,
    budget: Double? = null,
    quick: Boolean = budget != null,
) = Task(name, what, ours, peer, ratio, budget, quick, obstacle = ::lackOfCompiler)

private val streamReads: List<Task> =
    listOf(
        streamTask(
            "stream/next",
            "a batch of a stream of C, by nextBatch",
            streamRead("nextBatch", FEW),
            Peer("C", streamRead("inC", FEW)),
        ),
        streamTask(
            "stream/next-arrow-java",
            "a batch of a stream of C, by nextBatch",
            streamRead("nextBatch", FEW),
            Peer("arrow-java", jmh<ArrowJavaStreamReads>("loadNextBatch", "batches" to FEW, operations = FEW.toLong())),
        ),
        streamTask(
            "stream/flat",
            "a batch in a stream of a million, by nextBatch",
            streamRead("nextBatch", MANY),
            Peer("10,000 batches", streamRead("nextBatch", FEW)),
        ),
    )

private fun streamRead(
    method: String,
    batches: Int,
) = jmh<StreamReads>(method, "batches" to batches, operations = batches.toLong())

private val prefetches = listOf(0, 1, 4)

/** The time that the design allows a batch of a flow on top. */
private val allowance = Ratio.Allowance(nanos = 1_000.0)

private val flows: List<Task> =
    listOf(
        streamTask(
            "flow/here",
            "a batch in a flow on the collector's thread, beside a loop of get_next in C",
            flow(Caller.HERE, prefetch = 0, FEW),
            Peer("C", streamRead("inC", FEW)),
            allowance,
            budget = 1.0,
        ),
    ) +
        prefetches.map { prefetch ->
            streamTask(
                "flow/here-million" + if (prefetch == 0) "" else "-$prefetch",
                "a batch in a flow of a million with prefetch $prefetch, ${Caller.HERE.words(prefetch)}",
                flow(Caller.HERE, prefetch, MANY),
                Peer("nextBatch", streamRead("nextBatch", MANY)),
            )
        } +
        Caller.entries.flatMap { caller ->
            prefetches.map { prefetch ->
                // Switching to another coroutine and back for each call takes longer than the design's microsecond.
                val isBudgeted = caller != Caller.STREAMS
                streamTask(
                    "flow/${caller.name.lowercase()}-$prefetch",
                    "a batch in a flow with prefetch $prefetch, ${caller.words(prefetch)}",
                    flow(caller, prefetch, FEW),
                    Peer("nextBatch", streamRead("nextBatch", FEW)),
                    if (isBudgeted) allowance else Ratio.TimesAsFast,
                    budget = if (isBudgeted) 1.0 else null,
                    quick = false,
                )
            }
        }

private fun Caller.words(prefetch: Int): String =
    when (this) {
        Caller.HERE -> {
            "produced on the collector's " +
                if (prefetch == 0) "thread" else "dispatcher, Dispatchers.Default"
        }

        Caller.DEFAULT -> {
            "produced and collected on Dispatchers.Default"
        }

        Caller.STREAMS -> {
            "produced on StreamDispatcher, collected on Dispatchers.Default"
        }
    }

private fun flow(
    caller: Caller,
    prefetch: Int,
    batches: Int,
) = jmh<FlowReads>(
    "collect",
    "caller" to caller,
    "prefetch" to prefetch,
    "batches" to batches,
    operations = batches.toLong(),
)

private val asyncReads: List<Task> =
    listOf(1, 4).map { window ->
        streamTask(
            "async/window-$window",
            "a batch of an async stream of the tests' peer in C, which has a thread of its own, as a flow, window $window",
            asyncRead("collect", window),
            Peer("C", asyncRead("inC", window)),
            budget = if (window == 4) 0.4 else null,
        )
    } +
        streamTask(
            "async/export",
            "a batch of a flow that is sent to an async handler in C, which takes and releases it within the call",
            asyncExport("flow"),
            Peer("C", asyncExport("inC")),
        )

private fun asyncExport(method: String) = jmh<AsyncExports>(method, "batches" to FEW, operations = FEW.toLong())

private fun asyncRead(
    method: String,
    window: Int,
) = jmh<AsyncReads>(method, "batches" to FEW, "window" to window, operations = FEW.toLong())

private val exports: List<Task> =
    listOf(
        streamTask(
            "stream/export",
            "a batch of an exported iterator, read by C",
            streamExport("iterator", FEW),
            Peer("arrow-java", jmh<ArrowJavaStreamExports>("reader", "batches" to FEW, operations = FEW.toLong())),
        ),
        flowExport("flow/export", "made and read by C on the same thread", prefetch = 0, budget = 0.5),
        flowExport(
            "flow/export-4",
            "made on StreamDispatcher, read by C on another thread",
            prefetch = 4,
            budget = 0.5,
        ),
    )

private fun flowExport(
    name: String,
    where: String,
    prefetch: Int,
    budget: Double,
) = streamTask(
    name,
    "a batch of an exported flow with prefetch $prefetch, $where",
    jmh<StreamExports>("flow", "batches" to FEW, "prefetch" to prefetch, operations = FEW.toLong()),
    Peer("arrow-java", jmh<ArrowJavaStreamExports>("reader", "batches" to FEW, operations = FEW.toLong())),
    budget = budget,
)

private fun streamExport(
    method: String,
    batches: Int,
) = jmh<StreamExports>(method, "batches" to batches, operations = batches.toLong())

internal val streamTasks: List<Task> = streamReads + flows + asyncReads + exports
