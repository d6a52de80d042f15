package dev.arrowdevice.coroutines

import com.sun.management.ThreadMXBean
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.peers.PeerStreamOptions
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import java.lang.management.ManagementFactory
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/** The cost of a batch in a plain loop over `nextBatch()` and in a flow, in nanoseconds, from interleaved rounds. */
internal class FlowCost(
    val what: String,
    val nanosBare: Double,
    val nanosFlow: Double,
    val nanosMore: Double,
) {
    override fun toString(): String =
        "%-44s %,7.0f ns a batch, the bare loop %,7.0f ns: %+,7.0f ns".format(what, nanosFlow, nanosBare, nanosMore)
}

/** Measures the flow of a foreign stream of many small batches, and the loop that does the same. */
internal class FlowCosts(
    private val rounds: Int = 41,
    private val batches: Int = 2_000,
) {
    /** On one thread, in its CPU time. */
    fun here(): FlowCost =
        compare("asFlow(EmptyCoroutineContext), CPU time", { threads.currentThreadCpuTime }) { stream ->
            runBlocking { stream.asFlow(EmptyCoroutineContext, prefetch = 0).collect {} }
        }

    /** Across threads, in elapsed time. */
    fun elsewhere(
        what: String,
        context: CoroutineContext,
        prefetch: Int,
    ): FlowCost =
        compare("$what, elapsed", System::nanoTime) { stream ->
            runBlocking(Dispatchers.Default) { stream.asFlow(context, prefetch).collect {} }
        }

    private fun compare(
        what: String,
        clock: () -> Long,
        flow: (DeviceArrayStream) -> Unit,
    ): FlowCost {
        val bare = { stream: DeviceArrayStream -> while (true) stream.nextBatch()?.close() ?: break }
        repeat(WARM_UP_ROUNDS) {
            nanosPerBatch(clock, bare)
            nanosPerBatch(clock, flow)
        }
        val pairs = List(rounds) { nanosPerBatch(clock, bare) to nanosPerBatch(clock, flow) }
        return FlowCost(
            what,
            median(pairs.map { it.first }),
            median(pairs.map { it.second }),
            median(pairs.map { it.second - it.first }),
        )
    }

    private fun nanosPerBatch(
        clock: () -> Long,
        read: (DeviceArrayStream) -> Unit,
    ): Double =
        withPeerStream(PeerStreamOptions.batches(batches)) { stream ->
            val start = clock()
            read(stream)
            (clock() - start).toDouble() / batches
        }

    private fun median(figures: List<Double>): Double = figures.sorted()[figures.size / 2]

    private companion object {
        val threads = ManagementFactory.getThreadMXBean() as ThreadMXBean
        const val WARM_UP_ROUNDS = 20
    }
}
