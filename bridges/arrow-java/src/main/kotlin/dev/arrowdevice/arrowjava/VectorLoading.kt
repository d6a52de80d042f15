package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.BufferKind
import dev.arrowdevice.spi.DeviceBuffer
import org.apache.arrow.memory.ArrowBuf
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.dictionary.DictionaryProvider
import org.apache.arrow.vector.ipc.message.ArrowFieldNode

/**
 * Loads arrays of ours into vectors. Vectors know no offset, so the buffers of a slice begin where its values do; what
 * can't begin there, because it would begin within a byte or counts from the start, is copied.
 *
 * @param memory the allocation that all buffers are parts of
 * @param copies has those that are not
 */
internal class VectorLoading(
    private val memory: ArrowBuf,
    private val copies: Copies,
    private val dictionaries: DictionaryProvider?,
) {
    fun load(
        vectors: List<FieldVector>,
        arrays: List<ArrayData>,
    ) {
        for (i in vectors.indices) {
            load(vectors[i], arrays[i])
        }
    }

    fun load(
        vector: FieldVector,
        data: ArrayData,
    ) {
        if (data.length > Int.MAX_VALUE) {
            throw UnsupportedOperationException(
                "vector \"${vector.name}\": vectors have at most ${Int.MAX_VALUE} values, not ${data.length}",
            )
        }
        val storage = data.type.storageType()
        require(vector.fits(storage)) { "vector \"${vector.name}\", a ${vector.minorType}, is not of type $storage" }
        val buffers = if (data.bufferCount == 0) emptyList() else buffers(data, storage)
        if (storage is RunEndEncodedType) {
            loadRuns(vector, data, storage)
        } else if (data.dictionary != null) {
            loadDictionary(vector, data.dictionary!!)
        } else if (data.childCount > 0) {
            loadChildren(vector, data)
        }
        vector.loadFieldBuffers(ArrowFieldNode(data.length, 0), buffers)
    }

    private fun loadDictionary(
        vector: FieldVector,
        dictionary: ArrayData,
    ) {
        val field = vector.field
        val encoding = requireNotNull(field.dictionary) { "vector \"${field.name}\" is not dictionary-encoded" }
        load(dictionaries.vector(encoding, field), dictionary)
    }

    private fun loadChildren(
        vector: FieldVector,
        data: ArrayData,
    ) {
        val children = childVectors(vector, data)
        for (i in children.indices) {
            load(children[i], data.seenChild(i))
        }
    }

    private fun childVectors(
        vector: FieldVector,
        data: ArrayData,
    ): List<FieldVector> {
        val children = vector.childrenFromFields
        if (children.size != data.childCount) {
            throw UnsupportedOperationException(
                "vector \"${vector.name}\" has ${children.size} children for ${data.childCount} fields: of two " +
                    "fields of one name arrow-java keeps the last; its property arrow.struct.conflict.policy says so",
            )
        }
        return children
    }

    private fun loadRuns(
        vector: FieldVector,
        data: ArrayData,
        storage: RunEndEncodedType,
    ) {
        val (ends, values) = childVectors(vector, data)
        val runs = Runs.of(data)
        val seenEnds = data.child(0).range(runs.first, runs.count)
        load(values, data.child(1).range(runs.first, runs.count))
        if (data.offset == 0L) {
            load(ends, seenEnds)
        } else {
            val width =
                storage
                    .runEnds()
                    .type()
                    .layout()
                    .bitWidth() / Byte.SIZE_BITS
            val rebased = copies.make(runs.count * width, runs.rebased(width))
            ends.loadFieldBuffers(ArrowFieldNode(runs.count, 0), listOf(copies.ones(runs.count), rebased))
        }
    }

    private fun buffers(
        data: ArrayData,
        storage: ArrowType,
    ): List<ArrowBuf> {
        val layout = storage.layout()
        val fixed = layout.bufferCount()
        val buffers = ArrayList<ArrowBuf>(data.bufferCount)
        for (i in 0 until fixed) {
            buffers += buffer(layout.buffers()[i], storage, data, data.buffer(i))
        }
        for (i in fixed until data.bufferCount) {
            buffers += whole(data.buffer(i))
        }
        return buffers
    }

    private fun buffer(
        kind: BufferKind,
        storage: ArrowType,
        data: ArrayData,
        buffer: DeviceBuffer?,
    ): ArrowBuf {
        val byteSize = Ranges.byteSize(kind, storage, data.length)
        return when {
            kind == BufferKind.VARIABLE -> {
                whole(buffer)
            }

            // One offset, which an empty array may be without.
            data.length == 0L && byteSize > 0 && (buffer == null || buffer.byteSize < byteSize) -> {
                copies.make(byteSize, ByteArray(byteSize.toInt()))
            }

            byteSize == 0L -> {
                copies.empty
            }

            // Otherwise Arrow Java would allocate bits for each vector.
            buffer == null && kind == BufferKind.VALIDITY -> {
                copies.ones(data.length)
            }

            buffer == null -> {
                copies.empty
            }

            Ranges.bits(kind, storage) == 1 && data.offset % Byte.SIZE_BITS != 0L -> {
                copies.bits(buffer, data.offset, data.length)
            }

            else -> {
                part(buffer, Ranges.start(kind, storage, data.offset), byteSize)
            }
        }
    }

    private fun whole(buffer: DeviceBuffer?): ArrowBuf =
        if (buffer == null || buffer.byteSize == 0L) copies.empty else part(buffer, 0, buffer.byteSize)

    private fun part(
        buffer: DeviceBuffer,
        start: Long,
        byteSize: Long,
    ): ArrowBuf =
        ArrowBuf(memory.referenceManager, null, byteSize, buffer.address + start).also { it.writerIndex(byteSize) }
}
