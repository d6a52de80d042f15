package dev.arrowdevice.coroutines

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.PeerAsyncConsumer
import dev.arrowdevice.peers.PeerAsyncConsumer.Count
import dev.arrowdevice.peers.PeerAsyncConsumer.Options
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.peers.RebuiltArrays
import dev.arrowdevice.spi.DeviceEvent
import dev.arrowdevice.spi.OwnedArrays
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest

/** How the C peer writes [numberSchema] down. */
internal const val SCHEMA_LINE = "schema 0 0 +s||;1 2 i|n|;"

/** An export under way: the consumer, the job that collects, and the scope of the test, whose time is virtual. */
internal class AsyncExported(
    val consumer: PeerAsyncConsumer,
    val job: Job,
    private val scope: TestScope,
) {
    /** Lets the flow do all that it can do without waiting for the consumer, and says how many tasks have come. */
    @OptIn(ExperimentalCoroutinesApi::class)
    fun tasks(): Long {
        scope.runCurrent()
        return consumer.count(Count.TASKS)
    }

    /** Asks for more and says how many tasks have come. */
    fun request(n: Long): Long {
        consumer.request(n)
        return tasks()
    }
}

/**
 * Exports the flow to a C consumer, in virtual time and on the one thread of the test, so that [test] sees everything
 * that will happen. At the end the job is done, the handler was released once, as the last call, and the consumer found
 * no violation.
 *
 * @return the consumer's log, without the blanks at the ends of lines
 */
internal fun exported(
    options: Options,
    flow: Flow<RecordBatch>,
    deviceType: Int = DeviceType.CPU,
    metadata: Metadata = Metadata.EMPTY,
    batchMetadata: (RecordBatch) -> Metadata = { Metadata.EMPTY },
    test: TestScope.(AsyncExported) -> Unit = {},
): List<String> =
    PeerAsyncConsumer(peer, options).use { consumer ->
        runTest {
            val job =
                flow.exportToAsyncHandler(
                    numberSchema,
                    consumer.handler(),
                    this,
                    deviceType,
                    metadata,
                    batchMetadata,
                )
            val exported = AsyncExported(consumer, job, this)
            exported.tasks()
            test(exported)
            exported.tasks()
            withClue("the job is done") { job.isCompleted shouldBe true }
        }
        consumer.checkDone()
    }

/** The consumer's log, once it was released. */
internal fun PeerAsyncConsumer.checkDone(): List<String> {
    await(Count.RELEASES, 1)
    count(Count.RELEASES) shouldBe 1
    return log().trim().lines().map { it.trimEnd() }.also { log ->
        log.filter { it.startsWith("violation") } shouldBe emptyList()
    }
}

/** Metadata as the C peer writes it down. */
internal fun hex(
    key: String,
    value: String,
): String = PeerField.of("", "n").withMetadata(key, value).metadata

/** A batch of one row that calls [onExtract] when its array is made. */
internal fun watchedBatch(
    value: Int,
    onExtract: () -> Unit,
): RecordBatch {
    val event =
        object : DeviceEvent {
            override fun getDevice(): Device = Device.CPU

            override fun isComplete() = false

            // An export of CPU memory waits, since there is no event for the CPU that it could pass on.
            override fun await() = onExtract()

            override fun whenComplete(action: Runnable) = action.run()

            override fun getSyncEvent() = 0L

            override fun close() = Unit
        }
    val array =
        RebuiltArrays.of(batchOf(value).intoStruct()) { data, owner -> OwnedArrays.of(data, owner, event) }
    return RecordBatch.ofStruct(numberSchema, array)
}
