package dev.arrowdevice.arrowjava

import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.spi.OwnedArrays
import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.ipc.ArrowReader
import java.io.IOException
import java.io.UncheckedIOException

/** What a reader loads, batch by batch. */
internal class ReaderStream private constructor(
    private val reader: ArrowReader,
    private val root: VectorSchemaRoot,
    private val schema: Schema,
) : DeviceArrayStream() {
    private val struct: Field = schema.toStruct()

    override fun getDeviceType(): Int = DeviceType.CPU

    override fun getField(): Field = struct

    override fun pull(): DeviceArray? {
        if (!unchecked(reader::loadNextBatch)) return null
        val reading = VectorReading(reader)
        try {
            return OwnedArrays.of(reading.rows(root, schema), reading.owner)
        } catch (e: Throwable) {
            reading.owner.release()
            throw e
        }
    }

    override fun closeSource() = unchecked(reader::close)

    companion object {
        fun of(reader: ArrowReader): ReaderStream =
            unchecked {
                val root = reader.vectorSchemaRoot
                ReaderStream(reader, root, root.schema.toSchema(reader))
            }

        private inline fun <R> unchecked(call: () -> R): R =
            try {
                call()
            } catch (e: IOException) {
                throw UncheckedIOException(e)
            }
    }
}
