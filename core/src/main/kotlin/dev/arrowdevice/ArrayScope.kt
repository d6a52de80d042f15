package dev.arrowdevice

import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.builder.ListBuilder
import dev.arrowdevice.builder.UnionBuilder

/**
 * Appends values to an array or a column: [add], [addNull] and [addAll].
 *
 * A value that does not fit, or a null where none is allowed, throws [IllegalArgumentException], which names column and
 * row; what has been allocated is freed when the builder around is left. Used by one thread at a time, and not after
 * the end of the block that it was made in.
 *
 * @param T the Kotlin type of the values
 * @property builder the builder behind, which does the work and can do more
 */
@ArrowDsl
public class ArrayScope<T : Any>
    @PublishedApi
    internal constructor(
        public val builder: ArrayBuilder,
    ) {
        /** How many values there are so far. */
        public val length: Long get() = builder.length

        /** Appends a null. */
        public fun addNull() {
            builder.appendNull()
        }

        /** Makes room for more values, as [ArrayBuilder.reserve] says. */
        public fun reserve(more: Long) {
            builder.reserve(more)
        }
    }

/** Appends a value, or null. Where there is an overload for the very type, that one is chosen and boxes nothing. */
public fun <T : Any> ArrayScope<T>.add(value: T?) {
    builder.append(value)
}

/** Appends all values, nulls included; those before one that does not fit stay. */
public fun <T : Any> ArrayScope<T>.addAll(values: Iterable<T?>) {
    builder.appendAll(values)
}

/** Appends all values, nulls included; those before one that does not fit stay. */
public fun <T : Any> ArrayScope<T>.addAll(values: Sequence<T?>) {
    builder.appendAll(values.asIterable())
}

/** Appends one value a number of times; to a run-end encoded column, as one run. */
public fun <T : Any> ArrayScope<T>.addRun(
    value: T?,
    count: Long,
) {
    builder.appendRun(value, count)
}

/**
 * Appends a value to the field of a name, in a column of unions. Without a name, a value goes to the first field that
 * takes it, and a null to the first that is nullable.
 *
 * @throws IllegalArgumentException also if there is no such field, or the column has no unions
 */
public fun ArrayScope<Any>.add(
    field: String,
    value: Any?,
) {
    builder.`as`(UnionBuilder::class.java).select(field).append(value)
}

/**
 * Appends a struct of these values, one for each field, in order: to a column of structs, or to a list of them. A nested
 * struct is a [Map] from its fields' names, or an [Iterable] of its values in order.
 *
 * @throws IllegalArgumentException also if there are more or fewer values than fields
 */
public fun ArrayScope<Map<String, Any?>>.row(vararg values: Any?) {
    builder.append(values.asList() as Any)
}

/** Appends a list whose elements the block adds, one by one and without boxing. */
public inline fun <E : Any> ArrayScope<out List<E?>>.add(block: ArrayScope<E>.() -> Unit) {
    val lists = builder.`as`(ListBuilder::class.java)
    lists.startList()
    ArrayScope<E>(lists.elements()).block()
    lists.endList()
}

/** Appends a list of these elements. */
@JvmName("addInts")
public fun ArrayScope<List<Int?>>.add(values: IntArray) {
    builder.append(values as Any)
}

/** Appends a list of these elements. */
@JvmName("addLongs")
public fun ArrayScope<List<Long?>>.add(values: LongArray) {
    builder.append(values as Any)
}

/** Appends a list of these elements. */
@JvmName("addFloats")
public fun ArrayScope<List<Float?>>.add(values: FloatArray) {
    builder.append(values as Any)
}

/** Appends a list of these elements. */
@JvmName("addDoubles")
public fun ArrayScope<List<Double?>>.add(values: DoubleArray) {
    builder.append(values as Any)
}
