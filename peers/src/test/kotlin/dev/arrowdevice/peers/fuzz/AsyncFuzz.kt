package dev.arrowdevice.peers.fuzz

import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Metadata
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.peers.PeerAsyncConsumer
import dev.arrowdevice.peers.PeerAsyncFault
import dev.arrowdevice.peers.PeerAsyncHabit
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.peers.Structs
import dev.arrowdevice.peers.async.BatchWork
import dev.arrowdevice.peers.async.Calls
import dev.arrowdevice.peers.async.FailingWork
import dev.arrowdevice.peers.async.Recorder
import dev.arrowdevice.peers.async.batchOf
import dev.arrowdevice.peers.async.openTo
import dev.arrowdevice.peers.async.used
import dev.arrowdevice.peers.withStructs
import dev.arrowdevice.spi.AsyncExport
import dev.arrowdevice.spi.AsyncImport
import dev.arrowdevice.spi.AsyncTask
import kotlin.random.Random

/** Not a cancel that waits for another thread's release: we cancel within callbacks, of which the C peer makes one at a time. */
private val FAULTS =
    PeerAsyncFault.entries - setOf(PeerAsyncFault.NEVER_RELEASES, PeerAsyncFault.CANCEL_AWAITS_RELEASE)

/** Lets a C producer that breaks the specification drive a handler of ours, which uses, discards, refuses and cancels. */
internal fun fuzzAsyncImport(
    random: Random,
    notes: Fuzz.Notes,
): Boolean =
    withStructs {
        val fields = FuzzedFields(random)
        val field = PeerField.batch(fields.field())
        val rows = fields.options()
        val recorder = Fickle(this, random)
        val some = FAULTS.shuffled(random).take(random.nextInt(3))
        // This one makes its calls within requests only, and waits for one after calls that another fault adds.
        val faults = if (PeerAsyncFault.INLINE_TASKS in some) listOf(PeerAsyncFault.INLINE_TASKS) else some
        notes += field.toString().trim().replace('\n', ' ')
        notes += "$rows, $faults"
        // A schema that is left by who refused it is the producer's to release.
        val all = (faults + PeerAsyncFault.GUARDS_SCHEMA).toTypedArray()
        PeerAsyncProducer(CPeer.load(), field, rows, asyncOptions(random).with(*all)).use { producer ->
            val stream = AsyncImport.create(recorder, Validation.FULL)
            producer.start(stream.handler)
            try {
                recorder.awaitRelease()
            } catch (e: AssertionError) {
                throw AssertionError("never released:\n${producer.log()}${recorder.events}", e)
            }
            producer.await(PeerAsyncProducer.Count.RELEASES, 1)
            recorder.awaitCallbacks()
            val violations = producer.log().lines().filter { it.startsWith("violation") }
            check(violations.isEmpty()) { "$violations in\n${producer.log()}" }
            check(producer.used() == producer.count(PeerAsyncProducer.Count.TASKS)) { "unused:\n${producer.log()}" }
            check(stream.isReleased) { "not released" }
            recorder.failure?.let { throw it }
        }
        recorder.extracted > 0
    }

private fun asyncOptions(random: Random): PeerAsyncOptions {
    val batches = random.nextLong(6)
    val text = if (random.oneIn(3)) null else "fails"
    var options = PeerAsyncOptions.batches(batches).onThreads(random.nextLong(1, 4))
    if (random.oneIn(4)) options = options.failing(random.nextLong(batches + 1), random.nextInt(1, 140), text)
    if (random.oneIn(4)) options = options.failingTask(random.nextLong(batches + 1), random.nextInt(1, 140), text)
    if (random.oneIn(4)) options = options.goingOnAfterCancel(random.nextLong(1, 4))
    if (random.oneIn(3)) options = options.withMetadata(metadata(random), metadata(random), metadata(random))
    return options
}

/** A listener of which nobody knows what it will do next. */
private class Fickle(
    private val structs: Structs,
    private val random: Random,
) : Recorder(random.nextLong(4)) {
    private val refusesSchema = random.oneIn(12)

    @Volatile
    var extracted = 0

    @Volatile
    var failure: Throwable? = null

    override fun onSchema(
        stream: AsyncImport,
        field: Field,
        deviceType: Int,
        metadata: Metadata,
    ) {
        super.onSchema(stream, field, deviceType, metadata)
        require(!refusesSchema) { "not this" }
        stream.request(1)
    }

    /** Waits until no callback runs: a cancel within one may call release. */
    fun awaitCallbacks() = synchronized(this) {}

    @Synchronized
    override fun onTask(task: AsyncTask) {
        when (random.nextInt(12)) {
            0 -> task.discard()
            1 -> throw IllegalArgumentException("not this")
            2 -> stream.cancel().also { extract(task) }
            else -> extract(task)
        }
        stream.request(random.nextLong(1, 4))
    }

    private fun extract(task: AsyncTask) {
        try {
            task.extract().use { structs.use(it, random) }
            extracted++
        } catch (e: RuntimeException) {
            if (!isRefusal(e) && e !is ForeignException) failure = e
        } catch (e: AssertionError) {
            failure = e
        }
    }
}

/** Drives a C consumer with habits; we send as long as it asks, and stop in some way. */
internal fun fuzzAsyncExport(
    random: Random,
    notes: Fuzz.Notes,
): Boolean {
    val habits = PeerAsyncHabit.entries.shuffled(random).take(random.nextInt(4))
    var options = PeerAsyncConsumer.Options.requesting(random.nextLong(5)).with(*habits.toTypedArray())
    if (random.oneIn(8)) options = options.refusingSchema(random.nextInt(1, 140))
    if (random.oneIn(4)) options = options.refusingTask(random.nextLong(4))
    if (random.oneIn(4)) options = options.cancellingAt(random.nextLong(4))
    notes += options.toString()
    val (export, sent) =
        PeerAsyncConsumer(CPeer.load(), options).use { consumer ->
            val export = openTo(consumer, Metadata.EMPTY, Calls())
            val sent = send(export, random)
            check(consumer.count(PeerAsyncConsumer.Count.RELEASES) == 1L) { consumer.log() }
            check("violation" !in consumer.log()) { consumer.log() }
            export to sent
        }
    // The consumer is gone, and it extracts what it wants to; the rest it loses, as others do.
    export.reclaim()
    return sent > 0
}

private fun send(
    export: AsyncExport,
    random: Random,
): Int {
    var sent = 0
    try {
        export.start()
        while (sent < 6 && export.isOpen && export.demand > 0) {
            val work = if (random.oneIn(5)) FailingWork(IllegalStateException("no")) else BatchWork(batchOf(sent))
            if (export.offer(work, Metadata.EMPTY)) sent++ else break
        }
        if (export.isOpen && !export.isCancelled) {
            when (random.nextInt(4)) {
                0 -> export.fail(IllegalStateException("enough"))
                1 -> Unit
                else -> export.end()
            }
        }
    } finally {
        export.release()
    }
    return sent
}
