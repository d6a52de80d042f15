package dev.arrowdevice.serialization

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.coroutines.emitBatch
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.SerializationStrategy
import kotlinx.serialization.serializer

/**
 * A flow of batches of [rows] rows; the last batch may have fewer. A flow without rows has no batch.
 *
 * As of all flows of arrow-device, the batches are borrowed: each is closed when `emit` returns. If the collection
 * fails or is cancelled, the rows that were not emitted yet are freed.
 *
 * <!-- given @Serializable class Order(val id: Long)
 * lateinit var orders: Flow<Order> -->
 * ```kotlin
 * orders.chunkedToBatches(10_000).collect { batch -> println(batch.toTable(5, 20)) }
 * ```
 *
 * @param rows the number of rows of a batch, at least 1
 * @param schema of the batches, see [recordBatchOf]; by default that of [schemaOf]
 * @throws kotlinx.serialization.SerializationException as [recordBatchOf], from `collect`; the rows of messages are
 * those of the whole flow
 */
public inline fun <reified T : Any> Flow<T>.chunkedToBatches(
    rows: Int,
    schema: Schema? = null,
    format: ArrowFormat = ArrowFormat,
): Flow<RecordBatch> = chunkedToBatches(rows, format.serializersModule.serializer<T>(), schema, format)

/**
 * A flow of the rows of all batches, as objects. Each batch is read when it arrives and closed before its first row is
 * emitted, so rows may be kept, buffered and dropped like any other objects.
 *
 * <!-- given @Serializable class Order(val id: Long) -->
 * ```kotlin
 * stream.asFlow().rows<Order>().filter { it.id > 0 }.collect { println(it.id) }
 * ```
 *
 * @throws kotlinx.serialization.SerializationException as [toList], from `collect`; the rows of messages are those of a
 * batch
 */
public inline fun <reified T : Any> Flow<RecordBatch>.rows(format: ArrowFormat = ArrowFormat): Flow<T> =
    rows(format.serializersModule.serializer<T>(), format)

/** The same with a serializer, for code that does not know the class. */
public fun <T : Any> Flow<T>.chunkedToBatches(
    rows: Int,
    serializer: SerializationStrategy<T>,
    schema: Schema? = null,
    format: ArrowFormat = ArrowFormat,
): Flow<RecordBatch> {
    require(rows > 0) { "chunkedToBatches($rows): a batch has at least one row" }
    return flow {
        format.writer(serializer, schema).use { writer ->
            collect { value ->
                writer.add(value)
                if (writer.pending == rows) emitBatch(writer.finish())
            }
            if (writer.pending > 0) emitBatch(writer.finish())
        }
    }
}

/** The same with a deserializer, for code that does not know the class. */
public fun <T : Any> Flow<RecordBatch>.rows(
    deserializer: DeserializationStrategy<T>,
    format: ArrowFormat = ArrowFormat,
): Flow<T> =
    flow {
        collect { batch ->
            val objects = batch.use { format.decodeFromBatch(deserializer, it) }
            for (value in objects) emit(value)
        }
    }
