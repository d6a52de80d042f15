package dev.arrowdevice.arrowjava

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.spi.Move
import dev.arrowdevice.spi.Verb
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.dictionary.Dictionary
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider
import org.apache.arrow.vector.ipc.ArrowReader
import org.apache.arrow.vector.types.pojo.Schema

/** The batches of a stream, each loaded into the same root. */
internal class StreamReader private constructor(
    allocator: BufferAllocator,
    private val root: VectorSchemaRoot,
    private val provider: MapDictionaryProvider,
    private val stream: DeviceArrayStream,
) : ArrowReader(allocator) {
    override fun getVectorSchemaRoot(): VectorSchemaRoot = root

    override fun getDictionaryVectors(): Map<Long, Dictionary> = provider.dictionaryIds.associateWith(provider::lookup)

    override fun getDictionaryIds(): Set<Long> = provider.dictionaryIds

    override fun lookup(id: Long): Dictionary? = provider.lookup(id)

    override fun loadNextBatch(): Boolean {
        val batch = stream.nextBatch()
        if (batch == null) {
            root.clear()
            return false
        }
        batch.use { it.loadInto(root, provider) }
        return true
    }

    /** Nothing is read from a channel. */
    override fun bytesRead(): Long = 0

    override fun readSchema(): Schema = root.schema

    override fun close(closeReadSource: Boolean) {
        root.close()
        provider.close()
        if (closeReadSource) closeReadSource()
    }

    override fun closeReadSource() = stream.close()

    companion object {
        fun of(
            stream: DeviceArrayStream,
            allocator: BufferAllocator,
        ): StreamReader {
            val provider = MapDictionaryProvider()
            val schema = stream.schema.toArrowJava(allocator, provider)
            val root = VectorSchemaRoot(schema, schema.fields.map { it.newVector(allocator) }, 0)
            return StreamReader(allocator, root, provider, Move.stream(stream, Verb.WRAP))
        }
    }
}
