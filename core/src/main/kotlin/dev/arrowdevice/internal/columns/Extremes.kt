package dev.arrowdevice.internal.columns

/** The smallest value that is not null, for any class with an order. */
internal fun <T : Any> smallest(
    values: Iterable<T?>,
    what: String,
): T? = extreme(values, what) { order -> order < 0 }

/** The largest value that is not null, for any class with an order. */
internal fun <T : Any> largest(
    values: Iterable<T?>,
    what: String,
): T? = extreme(values, what) { order -> order > 0 }

private inline fun <T : Any> extreme(
    values: Iterable<T?>,
    what: String,
    isBetter: (Int) -> Boolean,
): T? {
    var best: T? = null
    for (value in values) {
        if (value == null) continue
        val soFar = best
        if (soFar == null || isBetter(compare(value, soFar, what))) best = value
    }
    return best
}

private fun compare(
    value: Any,
    other: Any,
    what: String,
): Int =
    try {
        @Suppress("UNCHECKED_CAST")
        (value as Comparable<Any>).compareTo(other)
    } catch (e: ClassCastException) {
        throw UnsupportedOperationException("the values of $what have no order", e)
    }
