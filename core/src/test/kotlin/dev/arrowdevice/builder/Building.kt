package dev.arrowdevice.builder

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import io.kotest.assertions.throwables.shouldThrow

/** Builds an array of objects, nulls included. */
fun arrayOf(
    type: ArrowType,
    vararg values: Any?,
): DeviceArray = ArrayBuilder.of(type).use { it.appendAll(values.asList()).let { _ -> it.finish() } }

/** Builds an array by the calls of a block. */
fun build(
    field: Field,
    block: ArrayBuilder.() -> Unit,
): DeviceArray = ArrayBuilder.of(field).use { it.apply(block).finish() }

fun build(
    type: ArrowType,
    block: ArrayBuilder.() -> Unit,
): DeviceArray = build(Field.nullable("", type), block)

/** All values as objects which are equal where they are the same: bytes as lists, NaN as a text. */
fun ArrayView.objects(): List<Any?> = (0 until length).map { comparable(getObject(it)) }

fun comparable(value: Any?): Any? =
    when (value) {
        is ByteArray -> value.asList()
        is Float -> if (value.isNaN()) "NaN" else value
        is Double -> if (value.isNaN()) "NaN" else value
        is Map<*, *> -> value.mapValues { comparable(it.value) }
        is Map.Entry<*, *> -> comparable(value.key) to comparable(value.value)
        is List<*> -> value.map(::comparable)
        else -> value
    }

/** The message of the error that a block makes. */
fun messageOf(block: () -> Unit): String = shouldThrow<IllegalArgumentException>(block).message.orEmpty()
