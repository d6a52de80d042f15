package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.TypeId
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.BufferKind

/** Where the values of an array are in its buffers. */
internal object Ranges {
    /** The bytes before the value at an index. For bits these are the whole bytes before it. */
    fun start(
        kind: BufferKind,
        type: ArrowType,
        index: Long,
    ): Long = if (kind == BufferKind.VARIABLE) 0 else index * bits(kind, type) / Byte.SIZE_BITS

    /** The size of the buffer of [length] values, in bytes. For [BufferKind.VARIABLE] the offsets have it instead. */
    fun byteSize(
        kind: BufferKind,
        type: ArrowType,
        length: Long,
    ): Long = (entries(kind, type, length) * bits(kind, type) + Byte.SIZE_BITS - 1) / Byte.SIZE_BITS

    /** The number of bits for each value. */
    fun bits(
        kind: BufferKind,
        type: ArrowType,
    ): Int =
        when (kind) {
            BufferKind.VALIDITY -> 1
            BufferKind.DATA -> type.layout().bitWidth()
            BufferKind.OFFSETS32, BufferKind.SIZES32, BufferKind.UNION_OFFSETS -> Int.SIZE_BITS
            BufferKind.OFFSETS64, BufferKind.SIZES64 -> Long.SIZE_BITS
            BufferKind.TYPE_IDS, BufferKind.VARIABLE -> Byte.SIZE_BITS
            BufferKind.VIEWS -> 2 * Long.SIZE_BITS
        }

    /** Offsets have one entry more than there are values, except those of list views. */
    private fun entries(
        kind: BufferKind,
        type: ArrowType,
        length: Long,
    ): Long {
        val isOffset = kind == BufferKind.OFFSETS32 || kind == BufferKind.OFFSETS64
        val isView = type.id() == TypeId.LIST_VIEW || type.id() == TypeId.LARGE_LIST_VIEW
        return if (isOffset && !isView) length + 1 else length
    }
}

/**
 * A child, without what the array's offset and length hide of it. Children that offsets or type ids point into are
 * whole.
 */
internal fun ArrayData.seenChild(index: Int): ArrayData {
    val storage = type.storageType()
    return when (storage.id()) {
        TypeId.STRUCT, TypeId.SPARSE_UNION -> {
            child(index).range(offset, length)
        }

        TypeId.FIXED_SIZE_LIST -> {
            val size = (storage as FixedSizeListType).listSize()
            child(index).range(offset * size, length * size)
        }

        else -> {
            child(index)
        }
    }
}

/** The same array if the range is all of it. */
internal fun ArrayData.range(
    start: Long,
    count: Long,
): ArrayData = if (start == 0L && count == length) this else slice(start, count)
