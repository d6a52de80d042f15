package dev.arrowdevice.peers.arbitrary

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.TypeId
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.DeviceBuffer
import kotlin.random.Random

/** An array in some physical layout, and the values that it must read as. */
internal class Generated(
    val data: ArrayData,
    val values: List<Any?>,
) {
    /** The same memory under an extension type, its values turned into what the extension makes of them. */
    fun withType(
        type: ArrowType,
        convert: (Any) -> Any,
    ) = Generated(data.withType(type), values.map { value -> value?.let(convert) })
}

/** How much of what is allowed but unusual an array may have: offsets, bitmaps without nulls, garbage and so on. */
internal enum class Layouts { PLAIN, UNUSUAL }

/**
 * The slots of an array's buffers: those of the array, and others before and behind it, which an offset and a shorter
 * length hide. Which of them are null is decided here.
 */
internal class Slots(
    private val random: Random,
    private val memory: Memory,
    layouts: Layouts,
    private val type: ArrowType,
    nullable: Boolean,
    private val length: Int,
) {
    private val before = if (layouts == Layouts.PLAIN) 0 else listOf(0, 0, 1, 3, 7, 8, 13).random(random)
    private val behind = if (layouts == Layouts.PLAIN) 0 else random.nextInt(3)

    /** All slots, hidden ones included. */
    val count = before + length + behind

    private val range = before until before + length
    private val hasBitmap =
        type.layout().hasValidity() && (nullable || layouts == Layouts.UNUSUAL) && random.nextInt(4) > 0
    private val nullEvery = listOf(1, 2, 2, 5).random(random)
    private val valid =
        BooleanArray(count) { !hasBitmap || (!nullable && it in range) || random.nextInt(nullEvery) > 0 }
    private val knowsNullCount = random.nextBoolean()

    fun isValid(slot: Int): Boolean = valid[slot]

    /** The array of these slots: the bitmap is put before the other buffers. */
    fun generated(
        values: List<Any?>,
        buffers: List<DeviceBuffer?>,
        children: List<ArrayData> = listOf(),
        dictionary: ArrayData? = null,
    ): Generated {
        val all = if (type.layout().hasValidity()) listOf(bitmap()) + buffers else buffers
        val data =
            ArrayData(
                type,
                Device.CPU,
                length.toLong(),
                before.toLong(),
                nullCount(),
                all.toTypedArray(),
                children.toTypedArray(),
                dictionary,
            )
        return Generated(data, range.map { slot -> if (valid[slot]) values[slot] else null })
    }

    private fun nullCount(): Long =
        when {
            type.id() == TypeId.NULL -> length.toLong()
            knowsNullCount -> range.count { !valid[it] }.toLong()
            else -> ArrayData.UNKNOWN_NULL_COUNT
        }

    /** The bits beyond the last slot are anything. */
    private fun bitmap(): DeviceBuffer? {
        if (!hasBitmap) return null
        val bytes = random.nextBytes((count + 7) / 8)
        valid.forEachIndexed { slot, isValid -> bytes.setBit(slot, isValid) }
        return memory.buffer(bytes)
    }
}

internal fun ByteArray.setBit(
    index: Int,
    on: Boolean,
) {
    val bit = 1 shl (index % 8)
    val byte = this[index / 8].toInt()
    this[index / 8] = (if (on) byte or bit else byte and bit.inv()).toByte()
}
