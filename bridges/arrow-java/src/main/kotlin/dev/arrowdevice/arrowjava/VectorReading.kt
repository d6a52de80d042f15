package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DelicateArrowApi
import dev.arrowdevice.Device
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.TypeId
import dev.arrowdevice.UnionType
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.BufferKind
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.DeviceBuffer
import org.apache.arrow.memory.ArrowBuf
import org.apache.arrow.vector.ExtensionTypeVector
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.complex.DenseUnionVector
import org.apache.arrow.vector.dictionary.DictionaryProvider
import java.nio.ByteBuffer

/** The structure of vectors, and references to their buffers, which [owner] has. */
@OptIn(DelicateArrowApi::class)
internal class VectorReading(
    private val dictionaries: DictionaryProvider?,
) {
    init {
        ZERO.address // Throws, and says why, where memory at an address can't be read: before Java 22.
    }

    val owner = HeldBuffers()

    /**
     * Reads a vector, and takes references to its buffers.
     *
     * @param type that of the vector, with the names and type ids that its own field does not keep
     * @param least the number of values that it has at least, whatever it says: Arrow Java's dense unions set the
     *   numbers of their children to what they would be if each value were used once
     */
    fun read(
        vector: FieldVector,
        type: ArrowType,
        least: Long = 0,
    ): ArrayData {
        val storage = type.storageType()
        val length = maxOf(vector.valueCount.toLong(), least)
        val theirs = theirBuffers(vector, storage)
        val buffers = buffers(vector, storage, theirs, length)
        val dictionary = if (storage is DictionaryType) dictionary(vector, storage) else null
        val children = if (storage.children().isEmpty()) NO_CHILDREN else children(vector, storage, theirs, length)
        return ArrayData(
            type,
            Device.CPU,
            length,
            0,
            nullCount(storage, buffers, length),
            buffers,
            children,
            dictionary,
        )
    }

    private fun nullCount(
        storage: ArrowType,
        buffers: Array<DeviceBuffer?>,
        length: Long,
    ): Long =
        when {
            storage.id() == TypeId.NULL -> length
            storage.layout().hasValidity() && buffers[0] != null -> ArrayData.UNKNOWN_NULL_COUNT
            else -> 0
        }

    /**
     * This also completes what the vector has not written yet, such as the offsets of values at its end that were not
     * set.
     */
    private fun theirBuffers(
        vector: FieldVector,
        storage: ArrowType,
    ): List<ArrowBuf> {
        val layout = storage.layout()
        val buffers = vector.fieldBuffers
        require(if (layout.variadic()) buffers.size >= layout.bufferCount() else buffers.size == layout.bufferCount()) {
            "vector \"${vector.name}\", a ${vector.javaClass.simpleName}, is not of type $storage"
        }
        return buffers
    }

    private fun buffers(
        vector: FieldVector,
        storage: ArrowType,
        theirs: List<ArrowBuf>,
        length: Long,
    ): Array<DeviceBuffer?> {
        val layout = storage.layout()
        val ours = arrayOfNulls<DeviceBuffer>(theirs.size)
        for (i in theirs.indices) {
            if (i >= layout.bufferCount()) {
                ours[i] = held(theirs[i], theirs[i].capacity())
                continue
            }
            val kind = layout.buffers()[i]
            ours[i] =
                when {
                    kind == BufferKind.VALIDITY && length == 0L -> {
                        null
                    }

                    kind == BufferKind.TYPE_IDS -> {
                        typeIds(vector, storage as UnionType, theirs[i], length)
                    }

                    kind == BufferKind.VARIABLE -> {
                        val end = theirs[i - 1].offset(layout.buffers()[i - 1], length)
                        buffer(vector, kind, theirs[i], length, end)
                    }

                    else -> {
                        buffer(vector, kind, theirs[i], length, Ranges.byteSize(kind, storage, length))
                    }
                }
        }
        return ours
    }

    private fun buffer(
        vector: FieldVector,
        kind: BufferKind,
        buffer: ArrowBuf,
        length: Long,
        byteSize: Long,
    ): DeviceBuffer {
        if (buffer.capacity() == 0L && length == 0L) {
            return ZERO.truncate(byteSize)
        }
        require(buffer.capacity() >= byteSize) {
            "vector \"${vector.name}\" of $length values has ${buffer.capacity()} bytes of $kind, not $byteSize"
        }
        return held(buffer, byteSize)
    }

    private fun held(
        buffer: ArrowBuf,
        byteSize: Long,
    ): DeviceBuffer {
        if (byteSize == 0L) return EMPTY
        owner.hold(buffer)
        return DeviceBuffer.ofAddress(Device.CPU, buffer.memoryAddress(), byteSize, owner)
    }

    /**
     * The writers of sparse unions write ids of their own, whatever the field says. These ids are replaced, in a copy,
     * by those of the field.
     */
    private fun typeIds(
        vector: FieldVector,
        type: UnionType,
        buffer: ArrowBuf,
        length: Long,
    ): DeviceBuffer {
        val declared = type.childIndices()
        if (type.id() == TypeId.DENSE_UNION ||
            (0 until length).all { declared[buffer.getByte(it).toInt() and MASK] >= 0 }
        ) {
            return buffer(vector, BufferKind.TYPE_IDS, buffer, length, length)
        }
        val written = vector.plain().childrenFromFields.map { minorTypeId(it.field.type) }
        val copy = CpuRuntime.INSTANCE.allocate(length)
        owner.own(copy.owner)
        for (i in 0 until length) {
            val child = written.indexOf(buffer.getByte(i).toInt())
            require(child >= 0) { "vector \"${vector.name}\": no child of $type has the type id ${buffer.getByte(i)}" }
            copy.memory().putByte(i, type.typeIds()[child].toByte())
        }
        return copy
    }

    private fun dictionary(
        vector: FieldVector,
        type: DictionaryType,
    ): ArrayData {
        val field = vector.field
        val encoding = requireNotNull(field.dictionary) { "vector \"${vector.name}\" is not of type $type" }
        return read(dictionaries.vector(encoding, field), type.valueType())
    }

    private fun children(
        vector: FieldVector,
        type: ArrowType,
        buffers: List<ArrowBuf>,
        length: Long,
    ): Array<ArrayData> {
        val fields = type.children()
        val vectors = childVectors(vector.plain(), type)
        require(
            vectors.size == fields.size,
        ) { "vector \"${vector.name}\" has ${vectors.size} children, not those of $type" }
        val least = ChildLengths.of(type, buffers, length)
        return Array(fields.size) { i -> read(vectors[i], fields[i].type(), least[i]) }
    }

    /** In the order of the type; the field of a dense union has another one. */
    private fun childVectors(
        vector: FieldVector,
        type: ArrowType,
    ): List<FieldVector> =
        if (vector is DenseUnionVector && type is UnionType) {
            type.typeIds().map { vector.getVectorByType(it.toByte()) as FieldVector }
        } else {
            vector.childrenFromFields
        }

    private companion object {
        val NO_CHILDREN = emptyArray<ArrayData>()

        /**
         * One offset of an array without values, for vectors that never allocated one. It lives as long as the process.
         */
        val ZERO: DeviceBuffer = DeviceBuffer.ofByteBuffer(ByteBuffer.allocateDirect(Long.SIZE_BYTES)) {}
        val EMPTY: DeviceBuffer = ZERO.truncate(0)

        /** The largest type id. */
        const val MASK = 127
    }
}

/** The vector that has the values of an extension's. */
internal fun FieldVector.plain(): FieldVector =
    if (this is ExtensionTypeVector<*>) (underlyingVector as FieldVector).plain() else this
