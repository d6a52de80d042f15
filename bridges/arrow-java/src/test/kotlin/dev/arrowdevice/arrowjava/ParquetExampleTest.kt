package dev.arrowdevice.arrowjava

import dev.arrowdevice.DeviceArrayStream
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import org.apache.arrow.dataset.file.DatasetFileWriter
import org.apache.arrow.dataset.file.FileFormat
import org.apache.arrow.dataset.file.FileSystemDatasetFactory
import org.apache.arrow.dataset.jni.NativeMemoryPool
import org.apache.arrow.dataset.scanner.ScanOptions
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.vector.ipc.ArrowReader

/** Arrow Java's datasets, which read and write Parquet with Arrow C++. */
class ParquetExampleTest :
    FunSpec({
        val folder = tempdir("parquet").toURI().toString()

        test("our batches are written to Parquet, and read from it") {
            exchange { allocator ->
                DeviceArrayStream.of(people, List(3) { people(10 * it, 10) }).toArrowReader(allocator).use { reader ->
                    DatasetFileWriter.write(allocator, reader, FileFormat.PARQUET, folder)
                }
                scan(allocator, folder) { reader ->
                    reader.toDeviceArrayStream().use { stream ->
                        readAll(stream).sortedBy { it[0] as Int } shouldBe rows(0, 30)
                    }
                }
            }
        }
    }) {
    private companion object {
        fun scan(
            allocator: BufferAllocator,
            folder: String,
            read: (ArrowReader) -> Unit,
        ) {
            val pool = NativeMemoryPool.getDefault()
            FileSystemDatasetFactory(allocator, pool, FileFormat.PARQUET, folder).use { factory ->
                factory.finish().use { dataset ->
                    dataset.newScan(ScanOptions(BATCH_SIZE)).use { scanner -> read(scanner.scanBatches()) }
                }
            }
        }

        const val BATCH_SIZE = 32_768L
    }
}
