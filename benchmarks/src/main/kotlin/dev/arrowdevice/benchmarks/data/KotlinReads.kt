package dev.arrowdevice.benchmarks.data

import dev.arrowdevice.ArrayView
import dev.arrowdevice.forEachValue
import dev.arrowdevice.values

/** Reads arrays as Kotlin code does. */
internal object KotlinReads {
    @JvmStatic
    fun sum(array: ArrayView): Long = array.values<Long>().sum()

    @JvmStatic
    fun sumOfInts(array: ArrayView): Long = array.values<Long>().sum()

    @JvmStatic
    fun sumForEach(array: ArrayView): Long {
        var sum = 0L
        array.values<Long>().forEachValue { sum += it }
        return sum
    }

    @JvmStatic
    fun sumByIterator(array: ArrayView): Long {
        var sum = 0L
        for (value in array.values<Long>().requireNoNulls()) sum += value
        return sum
    }

    @JvmStatic
    fun sumByNullableIterator(array: ArrayView): Long {
        var sum = 0L
        for (value in array.values<Long>()) sum += value ?: 0
        return sum
    }

    /** Iterates over boxed values of a plain array. */
    @JvmStatic
    fun sumByIterator(values: LongArray): Long {
        var sum = 0L
        for (value in values.asList()) sum += value
        return sum
    }

    @JvmStatic
    fun sumOfLengths(array: ArrayView): Long {
        var sum = 0L
        for (text in array.values<String>()) sum += text?.length ?: 0
        return sum
    }

    @JvmStatic
    fun sumOfLists(array: ArrayView): Long {
        var sum = 0L
        for (list in array.values<List<Long>>()) {
            for (element in list.orEmpty()) sum += element
        }
        return sum
    }
}
