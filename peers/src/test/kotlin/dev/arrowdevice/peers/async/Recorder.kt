package dev.arrowdevice.peers.async

import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Metadata
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerAsyncProducer.Count
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.spi.AsyncImport
import dev.arrowdevice.spi.AsyncListener
import dev.arrowdevice.spi.AsyncTask
import io.kotest.matchers.shouldBe
import java.util.Collections
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/** A stream of batches with one int32 column `n` of three rows; task k has the values 11 + k, 48 + k, 85 + k. */
val numbers: PeerField = PeerField.batch(PeerField.of("n", "i"))

/** Records its calls, requests [window] tasks, and one more whenever it has used one. */
open class Recorder(
    private val window: Long = 1,
) : AsyncListener {
    val events: MutableList<String> = Collections.synchronizedList(ArrayList())
    val failures: MutableList<RuntimeException> = Collections.synchronizedList(ArrayList())
    private val schemaCame = CountDownLatch(1)
    private val released = CountDownLatch(1)
    lateinit var stream: AsyncImport

    override fun onSchema(
        stream: AsyncImport,
        field: Field,
        deviceType: Int,
        metadata: Metadata,
    ) {
        this.stream = stream
        events += "schema ${field.type()}" + text(metadata)
        if (window > 0) stream.request(window)
        schemaCame.countDown()
    }

    override fun onTask(task: AsyncTask) {
        use(task)
        stream.request(1)
    }

    /** Extracts a task and writes its first value down. */
    fun use(task: AsyncTask) {
        val line =
            try {
                task.extract().use { "batch ${it.child("n").getInt(0)}" }
            } catch (e: ForeignException) {
                "failed ${e.errno}"
            }
        events += line + text(task.metadata)
    }

    override fun onEnd() {
        events += "end"
    }

    override fun onError(failure: RuntimeException) {
        failures += failure
        events += "error ${(failure as? ForeignException)?.errno ?: failure.message}"
    }

    override fun onRelease() {
        events += "release"
        released.countDown()
    }

    fun awaitSchema() {
        schemaCame.await(20, TimeUnit.SECONDS) shouldBe true
    }

    fun awaitRelease() {
        released.await(20, TimeUnit.SECONDS) shouldBe true
    }

    private fun text(metadata: Metadata) = metadata.entries.joinToString("") { " ${it.key}=${it.value}" }
}

/**
 * Lets the C peer drive a handler of ours until it is released; [during] runs meanwhile. At the end the producer found
 * no violation, and every task was used once.
 */
fun exchange(
    options: PeerAsyncOptions,
    recorder: Recorder = Recorder(),
    during: (PeerAsyncProducer, AsyncImport) -> Unit = { _, _ -> },
) {
    PeerAsyncProducer(CPeer.load(), numbers, PeerOptions.rows(3), options).use { producer ->
        val stream = AsyncImport.create(recorder)
        producer.start(stream.handler)
        during(producer, stream)
        recorder.awaitRelease()
        producer.await(Count.RELEASES, 1)
        producer.log().lines().filter { it.startsWith("violation") } shouldBe emptyList()
        producer.used() shouldBe producer.count(Count.TASKS)
        stream.isReleased shouldBe true
    }
}

fun PeerAsyncProducer.used(): Long =
    count(Count.EXTRACTED) + count(Count.DISCARDED) + count(Count.FAILED) + count(Count.REFUSED)

/** Key-value pairs as in `ArrowSchema.metadata`, encoded by hand. */
fun encoded(vararg keysAndValues: String): ByteArray =
    java.util.HexFormat
        .of()
        .parseHex(numbers.withMetadata(*keysAndValues).metadata)
