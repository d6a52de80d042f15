package dev.arrowdevice.ipc

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.ByteArrayInputStream
import java.io.InputStream
import java.io.InterruptedIOException
import java.io.UncheckedIOException
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** What a failure of a channel, or of opening one, leaves behind. */
class FailedSourceTest :
    FunSpec({
        nameSimulatedLibraries()

        test("after a failure within a message, nothing that follows is taken for a message") {
            val bytes = sample().use { streamOf(it, it) }
            val schema = split(bytes)[0].size
            // In the prefix, in the metadata and in the body of the first batch.
            listOf(schema + 4, schema + 40, schema + split(bytes)[1].size - 8).forEach { at ->
                ReleaseBalance.start().use {
                    ArrowStreamReader.open(Interrupted(bytes, at)).use { reader ->
                        shouldThrow<UncheckedIOException> { reader.nextBatch() }
                        val again = shouldThrow<IllegalStateException> { reader.nextBatch() }
                        again.message shouldContain "failed before"
                        again.cause!!.javaClass shouldBe UncheckedIOException::class.java
                    }
                }
            }
        }

        test("after a failure between two messages, as of a read that timed out, the next one is read") {
            val bytes = sample().use { streamOf(it, it) }
            ReleaseBalance.start().use {
                ArrowStreamReader.open(Interrupted(bytes, split(bytes)[0].size)).use { reader ->
                    shouldThrow<UncheckedIOException> { reader.nextBatch() }
                    repeat(2) { reader.nextBatch()!!.close() }
                    reader.nextBatch() shouldBe null
                }
            }
        }

        test("what a reader has taken over is closed if the device that is asked for has no runtime") {
            val bytes = sample().use { streamOf(it) }
            val options = IpcReadOptions.defaults().withDevice(Device(DeviceType.CUDA, 3))
            var closed = false
            val stream =
                object : ByteArrayInputStream(bytes) {
                    override fun close() {
                        closed = true
                    }
                }
            shouldThrow<IllegalStateException> { ArrowStreamReader.open(stream, options) }
            closed shouldBe true

            ReleaseBalance.start().use {
                val buffer = CpuRuntime.INSTANCE.allocate(bytes.size.toLong())
                buffer.memory().put(0, bytes, 0, bytes.size)
                shouldThrow<IllegalStateException> { ArrowStreamReader.open(buffer, options) }
            }
        }

        test("a file that is there is kept if the schema has no form in the format") {
            val twice = ArrowType.dictionary(ArrowType.INT32, ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8))
            withFile { path ->
                path.writeText("kept")
                shouldThrow<IllegalArgumentException> {
                    ArrowFileWriter.open(path, Schema.of(Field.nullable("a", twice)))
                }
                path.readText() shouldBe "kept"
            }
        }
    })

/** A stream that fails once, before the byte at a place, and goes on when it is asked again. */
private class Interrupted(
    private val bytes: ByteArray,
    private val at: Int,
) : InputStream() {
    private var position = 0
    private var failed = false

    override fun read(): Int = ByteArray(1).let { if (read(it, 0, 1) < 0) -1 else it[0].toInt() and 0xFF }

    override fun read(
        target: ByteArray,
        offset: Int,
        length: Int,
    ): Int {
        if (position == at && !failed) {
            failed = true
            throw InterruptedIOException("timed out")
        }
        if (position == bytes.size) return -1
        val count = minOf(length, (if (position < at) at else bytes.size) - position)
        bytes.copyInto(target, offset, position, position + count)
        position += count
        return count
    }
}
