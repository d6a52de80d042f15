package dev.arrowdevice.internal.validation

import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.HostMemory
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import kotlin.random.Random

/** The JDK's decoder is the judge. Texts lie at every place of a word, before and behind other characters. */
class Utf8AutomatonTest :
    FunSpec({
        test("all sequences of one and two bytes") {
            withMemory { memory ->
                for (first in 0..0xFF) {
                    requireAgreement(memory, byteArrayOf(first.toByte()))
                    for (second in 0..0xFF) requireAgreement(memory, byteArrayOf(first.toByte(), second.toByte()))
                }
            }
        }

        test("all sequences of up to four bytes at the ends of the ranges that the standard's table has") {
            val ends =
                listOf(0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED) +
                    listOf(0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF)
            withMemory { memory ->
                for (a in ends) {
                    for (b in ends) {
                        for (c in ends) {
                            requireAgreement(memory, bytes(a, b, c))
                            for (d in ends) requireAgreement(memory, bytes(a, b, c, d))
                        }
                    }
                }
            }
        }

        test("random texts, of which half are spoiled in a byte") {
            withMemory { memory ->
                repeat(20_000) {
                    val random = Random(it)
                    val text = random.text(random.nextInt(1, 40)).encodeToByteArray()
                    if (random.nextBoolean()) text[random.nextInt(text.size)] = random.nextInt().toByte()
                    requireAgreement(memory, text)
                }
            }
        }

        test("an error in the last word of a block, and in the first one of the next, of a long text") {
            val size = 200_000
            val text = "語".repeat(size / 3 + 1).encodeToByteArray().copyOf(size - size % 3)
            val buffer = CpuRuntime.INSTANCE.allocate(text.size.toLong())
            try {
                val memory = buffer.memory()
                memory.put(0, text, 0, text.size)
                Utf8Automaton.accepts(memory, 0, text.size.toLong()) shouldBe true
                Utf8Automaton.accepts(memory, 0, text.size - 1L) shouldBe false
                for (place in listOf(0, 65_535, 65_536, 131_071, 131_072, text.size - 1)) {
                    memory.putByte(place.toLong(), 'a'.code.toByte())
                    Utf8Automaton.accepts(memory, 0, text.size.toLong()) shouldBe false
                    memory.putByte(place.toLong(), text[place])
                }
            } finally {
                buffer.owner.release()
            }
        }
    })

private const val ROOM = 256L

private fun bytes(vararg values: Int) = ByteArray(values.size) { values[it].toByte() }

private fun Random.text(length: Int) =
    buildString {
        repeat(length) {
            when (nextInt(4)) {
                0 -> append('a' + nextInt(26))
                1 -> append('é')
                2 -> append('語')
                else -> append("😀")
            }
        }
    }

private fun withMemory(use: (HostMemory) -> Unit) {
    val buffer = CpuRuntime.INSTANCE.allocate(ROOM)
    try {
        use(buffer.memory())
    } finally {
        buffer.owner.release()
    }
}

private fun requireAgreement(
    memory: HostMemory,
    text: ByteArray,
) {
    val expected = decodes(text)
    for (start in 0L..7L) {
        memory.put(start, text, 0, text.size)
        check(Utf8Automaton.accepts(memory, start, text.size.toLong()) == expected) {
            "${text.toHexString()} is UTF-8: $expected, at offset $start"
        }
    }
    // Within other text, so that the sequence lies in words.
    val around = "aé".encodeToByteArray() + text + "語 and more than a word".encodeToByteArray()
    val expectedWithin = decodes(around)
    memory.put(0, around, 0, around.size)
    check(Utf8Automaton.accepts(memory, 0, around.size.toLong()) == expectedWithin) {
        "${around.toHexString()} is UTF-8: $expectedWithin"
    }
}

private fun decodes(text: ByteArray): Boolean =
    try {
        Charsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text))
        true
    } catch (_: CharacterCodingException) {
        false
    }
