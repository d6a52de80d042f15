package dev.arrowdevice.peers.independent

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.UnionType
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.peers.independent.IndependentPeer.PeerArray
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.filter
import io.kotest.property.checkAll
import kotlinx.coroutines.runBlocking

/**
 * Random batches, nested up to four deep. `-Darrowdevice.iterations.independent=…` tries more of them. A failure prints a
 * seed and the smallest shape that still fails.
 */
internal fun FunSpec.randomTests(
    peer: IndependentPeer,
    limits: PeerLimits,
) {
    val shapes = BatchShape.arb().filter { limits.imports(it.schema) }
    val whole = shapes.filter { !it.unusual || limits.exportsOffsets(it.schema) }
    val sliced = shapes.filter { limits.exportsOffsets(it.schema) }

    testWith(peer, "a random batch and its slice are read") {
        // The text of a union's null in a dictionary depends on whose null it is.
        every(shapes.filter { shape -> shape.schema.fields().none { it.type().contains(::hidesUnion) } }) { shape ->
            val (from, length) = shape.middle()
            shape.build().batch.use { batch ->
                listOf(batch.share(), batch.slice(from, length)).forEach { part ->
                    part.use { peer.take(it.share()).use { theirs -> theirs.text shouldBe textOfBatch(part) } }
                }
            }
        }
    }

    testWith(peer, "a random batch comes back with schema and values") {
        every(whole) { shape ->
            shape.build().batch.use { batch ->
                peer.take(batch.share()).use { theirs ->
                    theirs.toBatch().use {
                        limits.kept.of(it.schema) shouldBe limits.kept.of(shape.schema)
                        textOfBatch(it) shouldBe textOfBatch(batch)
                    }
                }
            }
        }
    }

    testWith(peer, "a slice of a random batch comes back, sliced here or there") {
        every(sliced) { shape ->
            val (from, length) = shape.middle()
            shape.build().batch.use { batch ->
                batch.slice(from, length).use { slice ->
                    val expected = textOfBatch(slice)
                    peer.take(slice.share()).use { it.shouldComeAs(expected) }
                    peer.take(batch.share()).use { it.slice(from, length) }.use { it.shouldComeAs(expected) }
                }
            }
        }
    }

    testWith(peer, "a random batch that the peer has built is read") {
        every(whole.filter { limits.builds(it.schema) }) { shape ->
            shape.build().batch.use { batch ->
                peer.take(batch.share()).use { it.rebuilt() }.use { it.shouldComeAs(textOfBatch(batch)) }
            }
        }
    }

    testWith(peer, "random batches pass the peer in a stream") {
        every(sliced) { shape ->
            val (from, length) = shape.middle()
            val batches = shape.build().batch.use { listOf(it.share(), it.slice(from, length)) }
            val expected = batches.map(::textOfBatch)
            peer.take(DeviceArrayStream.of(shape.schema, batches)).toStream().use { stream ->
                expected.forEach { text -> stream.nextBatch().shouldNotBeNull().use { textOfBatch(it) shouldBe text } }
                stream.nextBatch().shouldBeNull()
            }
        }
    }
}

private fun every(
    shapes: Arb<BatchShape>,
    check: (BatchShape) -> Unit,
) = runBlocking { checkAll(iterations("independent", 500), shapes) { check(it) } }

private fun BatchShape.middle(): Pair<Long, Long> = rowCount / 3L to rowCount - rowCount / 3L - rowCount / 4

private fun PeerArray.shouldComeAs(text: String) = toBatch().use { textOfBatch(it) shouldBe text }

private fun hidesUnion(type: ArrowType) = type is DictionaryType && type.valueType().contains { it is UnionType }
