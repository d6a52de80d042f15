package dev.arrowdevice

import dev.arrowdevice.internal.memory.Platform

// What is done with the numbers of a column: null-aware and without boxing, in loops over chunks copied to the heap,
// which the compiler turns into the same code as a loop over a plain array. The memory is held while a chunk is copied,
// not while the caller's code runs. A sum runs no code of the caller, and saves the copy where it can.

/**
 * Whether a loop over a borrowed reader is as quick as one over a plain array: where there are no nulls, and only readers
 * of one class come to that loop, whatever else the program reads, so that the compiler knows what they do.
 */
private fun ArrayView.isQuickInPlace(type: ArrowType): Boolean =
    Platform.HAS_FOREIGN_MEMORY && this.type == type && nullCount == 0L

@PublishedApi
internal const val CHUNK: Int = 1024

/** Calls [action] with the index, from 0, and the value of each that is not null, in order. */
@JvmName("forEachIntIndexed")
public inline fun Column<Int>.forEachValueIndexed(action: (Long, Int) -> Unit) {
    val size = minOf(length, CHUNK.toLong()).toInt()
    val bulk = array.bulk()
    val values = IntArray(size)
    val valid = BooleanArray(size)
    var start = 0L
    while (start < length) {
        val count = minOf(length - start, size.toLong()).toInt()
        val nulls = bulk.getValidity(start, valid, 0, count)
        bulk.getInts(start, values, 0, count)
        for (i in 0 until count) {
            if (nulls == 0 || valid[i]) {
                action(start + i, values[i])
            }
        }
        start += count
    }
}

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachInt")
public inline fun Column<Int>.forEachValue(action: (Int) -> Unit) {
    forEachValueIndexed { _, value -> action(value) }
}

/** The sum of all values that are not null, as a [Long]. */
@JvmName("sumOfInts")
public fun Column<Int>.sum(): Long {
    if (array.isQuickInPlace(ArrowType.INT32)) {
        return array.borrow { reader ->
            var sum = 0L
            for (i in 0 until reader.length) sum += reader.getInt(i)
            sum
        }
    }
    var sum = 0L
    forEachValue { sum += it }
    return sum
}

/** The smallest value that is not null, or null if there is none. */
@JvmName("minOfInts")
public fun Column<Int>.min(): Int? {
    var found = false
    var min = 0
    forEachValue {
        min = if (found) minOf(min, it) else it
        found = true
    }
    return if (found) min else null
}

/** The largest value that is not null, or null if there is none. */
@JvmName("maxOfInts")
public fun Column<Int>.max(): Int? {
    var found = false
    var max = 0
    forEachValue {
        max = if (found) maxOf(max, it) else it
        found = true
    }
    return if (found) max else null
}

/** The mean of all values that are not null, or null if there is none. */
@JvmName("meanOfInts")
public fun Column<Int>.mean(): Double? {
    var sum = 0.0
    var count = 0L
    forEachValue {
        sum += it
        count++
    }
    return if (count == 0L) null else sum / count
}

/**
 * All values in an array.
 *
 * @throws IllegalStateException if one is null, or if they are too many
 */
@JvmName("toIntArray")
public fun Column<Int>.toIntArray(): IntArray = array.bulk().toIntArray()

/** All values in an array, with [nullValue] in place of nulls. */
@JvmName("toIntArray")
public fun Column<Int>.toIntArray(nullValue: Int): IntArray = array.bulk().toIntArray(nullValue)

/** Calls [action] with the index, from 0, and the value of each that is not null, in order. */
@JvmName("forEachLongIndexed")
public inline fun Column<Long>.forEachValueIndexed(action: (Long, Long) -> Unit) {
    val size = minOf(length, CHUNK.toLong()).toInt()
    val bulk = array.bulk()
    val values = LongArray(size)
    val valid = BooleanArray(size)
    var start = 0L
    while (start < length) {
        val count = minOf(length - start, size.toLong()).toInt()
        val nulls = bulk.getValidity(start, valid, 0, count)
        bulk.getLongs(start, values, 0, count)
        for (i in 0 until count) {
            if (nulls == 0 || valid[i]) {
                action(start + i, values[i])
            }
        }
        start += count
    }
}

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachLong")
public inline fun Column<Long>.forEachValue(action: (Long) -> Unit) {
    forEachValueIndexed { _, value -> action(value) }
}

/** The sum of all values that are not null; it wraps around as Kotlin's own does. */
@JvmName("sumOfLongs")
public fun Column<Long>.sum(): Long {
    if (array.isQuickInPlace(ArrowType.INT64)) {
        return array.borrow { reader ->
            var sum = 0L
            for (i in 0 until reader.length) sum += reader.getLong(i)
            sum
        }
    }
    var sum = 0L
    forEachValue { sum += it }
    return sum
}

/** The smallest value that is not null, or null if there is none. */
@JvmName("minOfLongs")
public fun Column<Long>.min(): Long? {
    var found = false
    var min = 0L
    forEachValue {
        min = if (found) minOf(min, it) else it
        found = true
    }
    return if (found) min else null
}

/** The largest value that is not null, or null if there is none. */
@JvmName("maxOfLongs")
public fun Column<Long>.max(): Long? {
    var found = false
    var max = 0L
    forEachValue {
        max = if (found) maxOf(max, it) else it
        found = true
    }
    return if (found) max else null
}

/** The mean of all values that are not null, or null if there is none. */
@JvmName("meanOfLongs")
public fun Column<Long>.mean(): Double? {
    var sum = 0.0
    var count = 0L
    forEachValue {
        sum += it
        count++
    }
    return if (count == 0L) null else sum / count
}

/**
 * All values in an array.
 *
 * @throws IllegalStateException if one is null, or if they are too many
 */
@JvmName("toLongArray")
public fun Column<Long>.toLongArray(): LongArray = array.bulk().toLongArray()

/** All values in an array, with [nullValue] in place of nulls. */
@JvmName("toLongArray")
public fun Column<Long>.toLongArray(nullValue: Long): LongArray = array.bulk().toLongArray(nullValue)

/** Calls [action] with the index, from 0, and the value of each that is not null, in order. */
@JvmName("forEachFloatIndexed")
public inline fun Column<Float>.forEachValueIndexed(action: (Long, Float) -> Unit) {
    val size = minOf(length, CHUNK.toLong()).toInt()
    val bulk = array.bulk()
    val values = FloatArray(size)
    val valid = BooleanArray(size)
    var start = 0L
    while (start < length) {
        val count = minOf(length - start, size.toLong()).toInt()
        val nulls = bulk.getValidity(start, valid, 0, count)
        bulk.getFloats(start, values, 0, count)
        for (i in 0 until count) {
            if (nulls == 0 || valid[i]) {
                action(start + i, values[i])
            }
        }
        start += count
    }
}

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachFloat")
public inline fun Column<Float>.forEachValue(action: (Float) -> Unit) {
    forEachValueIndexed { _, value -> action(value) }
}

/** The sum of all values that are not null, as a [Double]. */
@JvmName("sumOfFloats")
public fun Column<Float>.sum(): Double {
    if (array.isQuickInPlace(ArrowType.FLOAT32)) {
        return array.borrow { reader ->
            var sum = 0.0
            for (i in 0 until reader.length) sum += reader.getFloat(i).toDouble()
            sum
        }
    }
    var sum = 0.0
    forEachValue { sum += it.toDouble() }
    return sum
}

/** The smallest value that is not null, or null if there is none. */
@JvmName("minOfFloats")
public fun Column<Float>.min(): Float? {
    var found = false
    var min = 0f
    forEachValue {
        min = if (found) minOf(min, it) else it
        found = true
    }
    return if (found) min else null
}

/** The largest value that is not null, or null if there is none. */
@JvmName("maxOfFloats")
public fun Column<Float>.max(): Float? {
    var found = false
    var max = 0f
    forEachValue {
        max = if (found) maxOf(max, it) else it
        found = true
    }
    return if (found) max else null
}

/** The mean of all values that are not null, or null if there is none. */
@JvmName("meanOfFloats")
public fun Column<Float>.mean(): Double? {
    var sum = 0.0
    var count = 0L
    forEachValue {
        sum += it
        count++
    }
    return if (count == 0L) null else sum / count
}

/**
 * All values in an array.
 *
 * @throws IllegalStateException if one is null, or if they are too many
 */
@JvmName("toFloatArray")
public fun Column<Float>.toFloatArray(): FloatArray = array.bulk().toFloatArray()

/** All values in an array, with [nullValue] in place of nulls. */
@JvmName("toFloatArray")
public fun Column<Float>.toFloatArray(nullValue: Float): FloatArray = array.bulk().toFloatArray(nullValue)

/** Calls [action] with the index, from 0, and the value of each that is not null, in order. */
@JvmName("forEachDoubleIndexed")
public inline fun Column<Double>.forEachValueIndexed(action: (Long, Double) -> Unit) {
    val size = minOf(length, CHUNK.toLong()).toInt()
    val bulk = array.bulk()
    val values = DoubleArray(size)
    val valid = BooleanArray(size)
    var start = 0L
    while (start < length) {
        val count = minOf(length - start, size.toLong()).toInt()
        val nulls = bulk.getValidity(start, valid, 0, count)
        bulk.getDoubles(start, values, 0, count)
        for (i in 0 until count) {
            if (nulls == 0 || valid[i]) {
                action(start + i, values[i])
            }
        }
        start += count
    }
}

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachDouble")
public inline fun Column<Double>.forEachValue(action: (Double) -> Unit) {
    forEachValueIndexed { _, value -> action(value) }
}

/** The sum of all values that are not null. */
@JvmName("sumOfDoubles")
public fun Column<Double>.sum(): Double {
    if (array.isQuickInPlace(ArrowType.FLOAT64)) {
        return array.borrow { reader ->
            var sum = 0.0
            for (i in 0 until reader.length) sum += reader.getDouble(i)
            sum
        }
    }
    var sum = 0.0
    forEachValue { sum += it }
    return sum
}

/** The smallest value that is not null, or null if there is none. */
@JvmName("minOfDoubles")
public fun Column<Double>.min(): Double? {
    var found = false
    var min = 0.0
    forEachValue {
        min = if (found) minOf(min, it) else it
        found = true
    }
    return if (found) min else null
}

/** The largest value that is not null, or null if there is none. */
@JvmName("maxOfDoubles")
public fun Column<Double>.max(): Double? {
    var found = false
    var max = 0.0
    forEachValue {
        max = if (found) maxOf(max, it) else it
        found = true
    }
    return if (found) max else null
}

/** The mean of all values that are not null, or null if there is none. */
@JvmName("meanOfDoubles")
public fun Column<Double>.mean(): Double? {
    var sum = 0.0
    var count = 0L
    forEachValue {
        sum += it
        count++
    }
    return if (count == 0L) null else sum / count
}

/**
 * All values in an array.
 *
 * @throws IllegalStateException if one is null, or if they are too many
 */
@JvmName("toDoubleArray")
public fun Column<Double>.toDoubleArray(): DoubleArray = array.bulk().toDoubleArray()

/** All values in an array, with [nullValue] in place of nulls. */
@JvmName("toDoubleArray")
public fun Column<Double>.toDoubleArray(nullValue: Double): DoubleArray = array.bulk().toDoubleArray(nullValue)
