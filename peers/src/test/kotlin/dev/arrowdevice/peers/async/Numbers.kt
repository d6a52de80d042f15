package dev.arrowdevice.peers.async

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.OwnedArrays

/** The batches that async peers exchange: one column of 64-bit numbers. */
internal object Numbers {
    val field: Field = Field.notNull("", ArrowType.struct(Field.nullable("number", ArrowType.INT64)))

    fun batch(vararg numbers: Long): DeviceArray {
        val buffer = CpuRuntime.INSTANCE.allocate(numbers.size * Long.SIZE_BYTES.toLong())
        numbers.forEachIndexed { i, number -> buffer.memory().putLong(i * Long.SIZE_BYTES.toLong(), number) }
        val rows = numbers.size.toLong()
        val column =
            ArrayData(ArrowType.INT64, Device.CPU, rows, 0, 0, arrayOf(null, buffer), emptyArray(), null)
        val struct = ArrayData(field.type(), Device.CPU, rows, 0, 0, arrayOf(null), arrayOf(column), null)
        return OwnedArrays.of(struct, buffer.owner)
    }

    fun of(batch: ArrayView): List<Long> = List(batch.length.toInt()) { batch.child(0).getLong(it.toLong()) }
}
