package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.TypeId
import dev.arrowdevice.UnionType
import dev.arrowdevice.spi.BufferKind
import org.apache.arrow.memory.ArrowBuf

/** How many values the children of a vector have at least, so that its buffers point to values only. */
internal object ChildLengths {
    fun of(
        type: ArrowType,
        buffers: List<ArrowBuf>,
        length: Long,
    ): LongArray =
        when (type.id()) {
            TypeId.STRUCT, TypeId.SPARSE_UNION -> {
                LongArray(type.children().size) { length }
            }

            TypeId.FIXED_SIZE_LIST -> {
                longArrayOf(length * (type as FixedSizeListType).listSize())
            }

            TypeId.LIST, TypeId.MAP -> {
                longArrayOf(buffers[1].offset(BufferKind.OFFSETS32, length))
            }

            TypeId.LARGE_LIST -> {
                longArrayOf(buffers[1].offset(BufferKind.OFFSETS64, length))
            }

            TypeId.LIST_VIEW -> {
                longArrayOf(views(length) { buffers[1].getInt(it * 4).toLong() + buffers[2].getInt(it * 4) })
            }

            TypeId.LARGE_LIST_VIEW -> {
                longArrayOf(views(length) { buffers[1].getLong(it * 8) + buffers[2].getLong(it * 8) })
            }

            TypeId.DENSE_UNION -> {
                dense(type as UnionType, buffers, length)
            }

            else -> {
                LongArray(type.children().size)
            }
        }

    private inline fun views(
        length: Long,
        end: (Long) -> Long,
    ): Long {
        var least = 0L
        for (i in 0 until length) least = maxOf(least, end(i))
        return least
    }

    private fun dense(
        type: UnionType,
        buffers: List<ArrowBuf>,
        length: Long,
    ): LongArray {
        val children = type.childIndices()
        val least = LongArray(type.fields().size)
        for (i in 0 until length) {
            val child = children.getOrElse(buffers[0].getByte(i).toInt()) { -1 }
            require(child >= 0) { "no child of $type has the type id ${buffers[0].getByte(i)}" }
            least[child] = maxOf(least[child], buffers[1].getInt(i * Int.SIZE_BYTES) + 1L)
        }
        return least
    }
}

/** The offset at which the last of [length] values ends. */
internal fun ArrowBuf.offset(
    kind: BufferKind,
    length: Long,
): Long =
    when {
        length == 0L -> 0
        kind == BufferKind.OFFSETS32 -> getInt(length * Int.SIZE_BYTES).toLong()
        else -> getLong(length * Long.SIZE_BYTES)
    }
