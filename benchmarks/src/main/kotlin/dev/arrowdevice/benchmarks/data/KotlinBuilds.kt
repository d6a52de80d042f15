package dev.arrowdevice.benchmarks.data

import dev.arrowdevice.ArrayScope
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.add
import dev.arrowdevice.deviceArray
import dev.arrowdevice.recordBatch

/** Builds arrays and batches as Kotlin code does. */
internal object KotlinBuilds {
    @JvmStatic
    fun ints(
        values: IntArray,
        valid: BooleanArray,
    ): DeviceArray = deviceArray<Int> { addEach(values, valid) }

    @JvmStatic
    fun reservedInts(
        values: IntArray,
        valid: BooleanArray,
    ): DeviceArray =
        deviceArray<Int> {
            reserve(values.size.toLong())
            addEach(values, valid)
        }

    private fun ArrayScope<Int>.addEach(
        values: IntArray,
        valid: BooleanArray,
    ) {
        for (i in values.indices) {
            if (valid[i]) add(values[i]) else addNull()
        }
    }

    @JvmStatic
    fun strings(values: Array<String>): DeviceArray =
        deviceArray<String> {
            for (value in values) add(value)
        }

    @JvmStatic
    fun batch(
        rows: Int,
        names: Array<String>,
    ): RecordBatch =
        recordBatch {
            val id = column<Long>("id")
            val count = column<Int>("count")
            val price = column<Double>("price")
            val flag = column<Boolean>("flag")
            val name = column<String>("name")
            for (i in 0 until rows) {
                id.add(i.toLong())
                if (i % 10 == 0) count.addNull() else count.add(i)
                price.add(i * 0.5)
                flag.add(i and 1 == 1)
                name.add(names[i % names.size])
            }
        }
}
