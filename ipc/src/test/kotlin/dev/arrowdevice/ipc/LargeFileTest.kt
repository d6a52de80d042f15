package dev.arrowdevice.ipc

import com.google.flatbuffers.FlatBufferBuilder
import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.ipc.internal.format.MessageEncoder
import dev.arrowdevice.ipc.internal.format.SchemaPlan
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.UncheckedIOException
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.channels.FileChannel
import java.nio.channels.WritableByteChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption
import kotlin.io.path.fileSize

private const val GIB = 1L shl 30

/** Files beyond 2 GiB, with holes in place of zeros, so that they need neither the time nor the disk. */
class LargeFileTest :
    FunSpec({
        val modern = Runtime.version().feature() >= 22

        test("any batch of a file of more than 2 GiB is read, with footer and without, on every Java") {
            ReleaseBalance.start().use {
                withFile { path ->
                    zeros(32L shl 20).use { large ->
                        // 256 MiB.
                        writeWithHoles(path, large.schema) { writer ->
                            for (i in 0L..9L) {
                                marked(i).use(writer::write)
                                writer.write(large)
                            }
                            marked(10).use(writer::write)
                        }
                    }
                    path.fileSize() shouldBeGreaterThan 2 * GIB + GIB / 4
                    arrowFile(path).use { file -> readsAllMarks(file) }
                    truncate(path, path.fileSize() - 10)
                    ArrowFile.recover(path).use { file -> readsAllMarks(file) }
                }
            }
        }

        test(
            "a batch of more than 2 GiB is refused by default; with a higher limit it is read from Java 22 on, before that named",
        ) {
            ReleaseBalance.start().use {
                withFile { path ->
                    val rows = 300L shl 20 // 2.3 GiB in one buffer.
                    writeLargeBatch(path, rows)
                    arrowFile(path).use { file ->
                        file.rowCount(0) shouldBe rows
                        shouldThrow<ArrowIpcException> { file.batch(0) }.message shouldContain "limit is 2147483648"
                    }
                    arrowFile(path, IpcReadOptions.defaults().withMaxBatchBytes(3 * GIB)).use { file ->
                        if (modern) {
                            file.batch(0).use { batch ->
                                batch.rowCount shouldBe rows
                                batch.column(0).getLong(rows - 1) shouldBe 77
                                batch.column(0).getLong(rows / 2) shouldBe 0
                            }
                        } else {
                            shouldThrow<UncheckedIOException> { file.batch(0) }.message shouldContain "less than 2 GiB"
                        }
                    }
                }
            }
        }
    })

/** Every second batch is one row with its number; the others are zeros. */
private fun readsAllMarks(file: ArrowFile) {
    file.batchCount shouldBe 21
    for (i in listOf(20, 0, 18, 2, 16, 10)) {
        file.batch(i).use { it.column(0).getLong(0) shouldBe i / 2L }
    }
    file.rowCount(19) shouldBe (32L shl 20)
    file.batch(19).use { it.column(0).getLong((32L shl 20) - 1) shouldBe 0 }
}

private val SCHEMA = Schema.of(Field.notNull("n", ArrowType.INT64))

private fun batch(
    rows: Long,
    values: DeviceBuffer,
): RecordBatch {
    val column = ArrayData(ArrowType.INT64, Device.CPU, rows, 0, 0, arrayOf(null, values), emptyArray(), null)
    val struct =
        ArrayData(ArrowType.struct(SCHEMA.fields()), Device.CPU, rows, 0, 0, arrayOf(null), arrayOf(column), null)
    return OwnedArrays.batchOf(SCHEMA, struct, values.owner, null)
}

private fun zeros(rows: Long): RecordBatch =
    batch(
        rows,
        DeviceBuffer.ofByteBuffer(ByteBuffer.allocateDirect((rows * 8).toInt())) {
        },
    )

private fun marked(number: Long): RecordBatch {
    val bytes = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder())
    bytes.putLong(0, number)
    return batch(1, DeviceBuffer.ofByteBuffer(bytes) {})
}

private fun writeWithHoles(
    path: Path,
    schema: Schema,
    body: (ArrowFileWriter) -> Unit,
) = ArrowFileWriter.open(Holes(openToWrite(path)), schema, IpcWriteOptions.defaults()).writing { body(it) }

/** A file of one batch, whose only buffer is larger than any that Java 17 could write. All values but the last are 0. */
private fun writeLargeBatch(
    path: Path,
    rows: Long,
) {
    val schema = schemaMessage(SCHEMA)
    val batch =
        batchMessage(rows, longArrayOf(rows, 0), longArrayOf(0, 0, 0, rows * 8), LongArray(0), rows * 8, ByteArray(0))
    val offset = 8L + schema.size
    val footer = FlatBufferBuilder()
    val places = longArrayOf(offset, batch.size.toLong(), rows * 8)
    MessageEncoder.footer(footer, SchemaPlan.of(SCHEMA), LongArray(0), places, Metadata.EMPTY)
    val end = ByteBuffer.allocate(footer.sizedByteArray().size + 26).order(ByteOrder.LITTLE_ENDIAN)
    end
        .putLong(
            77,
        ).putLong(0xFFFFFFFFL)
        .put(footer.sizedByteArray())
        .putInt(footer.sizedByteArray().size)
        .put("ARROW1".toByteArray())
    openToWrite(path).use { file ->
        file.write(ByteBuffer.wrap("ARROW1\u0000\u0000".toByteArray() + schema + batch))
        file.write(end.flip(), offset + batch.size + (rows - 1) * 8)
    }
}

private fun openToWrite(path: Path) =
    FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)

private fun truncate(
    path: Path,
    byteSize: Long,
) = FileChannel.open(path, StandardOpenOption.WRITE).use { it.truncate(byteSize) }

/** A file in which zeros are not written, but skipped. */
private class Holes(
    private val file: FileChannel,
) : WritableByteChannel by file {
    private val zeros = ByteBuffer.allocateDirect(1 shl 26)

    override fun write(bytes: ByteBuffer): Int {
        val count = bytes.remaining()
        if (count < zeros.capacity() || bytes.mismatch(zeros) >= 0) return file.write(bytes)
        bytes.position(bytes.limit())
        file.position(file.position() + count)
        return count
    }
}
