package dev.arrowdevice.coroutines.stress

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.coroutines.StreamDispatcher
import dev.arrowdevice.coroutines.asFlow
import dev.arrowdevice.coroutines.exportToStream
import dev.arrowdevice.coroutines.numberSchema
import dev.arrowdevice.coroutines.numbers
import dev.arrowdevice.coroutines.peer
import dev.arrowdevice.importStream
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.PeerStreamOptions
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/** More than the processors have cores, and in some runs more than a dispatcher has threads. */
private const val MOST_STAGES = 24

private const val MOST_ON_ONE_THREAD = 4

/** The C peer's stream, through a number of exports and imports of flows, each of which waits for the one before. */
internal object Pipeline : (Run) -> Unit {
    val points = listOf(Point.SCHEMA, Point.NEXT, Point.EMIT, Point.RELEASE, Point.ELSEWHERE)

    override fun invoke(run: Run) {
        val batches = run.random.nextInt(8)
        val depth = 1 + run.random.nextInt(if (run.oneIn(4)) MOST_STAGES else MOST_ON_ONE_THREAD)
        run.plan = "$batches batches, $depth stages"
        CStruct.arrayStream().use { struct ->
            peer.produceStream(numbers, PeerOptions.rows(3), PeerStreamOptions.batches(batches), struct.address)
            val between = StreamBetween(struct.address, run.strike)
            run.collect(between, depth)
            between.close()
        }
    }

    private fun Run.collect(
        between: StreamBetween,
        depth: Int,
    ) {
        val taken = Delivered(this)
        val stages = mutableListOf<DeviceArrayStream>()
        var underWay = 0

        fun prefetch() = (if (oneIn(3)) 1 + random.nextInt(2) else 0).also { underWay += it + 1 }
        val contexts: List<CoroutineContext> = listOf(EmptyCoroutineContext, Dispatchers.Default, StreamDispatcher)
        runBlocking(Dispatchers.Default) {
            val scope = CoroutineScope(Dispatchers.Default + Job())
            stages += ArrowImport.importStream(CStruct.arrayStreamAt(between.address))
            var flow: Flow<RecordBatch> = stages.last().asFlow(StreamDispatcher, prefetch())
            repeat(depth) {
                stages +=
                    importStream { flow.exportToStream(numberSchema, it, scope, contexts.random(random), prefetch()) }
                flow = stages.last().asFlow(StreamDispatcher, prefetch())
            }
            val job = launch(start = CoroutineStart.LAZY) { unlessStruck { flow.collect(taken::take) } }
            strikeCollector(job)
            strike.begin()
            job.join()
            stages.asReversed().forEach { it.close() }
            scope.coroutineContext[Job]!!.cancelAndJoin()
        }
        strike.settle()
        produced.set(between.arrays.size)
        discarded = taken.missing(between.arrays.released())
        check(discarded <= underWay) { "$discarded fetched in vain" }
    }
}
