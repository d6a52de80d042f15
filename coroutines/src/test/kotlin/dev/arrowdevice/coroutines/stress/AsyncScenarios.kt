package dev.arrowdevice.coroutines.stress

import dev.arrowdevice.ForeignException
import dev.arrowdevice.coroutines.asyncDeviceStream
import dev.arrowdevice.coroutines.exportToAsyncHandler
import dev.arrowdevice.coroutines.numberSchema
import dev.arrowdevice.coroutines.numbers
import dev.arrowdevice.coroutines.peer
import dev.arrowdevice.peers.PeerAsyncConsumer
import dev.arrowdevice.peers.PeerAsyncFault
import dev.arrowdevice.peers.PeerAsyncHabit
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.spi.AsyncDiscard
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlin.time.Duration.Companion.seconds

/** More than there is. */
private const val ALL = 1_000L

/** The C peer's async producer, on threads of its own, as a flow. */
internal object AsyncAsFlow : (Run) -> Unit {
    val points = Point.entries - setOf(Point.BETWEEN, Point.FLOW_END)

    private val faults =
        listOf(
            PeerAsyncFault.ERROR_AFTER_CANCEL,
            PeerAsyncFault.END_AFTER_CANCEL,
            PeerAsyncFault.END_NEEDS_DEMAND,
            PeerAsyncFault.FREES_PRODUCER,
            PeerAsyncFault.SURPLUS,
            PeerAsyncFault.CALLS_AFTER_RELEASE,
        )

    /** These hold a lock while they call back, which costs a second where another thread of theirs waits for it. */
    private val slowFaults = listOf(PeerAsyncFault.CANCELS_INLINE, PeerAsyncFault.INLINE_TASKS)

    override fun invoke(run: Run) {
        val window = 1 + run.random.nextInt(4)
        val batches = run.random.nextLong(12)
        val threads = 1 + run.random.nextLong(3)
        var options = PeerAsyncOptions.batches(batches).onThreads(threads)
        val chosen = faults.filter { run.oneIn(8) } + slowFaults.filter { run.oneIn(100) }
        val failsAfter = if (run.oneIn(6) || run.strike.point == Point.ERROR) run.random.nextLong(4) else -1L
        val failing = if (run.oneIn(8)) run.random.nextLong(4) else -1L
        // One that sends tasks within request alone can't go on once nobody requests: it would wait for ever.
        val goesOn = if (PeerAsyncFault.INLINE_TASKS in chosen) 0L else run.random.nextLong(4)
        run.plan =
            "$batches batches from $threads threads, window $window, $goesOn after a cancel, " +
            "fails after $failsAfter, failing task $failing, $chosen"
        options = options.with(*chosen.toTypedArray()).goingOnAfterCancel(goesOn)
        if (failsAfter >= 0) options = options.failing(failsAfter, 5, "on purpose")
        if (failing >= 0) options = options.failingTask(failing, 5, "on purpose")
        val producer = PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), options)
        run.collect(producer, window)
        producer.close()
    }

    private fun Run.collect(
        producer: PeerAsyncProducer,
        window: Int,
    ) {
        val taken = Delivered(this)
        // Only a collector that has enough, or fails, cancels a running stream.
        val most = if (strike.point == Point.CANCEL || oneIn(3)) 1 + random.nextInt(3) else Int.MAX_VALUE
        val discard = AsyncDiscard.entries.random(random)
        plan += ", at most $most, discarding $discard"
        var between: HandlerBetween? = null
        runBlocking(Dispatchers.Default) {
            val flow =
                asyncDeviceStream(window, 30.seconds, discard = discard) { handler ->
                    val passing = HandlerBetween(handler.address, strike).also { between = it }
                    strike.around(Point.START) { producer.start(passing.handler) }
                }
            val job =
                launch(start = CoroutineStart.LAZY) {
                    try {
                        unlessStruck { flow.take(most).collect(taken::take) }
                    } catch (e: ForeignException) {
                        // What the producer was told to do.
                    }
                }
            strikeCollector(job)
            strike.around(Point.BEFORE_START) { strike.begin() }
            job.join()
        }
        strike.settle()
        between?.run {
            count(this, producer, taken)
            close()
        }
    }

    private fun Run.count(
        between: HandlerBetween,
        producer: PeerAsyncProducer,
        taken: Delivered,
    ) {
        producer.await(PeerAsyncProducer.Count.RELEASES, 1)
        check(producer.count(PeerAsyncProducer.Count.VIOLATIONS) == 0L) { producer.log() }
        check(producer.count(PeerAsyncProducer.Count.LATE_CALLS) == 0L) { producer.log() }
        produced.set(producer.count(PeerAsyncProducer.Count.TASKS).toInt())
        val used = between.discarded.get() + between.failed.get() + between.refused.get()
        discarded = used + taken.missing(between.arrays.released())
    }
}

/** A flow that the C peer's async consumer asks for and takes, or cancels, or refuses. */
internal object FlowAsAsync : (Run) -> Unit {
    val points = Point.entries - Point.START

    private val extracts = listOf(null, PeerAsyncHabit.EXTRACTS_INLINE, PeerAsyncHabit.EXTRACTS_ON_THREAD)
    private val habits = PeerAsyncHabit.entries - extracts.filterNotNull().toSet()
    private val rare =
        setOf(PeerAsyncHabit.REQUESTS_ZERO, PeerAsyncHabit.REQUESTS_NEGATIVE, PeerAsyncHabit.CANCELS_IN_SCHEMA)

    override fun invoke(run: Run) {
        val extracting = extracts.random(run.random)
        val chosen = habits.filter { run.oneIn(if (it in rare) 30 else 5) } + listOfNotNull(extracting)
        var options = PeerAsyncConsumer.Options.requesting(run.random.nextLong(5)).with(*chosen.toTypedArray())
        if (run.oneIn(20)) options = options.refusingSchema(12)
        if (run.oneIn(6)) options = options.refusingTask(run.random.nextLong(5))
        if (run.oneIn(6)) options = options.cancellingAt(run.random.nextLong(5))
        val count = run.random.nextInt(12)
        val scope = CoroutineScope(Dispatchers.Default + Job())
        val made = Made(run)
        val consumer = PeerAsyncConsumer(peer, options)
        val between = HandlerBetween(consumer.handler().address, run.strike)
        run.strikeWith(scope, between)
        run.plan += ", $count batches, $options"
        val job =
            run.strike.around(Point.BEFORE_START) {
                made.flow(count).exportToAsyncHandler(numberSchema, between.handler, scope)
            }
        run.strike.begin()
        run.drive(consumer, scope)
        job.awaitEnd()
        check(consumer.count(PeerAsyncConsumer.Count.RELEASES) == 1L) { consumer.log() }
        if (extracting == null) run.useUp(consumer, between)
        run.check(consumer.log())
        consumer.close() // Its thread has then extracted all.
        run.strike.settle()
        run.count(between, made)
        between.close()
    }

    /** A cancel of the consumer, on any thread; of job or scope; a failure of the flow. */
    private fun Run.strikeWith(
        scope: CoroutineScope,
        between: HandlerBetween,
    ) {
        val job = { scope.coroutineContext[Job]!!.children.forEach { it.cancel() } }
        val (name, action) =
            when (random.nextInt(if (strike.canThrow) 4 else 3)) {
                0 -> "scope cancelled" to { scope.cancel() }
                1 -> "job cancelled" to job
                2 -> "consumer cancels" to { if (between.hasSchema) between.cancel() else job() }
                else -> "failed" to { throw Struck() }
            }
        plan = name
        strike.action = action
    }

    /** Asks for more, from the run's thread, and in the end for all or for none. */
    private fun Run.drive(
        consumer: PeerAsyncConsumer,
        scope: CoroutineScope,
    ) {
        consumer.await(PeerAsyncConsumer.Count.SCHEMAS, 1)
        repeat(random.nextInt(4)) { consumer.request(1 + random.nextLong(2)) }
        when (random.nextInt(4)) {
            0 -> consumer.cancelOnThreads(1 + random.nextInt(2))
            1 -> scope.cancel()
            else -> consumer.request(ALL)
        }
    }

    /** Extracts or discards what is kept, long after the stream. */
    private fun Run.useUp(
        consumer: PeerAsyncConsumer,
        between: HandlerBetween,
    ) {
        for (task in 0 until between.came.get().toLong()) {
            if (random.nextBoolean()) consumer.extract(task) else consumer.discard(task)
        }
    }

    private fun Run.check(log: String) {
        // A failure may be on its way when another thread cancels: only a cancel that came first forbids it.
        val allowed = "violation: on_error after cancel"
        check(log.lines().none { it.startsWith("violation") && it != allowed }) { log }
    }

    private fun Run.count(
        between: HandlerBetween,
        made: Made,
    ) {
        val extracted = between.arrays.released()
        check(extracted.distinct() == extracted) { "extracted $extracted" }
        delivered.set(extracted.size)
        val unsent = made.discarded(List(between.came.get()) { it })
        check(unsent <= 1) { "$unsent made in vain" }
        discarded = between.discarded.get() + between.refused.get() + unsent
    }
}
