package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.stream.ArrowJavaStreamExports
import dev.arrowdevice.benchmarks.stream.ArrowJavaStreamReads
import dev.arrowdevice.benchmarks.stream.AsyncReads
import dev.arrowdevice.benchmarks.stream.Caller
import dev.arrowdevice.benchmarks.stream.FlowReads
import dev.arrowdevice.benchmarks.stream.StreamExports
import dev.arrowdevice.benchmarks.stream.StreamReads

private const val FEW = 10_000

private const val MANY = 1_000_000

/** A task whose streams end in C. */
private fun streamTask(
    name: String,
    what: String,
    ours: Measured,
    peer: Peer,
    ratio: Ratio = Ratio.TimesAsFast,
    budget: Double? = null,
) = Task(name, what, ours, peer, ratio, budget, obstacle = ::lackOfCompiler)

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
            Peer("in one of 10,000", streamRead("nextBatch", FEW)),
        ),
    )

private fun streamRead(
    method: String,
    batches: Int,
) = jmh<StreamReads>(method, "batches" to batches, operations = batches.toLong())

private val flows: List<Task> =
    listOf(
        streamTask(
            "flow/here",
            "a microsecond over what a batch takes longer in a flow on the collector's thread than in a loop of get_next in C",
            flow(Caller.HERE, prefetch = 0, FEW),
            Peer("C", streamRead("inC", FEW)),
            Ratio.Allowance(nanos = 1_000.0),
            budget = 1.0,
        ),
        streamTask(
            "flow/here-million",
            "a batch in a flow of a million on the collector's thread",
            flow(Caller.HERE, prefetch = 0, MANY),
            Peer("nextBatch", streamRead("nextBatch", MANY)),
        ),
    ) +
        Caller.entries.flatMap { caller ->
            listOf(0, 1, 4).map { prefetch ->
                streamTask(
                    "flow/${caller.name.lowercase()}-$prefetch",
                    "a batch in a flow with prefetch $prefetch, ${caller.words}",
                    flow(caller, prefetch, FEW),
                    Peer("nextBatch", streamRead("nextBatch", FEW)),
                )
            }
        }

private val Caller.words: String
    get() =
        when (this) {
            Caller.HERE -> "produced on the collector's dispatcher"
            Caller.DEFAULT -> "produced on Dispatchers.Default"
            Caller.STREAMS -> "produced on StreamDispatcher"
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
            "a batch of an async stream of the C peer as a flow, window $window",
            asyncRead("collect", window),
            Peer("C", asyncRead("inC", window)),
        )
    }

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
        streamTask(
            "flow/export",
            "a batch of an exported flow, read by C on another thread",
            streamExport("flow", FEW),
            Peer("arrow-java", jmh<ArrowJavaStreamExports>("reader", "batches" to FEW, operations = FEW.toLong())),
        ),
    )

private fun streamExport(
    method: String,
    batches: Int,
) = jmh<StreamExports>(method, "batches" to batches, operations = batches.toLong())

internal val streamTasks: List<Task> = streamReads + flows + asyncReads + exports
