package dev.arrowdevice

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.byte
import io.kotest.property.arbitrary.byteArray
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.list
import io.kotest.property.arbitrary.pair
import io.kotest.property.arbitrary.string
import io.kotest.property.checkAll
import java.nio.ByteBuffer
import java.nio.ByteOrder

/** Metadata bytes put together from ints and texts. */
internal fun metadataBytes(vararg parts: Any): ByteArray {
    val buffer = ByteBuffer.allocate(1024).order(ByteOrder.nativeOrder())
    for (part in parts) {
        when (part) {
            is Int -> buffer.putInt(part)
            is String -> buffer.put(part.toByteArray())
            else -> error("neither number nor text")
        }
    }
    return buffer.array().copyOf(buffer.position())
}

class MetadataTest :
    FunSpec({
        test("the encoding is the one of the specification's example") {
            val bytes = metadataBytes(1, 4, "key1", 6, "value1")
            Metadata.of("key1", "value1").encode() shouldBe bytes
            Metadata.decode(bytes) shouldBe Metadata.of("key1", "value1")
            bytes.size shouldBe 22
        }

        test("order and repeated keys survive a round trip") {
            val metadata = Metadata.of("b", "1", "a", "2", "b", "3", "", "")
            val back = Metadata.decode(metadata.encode())
            back shouldBe metadata
            back.entries.map { it.key to it.value } shouldBe listOf("b" to "1", "a" to "2", "b" to "3", "" to "")
        }

        test("values and keys that are not UTF-8 survive a round trip") {
            val binary = byteArrayOf(0, -1, -128, 0)
            val bytes = metadataBytes(1, 1) + byteArrayOf(-2) + metadataBytes(4) + binary
            val metadata = Metadata.decode(bytes)
            metadata shouldBe Metadata.ofBytes(byteArrayOf(-2), binary)
            metadata.entries[0].key shouldBe "\uFFFD"
            metadata.encode() shouldBe bytes
            metadata.toString() shouldBe "{\uFFFD: <4 bytes>}"
        }

        test("any metadata survives a round trip") {
            val entries = Arb.list(Arb.pair(Arb.string(0..8), Arb.byteArray(Arb.int(0..8), Arb.byte())), 0..5)
            checkAll(200, entries) { list ->
                val metadata = list.fold(Metadata.EMPTY) { all, (key, value) -> all.plus(key, value) }
                Metadata.decode(metadata.encode()) shouldBe metadata
                metadata.size shouldBe list.size
            }
        }

        test("get returns the first value, getAll every value, and both nothing for an unknown key") {
            val metadata = Metadata.of("a", "1", "b", "ü", "a", "3")
            metadata.get("a") shouldBe "1"
            metadata.getAll("a") shouldBe listOf("1", "3")
            metadata.getBytes("b") shouldBe "ü".toByteArray()
            metadata.contains("b") shouldBe true
            metadata.get("c") shouldBe null
            metadata.getBytes("c") shouldBe null
            metadata.getAll("c").shouldBeEmpty()
            metadata.contains("c") shouldBe false
            metadata.size shouldBe 3
        }

        test("metadata differs by order, key and value") {
            Metadata.of("a", "1", "b", "2") shouldNotBe Metadata.of("b", "2", "a", "1")
            Metadata.of("a", "1") shouldNotBe Metadata.of("a", "2")
            Metadata.of("a", "1") shouldNotBe Metadata.of("b", "1")
            Metadata.of("a", "1").hashCode() shouldBe Metadata.of("a", "1").hashCode()
        }

        test("without removes all entries of the keys, and plus adds an entry") {
            val metadata = Metadata.of("a", "1", "b", "2", "a", "3", "c", "4")
            metadata.without("a", "c") shouldBe Metadata.of("b", "2")
            metadata.without("x") shouldBe metadata
            Metadata.of("a", "1").plus("a", "2") shouldBe Metadata.of("a", "1", "a", "2")
        }

        test("values are copied when they are added and when they are returned") {
            val value = byteArrayOf(1)
            val key = byteArrayOf(75)
            val metadata = Metadata.ofBytes(byteArrayOf(107), value, key, value).plus("l", value)
            value[0] = 2
            key[0] = 76
            metadata.getBytes("k")!![0] = 3
            listOf("k", "K", "l").forEach { metadata.getBytes(it) shouldBe byteArrayOf(1) }
            metadata.get("k") shouldBe "\u0001"
        }

        test("plus does not change its receiver") {
            val one = Metadata.of("a", "1")
            one.plus(Metadata.of("b", "2", "a", "3")) shouldBe Metadata.of("a", "1", "b", "2", "a", "3")
            one shouldBe Metadata.of("a", "1")
        }

        test("a key without a value is refused") {
            shouldThrow<IllegalArgumentException> { Metadata.of("a", "1", "b") }.message shouldBe
                "the last key has no value: b"
            shouldThrow<IllegalArgumentException> { Metadata.ofBytes(byteArrayOf(98)) }
        }

        test("a ByteBuffer of any byte order is read from position to limit and not changed") {
            val encoded = Metadata.of("k", "v").encode()
            val buffer = ByteBuffer.allocateDirect(encoded.size + 5).order(ByteOrder.BIG_ENDIAN)
            buffer.position(3)
            buffer.put(encoded)
            buffer.flip().position(3)
            Metadata.decode(buffer) shouldBe Metadata.of("k", "v")
            buffer.position() shouldBe 3
            buffer.order() shouldBe ByteOrder.BIG_ENDIAN
        }
    })
