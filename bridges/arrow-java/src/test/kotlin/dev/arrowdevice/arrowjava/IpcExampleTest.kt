package dev.arrowdevice.arrowjava

import dev.arrowdevice.DeviceArrayStream
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import org.apache.arrow.vector.ipc.ArrowFileReader
import org.apache.arrow.vector.ipc.ArrowFileWriter
import org.apache.arrow.vector.ipc.ArrowStreamReader
import org.apache.arrow.vector.ipc.ArrowStreamWriter
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.nio.channels.Channels

/** Arrow Java's readers and writers of the IPC format as sources and sinks. */
class IpcExampleTest :
    FunSpec({
        test("our batches are written to an IPC stream, and read from it") {
            exchange { allocator ->
                val bytes = ByteArrayOutputStream()
                batches().toArrowReader(allocator).use { reader ->
                    ArrowStreamWriter(reader.vectorSchemaRoot, reader, bytes).use { writer ->
                        while (reader.loadNextBatch()) writer.writeBatch()
                        writer.end()
                    }
                }
                val written = ByteArrayInputStream(bytes.toByteArray())
                ArrowStreamReader(written, allocator).toDeviceArrayStream().use { stream ->
                    readAll(stream) shouldBe rows(0, 30)
                }
            }
        }

        test("our batches are written to an IPC file, and read from it") {
            exchange { allocator ->
                val bytes = ByteArrayOutputStream()
                batches().toArrowReader(allocator).use { reader ->
                    ArrowFileWriter(reader.vectorSchemaRoot, reader, Channels.newChannel(bytes)).use { writer ->
                        while (reader.loadNextBatch()) writer.writeBatch()
                        writer.end()
                    }
                }
                val channel = ByteArrayReadableSeekableByteChannel(bytes.toByteArray())
                ArrowFileReader(channel, allocator).toDeviceArrayStream().use { stream ->
                    readAll(stream) shouldBe rows(0, 30)
                }
            }
        }
    }) {
    private companion object {
        fun batches(): DeviceArrayStream = DeviceArrayStream.of(people, List(3) { people(10 * it, 10) })
    }
}
