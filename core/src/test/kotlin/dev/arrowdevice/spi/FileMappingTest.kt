package dev.arrowdevice.spi

import dev.arrowdevice.ArrowCounters
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import kotlin.io.path.deleteExisting
import kotlin.io.path.writeBytes

class FileMappingTest :
    FunSpec({
        fun withFile(
            bytes: ByteArray,
            test: (Path) -> Unit,
        ) {
            val path = Files.createTempFile("mapping", "")
            val before = ArrowCounters.now()
            try {
                path.writeBytes(bytes)
                test(path)
                ArrowCounters.now().minus(before).hostBuffers() shouldBe 0
            } finally {
                path.deleteExisting()
            }
        }

        fun DeviceBuffer.bytes(): List<Byte> =
            ByteArray(byteSize.toInt()).also { memory().get(0, it, 0, it.size) }.toList()

        test("a range has the bytes of the file, and outlives the mapping") {
            withFile(ByteArray(10_000) { it.toByte() }) { path ->
                val range =
                    FileMapping.open(path).use { mapping ->
                        mapping.byteSize shouldBe 10_000
                        ByteArray(3).also { mapping.get(9_997, it) }.toList() shouldBe List(3) { (9_997 + it).toByte() }
                        shouldThrow<IndexOutOfBoundsException> { mapping.get(9_998, ByteArray(3)) }
                        mapping.range(0, 0).let { empty ->
                            empty.byteSize shouldBe 0
                            empty.owner.release()
                        }
                        mapping.range(4_097, 5)
                    }
                range.bytes() shouldBe List(5) { (4_097 + it).toByte() }
                range.owner.release()
            }
        }

        test("a range outside the file is refused, and one after the mapping was closed") {
            withFile(ByteArray(10)) { path ->
                val mapping = FileMapping.open(path)
                for ((offset, size) in listOf(
                    0L to 11L,
                    11L to 0L,
                    -1L to 1L,
                    1L to -1L,
                    Long.MAX_VALUE to 1L,
                    1L to Long.MAX_VALUE,
                )) {
                    shouldThrow<IndexOutOfBoundsException> { mapping.range(offset, size) }.message shouldContain
                        "of a file of 10 bytes"
                }
                repeat(2) { mapping.close() }
                shouldThrow<IllegalStateException> { mapping.range(0, 1) }.message shouldContain "closed"
            }
        }

        test("an empty file has an empty range, and one that does not exist can't be opened") {
            withFile(ByteArray(0)) { path ->
                FileMapping.open(path).use { it.range(0, 0).owner.release() }
            }
            shouldThrow<NoSuchFileException> { FileMapping.open(Path.of("/nonexistent/file")) }
        }

        test("memory as a byte buffer is the same memory, in the machine's byte order, within the range") {
            val buffer = CpuRuntime.INSTANCE.allocate(64)
            val end = buffer.memory().byteSize
            val bytes = buffer.memory().asByteBuffer(8, 16)
            bytes.isDirect shouldBe true
            bytes.remaining() shouldBe 16
            bytes.putInt(4, 77)
            buffer.memory().getInt(12) shouldBe 77
            for ((offset, size) in listOf(end - 4 to 8L, -1L to 8L, 8L to -1L)) {
                withClue("$size bytes at $offset of $end") {
                    shouldThrow<IndexOutOfBoundsException> { buffer.memory().asByteBuffer(offset, size) }
                }
            }
            shouldThrow<IllegalArgumentException> { buffer.memory().asByteBuffer(0, 1L shl 31) }
            buffer.owner.release()
        }
    })
