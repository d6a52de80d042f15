package dev.arrowdevice.dsl

// What is done with the numbers of a column in a loop over its memory: null-aware and without boxing.

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachInt")
public inline fun Column<Int>.forEachValue(crossinline action: (Int) -> Unit) {
    array.borrow { reader ->
        for (i in 0 until reader.length()) {
            if (!reader.isNull(i)) {
                action(reader.getInt(i))
            }
        }
    }
}

/** Calls [action] with the index, from 0, and the value of each that is not null, in order. */
@JvmName("forEachIntIndexed")
public inline fun Column<Int>.forEachValueIndexed(crossinline action: (Long, Int) -> Unit) {
    array.borrow { reader ->
        for (i in 0 until reader.length()) {
            if (!reader.isNull(i)) {
                action(i, reader.getInt(i))
            }
        }
    }
}

/** The sum of all values that are not null, as a [Long]. */
@JvmName("sumOfInts")
public fun Column<Int>.sum(): Long {
    var sum = 0L
    forEachValue { sum += it.toLong() }
    return sum
}

/** The smallest value that is not null, or null if there is none. */
@JvmName("minOfInts")
public fun Column<Int>.min(): Int? {
    var found = false
    var min: Int = 0
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
    var max: Int = 0
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

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachLong")
public inline fun Column<Long>.forEachValue(crossinline action: (Long) -> Unit) {
    array.borrow { reader ->
        for (i in 0 until reader.length()) {
            if (!reader.isNull(i)) {
                action(reader.getLong(i))
            }
        }
    }
}

/** Calls [action] with the index, from 0, and the value of each that is not null, in order. */
@JvmName("forEachLongIndexed")
public inline fun Column<Long>.forEachValueIndexed(crossinline action: (Long, Long) -> Unit) {
    array.borrow { reader ->
        for (i in 0 until reader.length()) {
            if (!reader.isNull(i)) {
                action(i, reader.getLong(i))
            }
        }
    }
}

/** The sum of all values that are not null; it wraps around as Kotlin's own does. */
@JvmName("sumOfLongs")
public fun Column<Long>.sum(): Long {
    var sum = 0L
    forEachValue { sum += it }
    return sum
}

/** The smallest value that is not null, or null if there is none. */
@JvmName("minOfLongs")
public fun Column<Long>.min(): Long? {
    var found = false
    var min: Long = 0L
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
    var max: Long = 0L
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

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachFloat")
public inline fun Column<Float>.forEachValue(crossinline action: (Float) -> Unit) {
    array.borrow { reader ->
        for (i in 0 until reader.length()) {
            if (!reader.isNull(i)) {
                action(reader.getFloat(i))
            }
        }
    }
}

/** Calls [action] with the index, from 0, and the value of each that is not null, in order. */
@JvmName("forEachFloatIndexed")
public inline fun Column<Float>.forEachValueIndexed(crossinline action: (Long, Float) -> Unit) {
    array.borrow { reader ->
        for (i in 0 until reader.length()) {
            if (!reader.isNull(i)) {
                action(i, reader.getFloat(i))
            }
        }
    }
}

/** The sum of all values that are not null, as a [Double]. */
@JvmName("sumOfFloats")
public fun Column<Float>.sum(): Double {
    var sum = 0.0
    forEachValue { sum += it.toDouble() }
    return sum
}

/** The smallest value that is not null, or null if there is none. */
@JvmName("minOfFloats")
public fun Column<Float>.min(): Float? {
    var found = false
    var min: Float = 0f
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
    var max: Float = 0f
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

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachDouble")
public inline fun Column<Double>.forEachValue(crossinline action: (Double) -> Unit) {
    array.borrow { reader ->
        for (i in 0 until reader.length()) {
            if (!reader.isNull(i)) {
                action(reader.getDouble(i))
            }
        }
    }
}

/** Calls [action] with the index, from 0, and the value of each that is not null, in order. */
@JvmName("forEachDoubleIndexed")
public inline fun Column<Double>.forEachValueIndexed(crossinline action: (Long, Double) -> Unit) {
    array.borrow { reader ->
        for (i in 0 until reader.length()) {
            if (!reader.isNull(i)) {
                action(i, reader.getDouble(i))
            }
        }
    }
}

/** The sum of all values that are not null. */
@JvmName("sumOfDoubles")
public fun Column<Double>.sum(): Double {
    var sum = 0.0
    forEachValue { sum += it }
    return sum
}

/** The smallest value that is not null, or null if there is none. */
@JvmName("minOfDoubles")
public fun Column<Double>.min(): Double? {
    var found = false
    var min: Double = 0.0
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
    var max: Double = 0.0
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
