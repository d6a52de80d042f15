package dev.arrowdevice.benchmarks.data

import dev.arrowdevice.ArrayView
import dev.arrowdevice.asColumn
import dev.arrowdevice.forEachValue
import dev.arrowdevice.sum

/** Reads as they are written in Kotlin. */
internal object KotlinReads {
    @JvmStatic
    fun sum(array: ArrayView): Long = array.asColumn<Long>().sum()

    @JvmStatic
    fun sumOfInts(array: ArrayView): Long = array.asColumn<Int>().sum()

    @JvmStatic
    fun sumForEach(array: ArrayView): Long {
        var sum = 0L
        array.asColumn<Long>().forEachValue { sum += it }
        return sum
    }

    @JvmStatic
    fun sumByIterator(array: ArrayView): Long {
        var sum = 0L
        for (value in array.asColumn<Long>()) sum += value ?: 0
        return sum
    }

    /** Over the boxes of a plain array. */
    @JvmStatic
    fun sumByIterator(values: LongArray): Long {
        var sum = 0L
        for (value in values.asList()) sum += value
        return sum
    }

    @JvmStatic
    fun sumOfLengths(array: ArrayView): Long {
        var sum = 0L
        for (text in array.asColumn<String>()) sum += text?.length ?: 0
        return sum
    }

    @JvmStatic
    fun sumOfLists(array: ArrayView): Long {
        var sum = 0L
        for (list in array.asColumn<List<Long>>()) {
            for (element in list.orEmpty()) sum += element
        }
        return sum
    }
}
