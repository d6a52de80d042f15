package dev.arrowdevice.internal.reading

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.builder.MemoryBalance
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import kotlin.random.Random

private const val ROWS = 3_000

/** Texts of all sizes and scripts, which a borrow reads in blocks, whatever the order. */
class TextReadsTest :
    FunSpec({
        extension(MemoryBalance())

        val random = Random(15)
        val scripts = listOf('a'..'z', 'à'..'ÿ', 'Ѐ'..'ӿ', '一'..'鿿')

        fun text(): String? {
            val size = if (random.nextInt(100) == 0) 9_000 else listOf(0, 1, 3, 12, 13, 40, 300).random(random)
            val script = scripts.random(random)
            val letters = CharArray(size) { if (random.nextInt(9) == 0) 'x' else script.random(random) }
            return if (random.nextInt(20) == 0) null else String(letters) + "😀".repeat(random.nextInt(2))
        }

        val texts = List(ROWS) { text() }

        fun DeviceArray.read(indices: Iterable<Int>): List<String?> =
            borrow<List<String?>> { reader -> indices.map { reader.getObject(it.toLong()) as String? } }

        withData(nameFn = { "$it" }, ArrowType.UTF8, ArrowType.LARGE_UTF8, ArrowType.UTF8_VIEW) { type ->
            ArrayBuilder
                .of(type)
                .use { builder ->
                    builder.appendAll(texts).let { _ -> builder.finish() }
                }.use { array ->
                    val orders =
                        listOf(
                            texts.indices,
                            texts.indices.reversed(),
                            texts.indices step 3,
                            texts.indices.shuffled(random),
                            texts.indices.flatMap { listOf(it, it, maxOf(it - 2, 0)) },
                        )
                    for (order in orders) array.read(order) shouldBe order.map { texts[it] }
                    array.slice(7, 100).use { slice -> slice.read(0 until 100) shouldBe texts.subList(7, 107) }
                }
        }

        test("bytes are decoded as the JDK does it, and malformed ones are found") {
            val chars = CharArray(16)
            // Bytes at which the rules of the encoding change, and others.
            val edges =
                intArrayOf(
                    0,
                    0x7F,
                    0x80,
                    0x8F,
                    0x90,
                    0x9F,
                    0xA0,
                    0xBF,
                    0xC0,
                    0xC1,
                    0xC2,
                    0xDF,
                    0xE0,
                    0xED,
                    0xEF,
                    0xF0,
                    0xF4,
                    0xF5,
                    0xFF,
                )
            repeat(500_000) {
                val bytes = ByteArray(1 + random.nextInt(7)) { edges.random(random).toByte() }
                val strict = Charsets.UTF_8.newDecoder()
                val expected =
                    try {
                        strict.decode(ByteBuffer.wrap(bytes)).toString()
                    } catch (_: CharacterCodingException) {
                        null
                    }
                val count = Utf8Decoder.decode(bytes, 0, bytes.size, chars)
                (if (count < 0) null else String(chars, 0, count)) shouldBe expected
            }
        }
    })
