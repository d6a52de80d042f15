package dev.arrowdevice.arrowjava

import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.HostMemory
import java.nio.ByteBuffer
import java.nio.ByteOrder

/** The runs that a range of a run-end encoded array has a part in. */
internal class Runs private constructor(
    private val array: ArrayData,
    /** The index of the first one. */
    val first: Long,
    /** How many. */
    val count: Long,
) {
    /** Their ends, counted from the start of the range. */
    fun rebased(width: Int): ByteArray {
        val ends = Ends(array.child(0), width)
        val bytes = ByteBuffer.allocate(Math.toIntExact(count * width)).order(ByteOrder.nativeOrder())
        for (i in first until first + count) {
            val end = minOf(ends[i] - array.offset, array.length)
            when (width) {
                Short.SIZE_BYTES -> bytes.putShort(end.toShort())
                Int.SIZE_BYTES -> bytes.putInt(end.toInt())
                else -> bytes.putLong(end)
            }
        }
        return bytes.array()
    }

    companion object {
        fun of(array: ArrayData): Runs {
            if (array.length == 0L) return Runs(array, 0, 0)
            val runEnds = array.child(0)
            val ends = Ends(runEnds, runEnds.type.layout().bitWidth() / Byte.SIZE_BITS)
            val first = ends.runOf(array.offset)
            return Runs(array, first, ends.runOf(array.offset + array.length - 1) - first + 1)
        }
    }

    private class Ends(
        private val array: ArrayData,
        private val width: Int,
    ) {
        private val memory: HostMemory? = array.buffer(1)?.memory()

        operator fun get(run: Long): Long {
            val at = (array.offset + run) * width
            return when (width) {
                Short.SIZE_BYTES -> memory!!.getShort(at).toLong()
                Int.SIZE_BYTES -> memory!!.getInt(at).toLong()
                else -> memory!!.getLong(at)
            }
        }

        /** The run of the value at [index]: the first run whose end is greater. */
        fun runOf(index: Long): Long {
            var low = 0L
            var high = array.length - 1
            while (low < high) {
                val middle = (low + high) / 2
                if (this[middle] > index) high = middle else low = middle + 1
            }
            return low
        }
    }
}
