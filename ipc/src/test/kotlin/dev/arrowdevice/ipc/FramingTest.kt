package dev.arrowdevice.ipc

import dev.arrowdevice.addAll
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.values
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder

/** How messages are told apart in a stream. */
class FramingTest :
    FunSpec({
        test("messages without a continuation may follow ones with it") {
            ReleaseBalance.start().use {
                val bytes = stream()
                val second = bytes.second()
                val mixed = bytes.copyOf(second) + bytes.copyOfRange(second + 4, bytes.size - 8) + ByteArray(4)
                values(mixed) shouldBe listOf(1L, 2L, 3L)
            }
        }

        test("no byte behind the end is read") {
            ReleaseBalance.start().use {
                val input = ByteArrayInputStream(stream() + byteArrayOf(7, 8))
                ArrowStreamReader.open(input).use { reader ->
                    reader.nextBatch()!!.close()
                    reader.nextBatch() shouldBe null
                    input.readAllBytes() shouldBe byteArrayOf(7, 8)
                }
            }
        }
    })

private fun stream(): ByteArray {
    val bytes = ByteArrayOutputStream()
    recordBatch { column<Long>("n") { addAll(1L..3L) } }.use { batch ->
        ArrowStreamWriter.open(bytes, batch.schema).writing { it.write(batch) }
    }
    return bytes.toByteArray()
}

/** Where the second message begins: the first one has no body. */
private fun ByteArray.second(): Int = 8 + ByteBuffer.wrap(this).order(ByteOrder.LITTLE_ENDIAN).getInt(4)

private fun values(bytes: ByteArray): List<Long?> =
    ArrowStreamReader.open(ByteArrayInputStream(bytes)).use { reader ->
        reader.nextBatch()!!.use { batch -> batch.values<Long>("n").toList() }.also { reader.nextBatch() shouldBe null }
    }
