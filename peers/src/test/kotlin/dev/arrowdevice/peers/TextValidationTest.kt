package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.Validation
import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.internal.reading.Bits
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import kotlin.random.Random

private fun bytes(vararg values: Int) = ByteArray(values.size) { values[it].toByte() }

private val TEXTS =
    listOf("", "a", "ascii 1", "twelve bytes", "é", "aé", "€uro", "\uD83D\uDE00", "longer than eight bytes é")

/** Each is malformed by itself; some, one behind the other, make a character. */
private val MALFORMED =
    listOf(
        bytes(0xC3),
        bytes(0xA9),
        bytes(0xE2, 0x82),
        bytes(0xAC),
        bytes(0xFF),
        bytes(0xC0, 0x80),
        bytes(0xED, 0xA0, 0x80),
        bytes(0xF0, 0x9F),
        bytes(0x98, 0x80),
        "eight by".toByteArray() + bytes(0x80),
    )

private fun isUtf8(text: ByteArray): Boolean =
    try {
        Charsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text))
        true
    } catch (_: CharacterCodingException) {
        false
    }

/** The error of full validation for binary values that are imported as strings; null if there is none. */
private fun refusal(
    binary: ArrowType,
    text: ArrowType,
    values: List<ByteArray?>,
    skip: Int,
): String? =
    ArrayBuilder
        .of(binary)
        .use { builder ->
            values.forEach { if (it == null) builder.appendNull() else builder.append(it) }
            builder.finish()
        }.use { whole -> importedAsText(whole.slice(skip.toLong(), whole.length - skip), text) }

/** Takes the array over. */
private fun importedAsText(
    array: DeviceArray,
    text: ArrowType,
): String? =
    CStruct.array().use { struct ->
        ArrowExport.exportArray(array, struct)
        try {
            ArrowImport.importArray(struct, text, Validation.FULL).use { it.length }
            null
        } catch (e: InvalidArrayException) {
            e.message
        }
    }

/** The same where a bitmap marks values null whose bytes are there. */
private fun refusalOfMarked(
    values: List<ByteArray>,
    isValid: (Int) -> Boolean,
): String? {
    val bitmap = CpuRuntime.INSTANCE.allocate(Bits.byteSize(values.size.toLong()))
    Bits.fill(bitmap.memory(), 0, values.size.toLong(), false)
    values.indices.filter(isValid).forEach { Bits.set(bitmap.memory(), it.toLong()) }
    return ArrayBuilder
        .of(ArrowType.BINARY)
        .use { builder ->
            values.forEach(builder::append)
            builder.finish()
        }.use { plain ->
            val (_, offsets, bytes) = List(plain.data.bufferCount, plain.data::buffer)
            val owner = ReferenceCounted.all(bitmap.owner, offsets!!.owner.also { it.retain() })
            val unknown = ArrayData.UNKNOWN_NULL_COUNT
            val buffers = arrayOf(bitmap, offsets, bytes)
            val marked =
                ArrayData(ArrowType.BINARY, Device.CPU, plain.length, 0, unknown, buffers, arrayOf(), null)
            importedAsText(OwnedArrays.of(marked, owner), ArrowType.UTF8)?.substringBefore(" at its byte")
        }
}

private fun shouldBeJudgedOneByOne(
    values: List<ByteArray?>,
    skip: Int = 0,
) {
    val judged = values.drop(skip)
    val first = judged.indexOfFirst { it != null && !isUtf8(it) }
    val expected = if (first < 0) null else "the text at index $first is not UTF-8"
    for ((binary, text) in listOf(
        ArrowType.BINARY to ArrowType.UTF8,
        ArrowType.LARGE_BINARY to ArrowType.LARGE_UTF8,
    )) {
        refusal(binary, text, values, skip)?.substringBefore(" at its byte") shouldBe expected
    }
}

class TextValidationTest :
    FunSpec({
        extension(PeerBalance)

        test("each string must be valid UTF-8 by itself") {
            val random = Random(17)
            repeat(300) { round ->
                val size = listOf(1, 2, 9, 100, 2000)[round % 5]
                val values =
                    MutableList(size) { if (random.nextInt(7) == 0) null else TEXTS.random(random).toByteArray() }
                // None, one, or some one behind the other.
                repeat(random.nextInt(3)) { values[random.nextInt(size)] = MALFORMED.random(random) }
                withClue("round $round") { shouldBeJudgedOneByOne(values, skip = random.nextInt(minOf(size, 12))) }
            }
        }

        test("a character that is cut in two is malformed for every cut") {
            for ((left, right) in listOf(
                bytes(0xC3) to bytes(0xA9),
                bytes(0xE2, 0x82) to bytes(0xAC),
                bytes(0xF0, 0x9F) to bytes(0x98, 0x80),
            )) {
                for (at in listOf(0, 1, 98)) {
                    val values = MutableList<ByteArray?>(100) { "é$it".toByteArray() }
                    values[at] = left
                    values[at + 1] = right
                    shouldBeJudgedOneByOne(values)
                    // The same with nothing in between, and with a string that is empty.
                    values.add(at + 1, ByteArray(0))
                    shouldBeJudgedOneByOne(values)
                }
            }
        }

        test("the first and the last of the characters that two, three and four bytes can have") {
            val leads =
                listOf(0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5)
            val seconds = listOf(0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)
            for (lead in leads) {
                for (second in seconds) {
                    for (more in 0..2) {
                        val text = bytes(lead, second) + ByteArray(more) { if (second < 0x90) -0x80 else -0x41 }
                        shouldBeJudgedOneByOne(listOf(text))
                    }
                }
            }
        }

        test("each byte of an ASCII text is checked") {
            for (size in 1..33) {
                for (at in 0 until size) {
                    val text = ByteArray(size) { 'x'.code.toByte() }
                    text[at] = -1
                    shouldBeJudgedOneByOne(listOf(text))
                }
            }
        }

        test("a null may have any bytes, a value next to it may not") {
            for (size in listOf(3, 100)) {
                for (at in 0 until 3) {
                    val values =
                        List(size) {
                            if (it % 3 ==
                                at
                            ) {
                                MALFORMED[it % MALFORMED.size]
                            } else {
                                "é$it".toByteArray()
                            }
                        }
                    refusalOfMarked(values) { it % 3 != at } shouldBe null
                    refusalOfMarked(values) { it % 3 != at || it == at } shouldBe "the text at index $at is not UTF-8"
                }
            }
        }
    })
