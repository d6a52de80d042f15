package dev.arrowdevice

// Loops over the numbers of a column without boxing. They copy chunks to the heap; the compiler makes the same code of
// that as of a loop over a plain array. A read of the array is open while a chunk is copied, and not while the caller's
// code runs.

@PublishedApi
internal const val CHUNK: Int = 1024

/** Calls [action] with the index, from 0, and the value of each value that is not null, in order. */
@JvmName("forEachIntIndexed")
public inline fun Column<Int>.forEachValueIndexed(action: (Long, Int) -> Unit) {
    view.checkReadable("forEachValueIndexed")
    view.forEachInt(action)
}

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachInt")
public inline fun Column<Int>.forEachValue(action: (Int) -> Unit) {
    view.checkReadable("forEachValue")
    view.forEachInt { _, value -> action(value) }
}

/**
 * All values in an array.
 *
 * @throws IllegalStateException if a value is null, or there are too many for an array
 */
@JvmName("toIntArray")
public fun Column<Int>.toIntArray(): IntArray = view.toIntArray()

/** All values in an array, with [nullValue] in place of nulls. */
@JvmName("toIntArray")
public fun Column<Int>.toIntArray(nullValue: Int): IntArray = view.toIntArray(nullValue)

/**
 * All values in an array.
 *
 * @throws IllegalStateException if there are too many for an array
 */
@JvmName("toIntArray")
public fun NonNullColumn<Int>.toIntArray(): IntArray = array.toIntArray()

/** Calls [action] with the index, from 0, and the value of each value that is not null, in order. */
@JvmName("forEachLongIndexed")
public inline fun Column<Long>.forEachValueIndexed(action: (Long, Long) -> Unit) {
    view.checkReadable("forEachValueIndexed")
    view.forEachLong(action)
}

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachLong")
public inline fun Column<Long>.forEachValue(action: (Long) -> Unit) {
    view.checkReadable("forEachValue")
    view.forEachLong { _, value -> action(value) }
}

/**
 * All values in an array.
 *
 * @throws IllegalStateException if a value is null, or there are too many for an array
 */
@JvmName("toLongArray")
public fun Column<Long>.toLongArray(): LongArray = view.toLongArray()

/** All values in an array, with [nullValue] in place of nulls. */
@JvmName("toLongArray")
public fun Column<Long>.toLongArray(nullValue: Long): LongArray = view.toLongArray(nullValue)

/**
 * All values in an array.
 *
 * @throws IllegalStateException if there are too many for an array
 */
@JvmName("toLongArray")
public fun NonNullColumn<Long>.toLongArray(): LongArray = array.toLongArray()

/** Calls [action] with the index, from 0, and the value of each value that is not null, in order. */
@JvmName("forEachFloatIndexed")
public inline fun Column<Float>.forEachValueIndexed(action: (Long, Float) -> Unit) {
    view.checkReadable("forEachValueIndexed")
    view.forEachFloat(action)
}

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachFloat")
public inline fun Column<Float>.forEachValue(action: (Float) -> Unit) {
    view.checkReadable("forEachValue")
    view.forEachFloat { _, value -> action(value) }
}

/**
 * All values in an array.
 *
 * @throws IllegalStateException if a value is null, or there are too many for an array
 */
@JvmName("toFloatArray")
public fun Column<Float>.toFloatArray(): FloatArray = view.toFloatArray()

/** All values in an array, with [nullValue] in place of nulls. */
@JvmName("toFloatArray")
public fun Column<Float>.toFloatArray(nullValue: Float): FloatArray = view.toFloatArray(nullValue)

/**
 * All values in an array.
 *
 * @throws IllegalStateException if there are too many for an array
 */
@JvmName("toFloatArray")
public fun NonNullColumn<Float>.toFloatArray(): FloatArray = array.toFloatArray()

/** Calls [action] with the index, from 0, and the value of each value that is not null, in order. */
@JvmName("forEachDoubleIndexed")
public inline fun Column<Double>.forEachValueIndexed(action: (Long, Double) -> Unit) {
    view.checkReadable("forEachValueIndexed")
    view.forEachDouble(action)
}

/** Calls [action] with each value that is not null, in order. */
@JvmName("forEachDouble")
public inline fun Column<Double>.forEachValue(action: (Double) -> Unit) {
    view.checkReadable("forEachValue")
    view.forEachDouble { _, value -> action(value) }
}

/**
 * All values in an array.
 *
 * @throws IllegalStateException if a value is null, or there are too many for an array
 */
@JvmName("toDoubleArray")
public fun Column<Double>.toDoubleArray(): DoubleArray = view.toDoubleArray()

/** All values in an array, with [nullValue] in place of nulls. */
@JvmName("toDoubleArray")
public fun Column<Double>.toDoubleArray(nullValue: Double): DoubleArray = view.toDoubleArray(nullValue)

/**
 * All values in an array.
 *
 * @throws IllegalStateException if there are too many for an array
 */
@JvmName("toDoubleArray")
public fun NonNullColumn<Double>.toDoubleArray(): DoubleArray = array.toDoubleArray()

@PublishedApi
internal inline fun ArrayView.forEachInt(action: (Long, Int) -> Unit) {
    forEachIntChunk { start, values, valid, nulls, count ->
        for (i in 0 until count) {
            if (nulls == 0 || valid[i]) {
                action(start + i, values[i])
            }
        }
    }
}

/**
 * Calls [action] with the index of the first value of a chunk, the values, which of them are valid, the number of nulls,
 * and the number of values. The arrays are longer than that, and used again.
 */
@PublishedApi
internal inline fun ArrayView.forEachIntChunk(action: (Long, IntArray, BooleanArray, Int, Int) -> Unit) {
    val size = minOf(length, CHUNK.toLong()).toInt()
    val values = IntArray(size)
    val valid = BooleanArray(size)
    var start = 0L
    while (start < length) {
        val count = minOf(length - start, size.toLong()).toInt()
        val nulls = getValidity(start, valid, 0, count)
        getInts(start, values, 0, count)
        action(start, values, valid, nulls, count)
        start += count
    }
}

@PublishedApi
internal inline fun ArrayView.forEachLong(action: (Long, Long) -> Unit) {
    forEachLongChunk { start, values, valid, nulls, count ->
        for (i in 0 until count) {
            if (nulls == 0 || valid[i]) {
                action(start + i, values[i])
            }
        }
    }
}

/**
 * Calls [action] with the index of the first value of a chunk, the values, which of them are valid, the number of nulls,
 * and the number of values. The arrays are longer than that, and used again.
 */
@PublishedApi
internal inline fun ArrayView.forEachLongChunk(action: (Long, LongArray, BooleanArray, Int, Int) -> Unit) {
    val size = minOf(length, CHUNK.toLong()).toInt()
    val values = LongArray(size)
    val valid = BooleanArray(size)
    var start = 0L
    while (start < length) {
        val count = minOf(length - start, size.toLong()).toInt()
        val nulls = getValidity(start, valid, 0, count)
        getLongs(start, values, 0, count)
        action(start, values, valid, nulls, count)
        start += count
    }
}

@PublishedApi
internal inline fun ArrayView.forEachFloat(action: (Long, Float) -> Unit) {
    val size = minOf(length, CHUNK.toLong()).toInt()
    val values = FloatArray(size)
    val valid = BooleanArray(size)
    var start = 0L
    while (start < length) {
        val count = minOf(length - start, size.toLong()).toInt()
        val nulls = getValidity(start, valid, 0, count)
        getFloats(start, values, 0, count)
        for (i in 0 until count) {
            if (nulls == 0 || valid[i]) {
                action(start + i, values[i])
            }
        }
        start += count
    }
}

@PublishedApi
internal inline fun ArrayView.forEachDouble(action: (Long, Double) -> Unit) {
    val size = minOf(length, CHUNK.toLong()).toInt()
    val values = DoubleArray(size)
    val valid = BooleanArray(size)
    var start = 0L
    while (start < length) {
        val count = minOf(length - start, size.toLong()).toInt()
        val nulls = getValidity(start, valid, 0, count)
        getDoubles(start, values, 0, count)
        for (i in 0 until count) {
            if (nulls == 0 || valid[i]) {
                action(start + i, values[i])
            }
        }
        start += count
    }
}
