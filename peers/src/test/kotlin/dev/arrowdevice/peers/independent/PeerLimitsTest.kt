package dev.arrowdevice.peers.independent

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.peers.arrowjava.build
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldContainIgnoringCase

/** What the independent peers refuse, lose or get wrong. Where such a test fails, a newer version can do more. */
class PeerLimitsTest :
    FunSpec({
        val row = ArrowType.struct(Field.nullable("n", ArrowType.INT32))
        val rows = List(5) { mapOf("n" to it) }
        val bytes = ArrowType.extension("acme.raw", ArrowType.INT32, byteArrayOf(0, -1, 7))

        testWith(arrowRs, "arrow-rs refuses metadata that is no UTF-8, such as an extension type may have") {
            refusal(arrowRs, bytes, listOf(1)) shouldContainIgnoringCase "utf-8"
        }

        testWith(arrowRs, "arrow-rs keeps one value of a duplicate metadata key") {
            echo(arrowRs, Field.nullable("n", ArrowType.INT32).withMetadata(TWICE)).metadata() shouldBe
                Metadata.of("key", "last")
        }

        testWith(arrowGo, "arrow-go keeps metadata as it is, and what is no UTF-8 in it") {
            echo(arrowGo, Field.nullable("n", ArrowType.INT32).withMetadata(TWICE)).metadata() shouldBe TWICE
            echo(arrowGo, Field.nullable("n", bytes)).type() shouldBe bytes
        }

        testWith(arrowGo, "arrow-go refuses lists of the fixed size 0") {
            refusal(arrowGo, ArrowType.fixedSizeList(ArrowType.INT32, 0), listOf(listOf<Int>())) shouldContain
                "list size"
        }

        // The children of a slice are slices already; the struct keeps its offset all the same.
        testWith(arrowGo, "arrow-go counts the offset of a struct twice, so that its child is too short") {
            val field = Field.nullable("s", row)
            arrowGo.take(build(field, rows), field).use { it.slice(2, 3) }.use { theirs ->
                theirs.text shouldBe """[{"n":2},{"n":3},{"n":4}]"""
                shouldThrow<InvalidArrayException> { theirs.toArray() }.message shouldContain
                    "parent's offset 2 and length 3 need 5"
            }
        }

        testWith(arrowGo, "arrow-go keeps the types of a map's keys and values, and not their fields") {
            val key = Field.notNull("k", ArrowType.uuid())
            val map = ArrowType.map(key, Field.notNull("v", ArrowType.INT32), false)
            echo(arrowGo, Field.nullable("m", map)).type() shouldBe
                ArrowType.map(
                    Field.notNull("key", ArrowType.fixedSizeBinary(16)),
                    Field.nullable("value", ArrowType.INT32),
                    false,
                )
        }
    })

private val TWICE = Metadata.of("key", "first", "key", "last")

private fun refusal(
    peer: IndependentPeer,
    type: ArrowType,
    values: List<Any?>,
): String {
    val field = Field.nullable("f", type)
    return build(field, values).use { shouldThrow<PeerFailure> { peer.take(it.share(), field) }.message!! }
}

/** What comes back of a field. */
private fun echo(
    peer: IndependentPeer,
    field: Field,
): Field =
    RecordBatch.of(Schema.of(field), listOf(build(field, listOf()))).use { batch ->
        peer.take(batch.share()).use { theirs -> theirs.toBatch().use { it.schema.field(0) } }
    }
