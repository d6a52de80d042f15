package dev.arrowdevice.peers

import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.lang.foreign.Arena

/** The peer with itself: its decoder reads what its producer wrote, in every layout. */
class CPeerTest :
    FunSpec({
        val peer = CPeer.load()

        fun <T> produced(
            field: PeerField,
            options: PeerOptions,
            block: (schema: Long, array: Long) -> T,
        ): T =
            Arena.ofConfined().use { arena ->
                val schema = arena.allocate(SchemaStruct.SIZE.toLong(), 8).address()
                val array = arena.allocate(ArrayStruct.SIZE.toLong(), 8).address()
                peer.produceSchema(field, schema)
                try {
                    peer.produceArray(schema, options, array)
                    block(schema, array)
                } finally {
                    peer.releaseArray(array)
                    peer.releaseSchema(schema)
                }
            }

        fun text(
            field: PeerField,
            options: PeerOptions,
        ) = produced(field, options, peer::renderArray)

        val layouts =
            listOf(
                PeerOptions.rows(19).with(PeerQuirk.ALL_VALID_BITMAP),
                PeerOptions.rows(19).withOffset(5),
                PeerOptions.rows(19).withTail(3),
                PeerOptions.rows(19).withFirstOffset(4),
                PeerOptions.rows(19).with(PeerQuirk.MISALIGNED),
                PeerOptions.rows(19).withOffset(9).with(PeerQuirk.GUARD_BEHIND),
                PeerOptions.rows(19).with(PeerQuirk.GUARD_BEFORE, PeerQuirk.GARBAGE_NULLS),
            )

        context("a flat array reads the same in every layout") {
            withData(nameFn = { it.format }, PeerCatalogue.flat()) { field ->
                for (nulls in listOf(0L, 3L)) {
                    val plain = text(field, PeerOptions.rows(19).withNullEvery(nulls))
                    for (layout in layouts) text(field, layout.withNullEvery(nulls)) shouldBe plain
                }
            }
        }

        context("a nested array can be read, passes the strict consumer, and its schema is returned unchanged") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.nested()) { field ->
                for (layout in layouts + PeerOptions.rows(0) + PeerOptions.rows(19).withChildOffset(2)) {
                    produced(field, layout.withNullEvery(4)) { schema, array ->
                        peer.renderArray(schema, array)
                        peer.complaints(schema, array, false, false).shouldBeEmpty()
                        peer.renderSchema(schema) shouldBe field.toString()
                    }
                }
            }
        }

        test("values follow the formulas") {
            val rows = PeerOptions.rows(4).withNullEvery(3)
            text(PeerField.of("x", "i"), rows) shouldBe "[11,48,null,122]"
            text(PeerField.of("x", "u"), rows) shouldBe "[\"\",\"é48\",null,\"122\"]"
            text(PeerField.of("x", "g"), rows) shouldBe
                "[f8:4006000000000000,f8:4028000000000000,null,f8:403e800000000000]"
            text(PeerField.of("x", "d:9,2,32"), rows) shouldBe "[11e-2,-48e-2,null,-122e-2]"
            text(PeerField.of("x", "+l", PeerField.of("item", "c").notNull()), rows) shouldBe
                "[[],[11],null,[122,-97,-60]]"
            text(PeerField.of("x", "i"), rows.withSeed(1)) shouldBe "[12,49,null,123]"
        }

        test("the strict consumer notices unusual layouts").config(
            enabledOrReasonIf =
                GuardedMemory.skipped(
                    "the C peer's buffers are neither aligned to 64 bytes nor padded",
                ),
        ) {
            val field = PeerField.of("x", "u")

            fun complaints(options: PeerOptions) =
                produced(field, options) { schema, array -> peer.complaints(schema, array, true, true) }
            complaints(PeerOptions.rows(9).withNullEvery(2).with(PeerQuirk.UNKNOWN_NULL_COUNT)) shouldBe
                listOf("root: null_count is -1, counted 4", "root: a record batch with nulls")
            complaints(PeerOptions.rows(0).with(PeerQuirk.NO_EMPTY_OFFSETS)) shouldBe
                listOf("root: the offsets buffer is NULL")
            complaints(PeerOptions.rows(1).withOffset(1)) shouldBe listOf("root: a record batch with an offset")
            complaints(PeerOptions.rows(1).with(PeerQuirk.MISALIGNED)) shouldBe
                listOf("root: buffer 1 is not aligned to 64 bytes", "root: buffer 2 is not aligned to 64 bytes")
            complaints(PeerOptions.rows(0).withFirstOffset(2)) shouldBe
                listOf("root: the one offset of an empty array is not zero")
        }

        test("a second release is counted and does no harm") {
            val before = peer.counters()
            produced(PeerField.of("x", "u"), PeerOptions.rows(3)) { _, array ->
                Arena.ofConfined().use { arena ->
                    val copy = arena.allocate(ArrayStruct.SIZE.toLong(), 8).address()
                    for (byte in 0 until ArrayStruct.SIZE) {
                        NativeMemory.putByte(copy + byte, NativeMemory.getByte(array + byte))
                    }
                    peer.releaseArray(array)
                    peer.releaseArray(copy)
                }
            }
            peer.counters().unbalancedSince(before) shouldBe
                listOf("1 release callbacks of the C peer were called twice")
        }

        test("ten thousand levels are made and released") {
            val before = peer.counters()
            Arena.ofConfined().use { arena ->
                val schema = arena.allocate(SchemaStruct.SIZE.toLong(), 8).address()
                val array = arena.allocate(ArrayStruct.SIZE.toLong(), 8).address()
                peer.produceDeep(10_000, schema, array)
                peer.counters().liveNodes() - before.liveNodes() shouldBe 20_002
                peer.releaseArray(array)
                peer.releaseSchema(schema)
            }
            peer.counters().unbalancedSince(before).shouldBeEmpty()
        }

        test("a stream is read to its end, or to its failure") {
            val field = PeerField.batch(PeerField.of("n", "i"))
            ReleaseBalance.start(peer).use {
                Arena.ofConfined().use { arena ->
                    val stream = arena.allocate(40, 8).address()
                    peer.produceStream(field, PeerOptions.rows(3), PeerStreamOptions.batches(5), stream)
                    peer.skimStream(stream) shouldBe 15
                    shouldThrow<CPeerException> { peer.skimStream(stream) }.message shouldBe "the stream is released"
                    val failing = PeerStreamOptions.batches(5).failing(2, 5, "disk")
                    peer.produceStream(field, PeerOptions.rows(3), failing, stream)
                    shouldThrow<CPeerException> { peer.skimStream(stream) }.message shouldBe "get_next returned 5: disk"
                }
            }
        }

        test("a checksum differs for different values") {
            val field = PeerField.of("x", "i")
            val sum = produced(field, PeerOptions.rows(5), peer::checksum)
            produced(field, PeerOptions.rows(5).withOffset(2), peer::checksum) shouldBe sum
            produced(field, PeerOptions.rows(5).withSeed(1), peer::checksum) shouldNotBe sum
        }
    })
