package dev.arrowdevice.coroutines.stress

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.coroutines.StreamDispatcher
import dev.arrowdevice.coroutines.asFlow
import dev.arrowdevice.coroutines.batchOf
import dev.arrowdevice.coroutines.emitBatch
import dev.arrowdevice.coroutines.exportToStream
import dev.arrowdevice.coroutines.number
import dev.arrowdevice.coroutines.numberSchema
import dev.arrowdevice.coroutines.numbers
import dev.arrowdevice.coroutines.peer
import dev.arrowdevice.peers.PeerDrain
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.PeerStreamOptions
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue

/** The batches of a stream of the C peer begin with this. */
internal const val FIRST_NUMBER = 11

/** The exception that a strike in user code throws, if it doesn't cancel. */
internal class Struck : RuntimeException("struck")

/** The ways to stop a collector: a cancelled job, or a failure of its own. */
internal fun Run.strikeCollector(job: Job) {
    val fails = strike.canThrow && random.nextBoolean()
    plan += if (fails) ", failed" else ", cancelled"
    strike.action = if (fails) ({ throw Struck() }) else ({ job.cancel() })
}

internal inline fun unlessStruck(block: () -> Unit) {
    try {
        block()
    } catch (e: Struck) {
        // As it was meant to be.
    }
}

/** The batches that a collector of a foreign stream has got. */
internal class Delivered(
    private val run: Run,
) {
    private val numbers = mutableListOf<Int>()

    suspend fun take(batch: RecordBatch) {
        numbers += batch.number() - FIRST_NUMBER
        run.delivered.incrementAndGet()
        run.strike.around(Point.EMIT) {
            if (numbers.size % 2 == 0) yield()
            check(batch.number() == numbers.last() + FIRST_NUMBER) { "another batch after a suspension" }
        }
    }

    /** How many of the arrays that came, and were released, were not taken: those that were came once, in order. */
    fun missing(released: List<Int>): Int {
        check(numbers == List(numbers.size) { it }) { "delivered $numbers" }
        check(released.distinct() == released && released.containsAll(numbers)) { "released $released, not $numbers" }
        return released.size - numbers.size
    }
}

/** The C peer's stream as a flow. */
internal object StreamAsFlow : (Run) -> Unit {
    val points =
        listOf(Point.BEFORE_START, Point.SCHEMA, Point.NEXT, Point.EMIT, Point.RELEASE, Point.ELSEWHERE)

    override fun invoke(run: Run) {
        val batches = run.random.nextInt(12)
        val prefetch = if (run.random.nextBoolean()) 0 else 2
        run.plan = "$batches batches, prefetch $prefetch"
        CStruct.arrayStream().use { struct ->
            peer.produceStream(numbers, PeerOptions.rows(3), PeerStreamOptions.batches(batches), struct.address)
            val between = StreamBetween(struct.address, run.strike)
            run.collect(between, prefetch)
            // Nobody has imported it, if the collector was cancelled before.
            if (run.strike.point == Point.BEFORE_START) peer.releaseStream(struct.address)
            between.close()
        }
    }

    private fun Run.collect(
        between: StreamBetween,
        prefetch: Int,
    ) {
        val taken = Delivered(this)
        runBlocking(Dispatchers.Default) {
            val job =
                launch(start = CoroutineStart.LAZY) {
                    // As users write it: what import gives is closed if nobody collects.
                    ArrowImport
                        .importStream(
                            CStruct.arrayStreamAt(between.address),
                        ).use { stream ->
                            unlessStruck { stream.asFlow(StreamDispatcher, prefetch).collect(taken::take) }
                        }
                }
            strikeCollector(job)
            strike.around(Point.BEFORE_START) { strike.begin() }
            job.join()
        }
        produced.set(between.arrays.size)
        discarded = taken.missing(between.arrays.released())
        check(discarded <= prefetch + 1) { "$discarded fetched in vain" }
    }
}

/** A flow that the C peer drains as a stream. */
internal object FlowAsStream : (Run) -> Unit {
    val points =
        listOf(
            Point.BEFORE_START,
            Point.SCHEMA,
            Point.NEXT,
            Point.EMIT,
            Point.BETWEEN,
            Point.FLOW_END,
            Point.RELEASE,
            Point.ELSEWHERE,
        )

    override fun invoke(run: Run) {
        val count = run.random.nextInt(12)
        // Some consumers release the stream before its end.
        val limit = if (run.oneIn(3)) run.random.nextInt(12) else -1
        val drains = PeerDrain.entries.filter { run.oneIn(3) }
        val prefetch = if (run.random.nextBoolean()) 0 else 1 + run.random.nextInt(3)
        val made = Made(run)
        val scope = CoroutineScope(Dispatchers.Default + Job())
        run.strikeExport(scope)
        run.plan += ", $count batches, limit $limit, prefetch $prefetch, $drains"
        CStruct.arrayStream().use { struct ->
            val job =
                run.strike.around(Point.BEFORE_START) {
                    made.flow(count).exportToStream(numberSchema, struct, scope, prefetch = prefetch)
                }
            val between = StreamBetween(struct.address, run.strike)
            run.strike.begin()
            val text = peer.drainStream(between.address, limit, *drains.toTypedArray())
            job.awaitEnd()
            run.strike.settle()
            Thread.interrupted() // It may have been meant for a call that was over.
            run.count(between, made, text, prefetch)
            between.close()
        }
    }

    private fun Run.count(
        between: StreamBetween,
        made: Made,
        text: String,
        prefetch: Int,
    ) {
        check("violation" !in text) { text }
        val numbers = text.lines().filter { it.startsWith("[") }.map { it.filter(Char::isDigit).toInt() }
        delivered.set(numbers.size)
        check(between.arrays.released().size == numbers.size) { "${between.arrays.size} arrays, and:\n$text" }
        discarded = made.discarded(numbers)
        check(discarded <= prefetch + 1) { "$discarded made in vain" }
    }
}

/** Waits on a thread that may be interrupted meanwhile. */
internal fun Job.awaitEnd() {
    val ended = CompletableFuture<Unit>()
    invokeOnCompletion { ended.complete(Unit) }
    ended.join()
}

/** The batches that an exported flow has made, numbered from 0. */
internal class Made(
    private val run: Run,
) {
    private val batches = ConcurrentLinkedQueue<RecordBatch>()

    fun flow(count: Int): Flow<RecordBatch> =
        flow {
            repeat(count) {
                val batch = batchOf(it)
                batches += batch
                run.produced.incrementAndGet()
                try {
                    run.strike.at(Point.EMIT)
                } catch (e: Throwable) {
                    batch.close()
                    throw e
                }
                emitBatch(batch)
                run.strike.at(Point.BETWEEN)
                if (it % 3 == 0) yield()
            }
            run.strike.at(Point.FLOW_END)
        }

    /** How many were not delivered, and closed all the same. */
    fun discarded(delivered: List<Int>): Int {
        check(delivered == List(delivered.size) { it }) { "delivered $delivered" }
        check(batches.none { it.isLive }) { "a batch of the flow is live" }
        return batches.size - delivered.size
    }
}

/**
 * The ways to stop an exported flow: a cancelled job or scope, an interrupt of the run's thread, a failure of the flow.
 */
internal fun Run.strikeExport(scope: CoroutineScope) {
    val worker = Thread.currentThread()
    val (name, action) =
        when (random.nextInt(if (strike.canThrow) 4 else 3)) {
            0 -> "scope cancelled" to { scope.cancel() }
            1 -> "interrupted" to { worker.interrupt() }
            2 -> "job cancelled" to { scope.coroutineContext[Job]!!.children.forEach { it.cancel() } }
            else -> "failed" to { throw Struck() }
        }
    plan = name
    strike.action = action
}
