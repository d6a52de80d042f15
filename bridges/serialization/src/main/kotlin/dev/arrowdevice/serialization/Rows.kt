package dev.arrowdevice.serialization

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.serialization.internal.recordSerializer
import java.util.function.Consumer

/**
 * Java records as rows of record batches. No compiler plugin and no annotation are needed:
 *
 * ```java
 * record Order(long id, String customer, @Nullable String note) {}
 *
 * RecordBatch batch = Rows.toBatch(orders, Order.class);
 * List<Order> back = Rows.toList(batch, Order.class);
 * ```
 *
 * Components are columns as the properties of Kotlin's classes are, with the same annotations: see [recordBatchOf],
 * [toList] and [schemaOf] for what is written and read, and the exceptions. A component of a primitive type is not
 * nullable. Any other one is, unless it is annotated with a `NonNull`, or is in code that is `@NullMarked` and not
 * annotated with a `Nullable`. Components may be records, enums, sealed interfaces of records, lists, sets, maps, arrays
 * of primitives and what [ArrowSerializersModule] has. A record of another module must be public, in an exported
 * package, or its package open to this module.
 */
public object Rows {
    /** The schema that [toBatch] writes. */
    @JvmStatic
    public fun schemaOf(type: Class<out Any>): Schema = ArrowFormat.schemaOf(recordSerializer(type).descriptor)

    /** Builds a batch of records. The caller closes it. */
    @JvmStatic
    public fun <T : Any> toBatch(
        rows: Iterable<T>,
        type: Class<T>,
    ): RecordBatch = ArrowFormat.encodeToBatch(recordSerializer(type), rows)

    /** Builds a batch of records, of a schema. The caller closes it. */
    @JvmStatic
    public fun <T : Any> toBatch(
        rows: Iterable<T>,
        type: Class<T>,
        schema: Schema,
    ): RecordBatch = ArrowFormat.encodeToBatch(recordSerializer(type), rows, schema)

    /** The rows of a batch, which stays open, as records. */
    @JvmStatic
    public fun <T : Any> toList(
        batch: RecordBatch,
        type: Class<T>,
    ): List<T> = ArrowFormat.decodeFromBatch(recordSerializer(type), batch)

    /** Passes the rows of all batches of a stream on as records, and closes each batch. The stream stays open. */
    @JvmStatic
    public fun <T : Any> forEach(
        stream: DeviceArrayStream,
        type: Class<T>,
        action: Consumer<in T>,
    ) {
        val serializer = recordSerializer(type)
        while (true) {
            val batch = stream.nextBatch() ?: return
            batch.use { ArrowFormat.decodeFromBatch(serializer, it) }.forEach(action)
        }
    }
}
