package dev.arrowdevice.serialization

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import kotlinx.serialization.serializer

/**
 * Builds a record batch of objects: a row for each, a column for each property. [schemaOf] says of which types.
 *
 * ```kotlin
 * @Serializable
 * data class Order(val id: Long, val customer: String, val note: String? = null)
 *
 * val orders = listOf(Order(1, "Ada"), Order(2, "Alan", "fragile"))
 * val back = recordBatchOf(orders).use { it.toList<Order>() }
 * ```
 *
 * The caller closes the batch. If a row fails, what was allocated is freed.
 *
 * @throws kotlinx.serialization.SerializationException for a value that its column can't hold; the message names class,
 * property and row (from 0). And for a class that has no schema, see [schemaOf]
 */
public inline fun <reified T : Any> recordBatchOf(
    rows: Iterable<T>,
    format: ArrowFormat = ArrowFormat,
): RecordBatch = format.encodeToBatch(format.serializersModule.serializer<T>(), rows)

/**
 * Builds a record batch of a schema. Columns are found by name. A column may be of any type that has room for the
 * property's values, which is checked for each, and a column that no property has is null.
 *
 * The caller closes the batch.
 *
 * @throws kotlinx.serialization.SerializationException also if a property has no column, or one of a type that does not
 * fit; the message names both types. Or if a column that no property has is not nullable
 */
public inline fun <reified T : Any> recordBatchOf(
    rows: Iterable<T>,
    schema: Schema,
    format: ArrowFormat = ArrowFormat,
): RecordBatch = format.encodeToBatch(format.serializersModule.serializer<T>(), rows, schema)

/**
 * The rows as objects. The batch stays open, and the objects are independent of it.
 *
 * Columns are found by name, in any order, and further ones are ignored. A property without a column has its default
 * value, or is null. A column may be of another width than the property if each value fits.
 *
 * @throws kotlinx.serialization.SerializationException if a property has neither a column, nor a default, nor may be
 * null; if the column's type does not fit, or a value does not. The message names class, property and row (from 0)
 * @throws IllegalStateException if the batch was closed or moved
 */
public inline fun <reified T : Any> RecordBatch.toList(format: ArrowFormat = ArrowFormat): List<T> =
    format.decodeFromBatch(format.serializersModule.serializer<T>(), this)

/**
 * The schema that [recordBatchOf] writes for a class.
 *
 * @throws kotlinx.serialization.SerializationException if the class contains itself, or a property has no Arrow type; the
 * message names it
 */
public inline fun <reified T : Any> schemaOf(format: ArrowFormat = ArrowFormat): Schema =
    format.schemaOf(format.serializersModule.serializer<T>().descriptor)
