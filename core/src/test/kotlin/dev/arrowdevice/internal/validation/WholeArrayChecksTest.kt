package dev.arrowdevice.internal.validation

import dev.arrowdevice.internal.reading.Offsets
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.HostMemory
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** Checks that work by chunks find an error in each chunk, also at its ends. */
class WholeArrayChecksTest :
    FunSpec({
        val places = listOf(0, 1, 65_535, 65_536, 65_537, 99_999, 100_000)

        test("offsets of 32 bits that descend, pass the limit or are negative") {
            withMemory(4L * (COUNT + 1)) { memory ->
                for (i in 0..COUNT) memory.putInt(4L * i, i)
                Offsets(memory, false).ascend(0, COUNT.toLong(), COUNT.toLong()) shouldBe true
                Offsets(memory, false).ascend(0, COUNT.toLong(), COUNT - 1L) shouldBe false
                for (place in places) {
                    for (wrong in listOf(-1, Int.MIN_VALUE, COUNT + 1, Int.MAX_VALUE)) {
                        memory.putInt(4L * place, wrong)
                        withClue("$wrong at $place") {
                            Offsets(memory, false).ascend(0, COUNT.toLong(), COUNT.toLong()) shouldBe false
                        }
                    }
                    memory.putInt(4L * place, place)
                }
                memory.putInt(4L * 70_000, 69_998)
                Offsets(memory, false).ascend(0, COUNT.toLong(), COUNT.toLong()) shouldBe false
                Offsets(memory, false).ascend(70_000, COUNT.toLong(), COUNT.toLong()) shouldBe true
            }
        }

        test("offsets of 64 bits that descend, pass the limit or are negative") {
            withMemory(8L * (COUNT + 1)) { memory ->
                for (i in 0..COUNT) memory.putLong(8L * i, i.toLong())
                Offsets(memory, true).ascend(0, COUNT.toLong(), COUNT.toLong()) shouldBe true
                for (place in places) {
                    for (wrong in listOf(-1, Long.MIN_VALUE, COUNT + 1L, Long.MAX_VALUE)) {
                        memory.putLong(8L * place, wrong)
                        withClue("$wrong at $place") {
                            Offsets(memory, true).ascend(0, COUNT.toLong(), COUNT.toLong()) shouldBe false
                        }
                    }
                    memory.putLong(8L * place, place.toLong())
                }
            }
        }

        test("a byte that is not ASCII, wherever it is") {
            val size = 600_000L
            withMemory(size) { memory ->
                memory.fill(0, size, 'a'.code.toByte())
                Utf8.isAscii(memory, 3, size - 3) shouldBe true
                for (place in listOf(3, 4, 262_143, 262_144, 262_150, 262_151, 599_998, 599_999)) {
                    memory.putByte(place.toLong(), 0x80.toByte())
                    withClue("at $place") {
                        Utf8.isAscii(memory, 3, size - 3) shouldBe false
                        Utf8Automaton.accepts(memory, 3, size - 3) shouldBe false
                        Utf8.isAscii(memory, 3, place - 3L) shouldBe true
                    }
                    memory.putByte(place.toLong(), 'a'.code.toByte())
                }
            }
        }

        test("strings that are valid UTF-8 only together") {
            val text = "aé€😀z".encodeToByteArray()
            withMemory(text.size.toLong()) { bytes ->
                bytes.put(0, text, 0, text.size)
                Utf8Automaton.accepts(bytes, 0, text.size.toLong()) shouldBe true
                val starts = setOf(0, 1, 3, 6, 10, 11)
                withMemory(24) { offsets ->
                    for (cut in 0..text.size) {
                        listOf(0, cut, text.size).forEachIndexed { i, offset -> offsets.putInt(4L * i, offset) }
                        withClue("cut at $cut") {
                            Utf8.beginCharacters(bytes, Offsets(offsets, false), 0, 2) shouldBe (cut in starts)
                        }
                        listOf(0, cut, text.size).forEachIndexed { i, offset ->
                            offsets.putLong(8L * i, offset.toLong())
                        }
                        withClue("cut at $cut") {
                            Utf8.beginCharacters(bytes, Offsets(offsets, true), 0, 2) shouldBe (cut in starts)
                        }
                    }
                }
            }
        }
    }) {
    private companion object {
        const val COUNT = 100_000
    }
}

private fun withMemory(
    byteSize: Long,
    use: (HostMemory) -> Unit,
) {
    val buffer = CpuRuntime.INSTANCE.allocate(byteSize)
    try {
        use(buffer.memory())
    } finally {
        buffer.owner.release()
    }
}
