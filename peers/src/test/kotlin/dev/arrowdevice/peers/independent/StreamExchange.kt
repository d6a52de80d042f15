package dev.arrowdevice.peers.independent

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.peers.arrowjava.build
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException

/** Streams of batches in both directions, and through the peer and back. */
internal fun FunSpec.streamTests(
    peer: IndependentPeer,
    theirFailure: String,
) {
    testWith(peer, "our stream is read to its end, and once more, and its batches outlive it") {
        val source = Batches(3)
        val batches =
            peer.take(DeviceArrayStream.of(SCHEMA, source)).use { reader ->
                val batches = List(3) { reader.next().shouldNotBeNull() }
                reader.next().shouldBeNull()
                reader.next().shouldBeNull()
                batches
            }
        source.closings shouldBe 1
        batches.map { it.text } shouldBe List(3) { batchOf(it).use(::textOfBatch) }
        batches.forEach { it.close() }
    }

    testWith(peer, "our stream can be left early, and what was not read is released") {
        val source = Batches(3)
        val first = peer.take(DeviceArrayStream.of(SCHEMA, source)).use { it.next().shouldNotBeNull() }
        source.closings shouldBe 1
        first.use { it.text shouldBe batchOf(0).use(::textOfBatch) }
    }

    testWith(peer, "the message of our failure arrives, after the batches before it") {
        val source = Batches(1, IOException("disk on fire", IllegalStateException("ärger im Keller")))
        peer.take(DeviceArrayStream.of(SCHEMA, source)).use { reader ->
            reader.next().shouldNotBeNull().close()
            val failure = shouldThrow<PeerFailure> { reader.next() }
            failure.message shouldContain "disk on fire"
            failure.message shouldContain "ärger im Keller"
        }
        source.closings shouldBe 1
    }

    testWith(peer, "a stream of the peer is read to its end, and its batches outlive it") {
        val batches =
            batchOf(7).use(peer::take).use { it.toStream(2) }.use { stream ->
                stream.schema shouldBe SCHEMA
                val batches = List(2) { stream.nextBatch().shouldNotBeNull() }
                stream.nextBatch().shouldBeNull()
                stream.nextBatch().shouldBeNull()
                batches
            }
        batches.forEach { batch -> batch.use { valuesOf(it.column(0)) shouldBe numbers(7) } }
    }

    testWith(peer, "a stream of the peer can be left early, or not be read at all") {
        batchOf(0).use(peer::take).use { batch ->
            batch.toStream(3).use { it.nextBatch().shouldNotBeNull().close() }
            batch.toStream(3).close()
            batch.toStream(0).use { it.nextBatch().shouldBeNull() }
        }
    }

    testWith(peer, "the message of the peer's failure arrives, after the batches before it") {
        batchOf(0).use(peer::take).use { it.toStream(1, fails = true) }.use { stream ->
            stream.nextBatch().shouldNotBeNull().close()
            shouldThrow<ForeignException> { stream.nextBatch() }.message shouldContain theirFailure
        }
    }

    testWith(peer, "a stream passes through the peer, and so does the message of its failure") {
        val source = Batches(2, UnsupportedOperationException("not on Sundays"))
        peer.take(DeviceArrayStream.of(SCHEMA, source)).toStream().use { stream ->
            stream.schema shouldBe SCHEMA
            repeat(2) { i -> stream.nextBatch().shouldNotBeNull().use { valuesOf(it.column(0)) shouldBe numbers(i) } }
            shouldThrow<ForeignException> { stream.nextBatch() }.message shouldContain "not on Sundays"
        }
        source.closings shouldBe 1
    }

    testWith(peer, "a stream that passes through the peer can be left early") {
        val source = Batches(3)
        peer.take(DeviceArrayStream.of(SCHEMA, source)).toStream().use { it.nextBatch().shouldNotBeNull().close() }
        source.closings shouldBe 1
    }
}

private val SCHEMA = Schema(listOf(Field.nullable("n", ArrowType.INT32)), Metadata.of("origin", "here"))

/** The values of the only column of batch number i. */
private fun numbers(batch: Int): List<Int?> = List(9) { row -> (batch * 9 + row).takeIf { it % 4 != 3 } }

private fun batchOf(number: Int): RecordBatch = RecordBatch.of(SCHEMA, listOf(build(SCHEMA.field(0), numbers(number))))

internal fun textOfBatch(batch: RecordBatch): String = batch.share().intoStruct().use(::textOf)

/** Batches, and then a failure if there is one. */
private class Batches(
    private val count: Int,
    private val failure: Throwable? = null,
) : Iterator<RecordBatch>,
    AutoCloseable {
    private var next = 0
    var closings = 0
        private set

    override fun hasNext(): Boolean = next < count || failure != null

    override fun next(): RecordBatch = if (next < count) batchOf(next++) else throw failure!!

    override fun close() {
        closings++
    }
}
