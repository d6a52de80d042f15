package dev.arrowdevice.peers.async

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.addAll
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.peers.PeerAsyncConsumer
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.AsyncExport
import dev.arrowdevice.spi.AsyncWork
import io.kotest.matchers.shouldBe
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger

/** The schema of [batchOf], which the C peer writes as [SCHEMA_LINE]. */
val numberSchema: Schema = Schema.of(Field.nullable("n", ArrowType.INT32))
const val SCHEMA_LINE = "schema 0 0 +s||;1 2 i|n|; "

fun batchOf(vararg values: Int): RecordBatch = recordBatch { column<Int>("n") { addAll(values.asList()) } }

/** A batch as a task that returns it when it is extracted. */
class BatchWork(
    private val batch: RecordBatch,
) : AsyncWork {
    override fun extract(): DeviceArray = batch.intoStruct()

    override fun discard() = batch.close()
}

/** A task that fails when it is extracted. */
class FailingWork(
    private val failure: RuntimeException,
) : AsyncWork {
    override fun extract(): DeviceArray = throw failure

    override fun discard() = Unit
}

/** Counts what the consumer calls. */
open class Calls : AsyncExport.Listener {
    val requests = AtomicInteger()
    val cancels = AtomicInteger()
    val failures = CopyOnWriteArrayList<Throwable>()

    override fun onRequest() {
        requests.incrementAndGet()
    }

    override fun onCancel() {
        cancels.incrementAndGet()
    }

    override fun onTaskFailure(failure: Throwable) {
        failures += failure
    }
}

fun openTo(
    consumer: PeerAsyncConsumer,
    metadata: Metadata,
    calls: Calls,
): AsyncExport = AsyncExport.open(consumer.handler(), numberSchema.toStruct(), DeviceType.CPU, metadata, calls)

/**
 * Opens an export to a C consumer, which [drive] drives from the test's own thread; released in the end. The consumer has
 * nothing to complain about.
 */
fun export(
    options: PeerAsyncConsumer.Options,
    metadata: Metadata = Metadata.EMPTY,
    calls: Calls = Calls(),
    drive: (AsyncExport, PeerAsyncConsumer) -> Unit,
): List<String> =
    PeerAsyncConsumer(CPeer.load(), options).use { consumer ->
        val export = openTo(consumer, metadata, calls)
        try {
            drive(export, consumer)
        } finally {
            export.release()
        }
        consumer.count(PeerAsyncConsumer.Count.RELEASES) shouldBe 1
        consumer
            .log()
            .trim()
            .lines()
            .also { log -> log.filter { it.startsWith("violation") } shouldBe emptyList() }
    }
