package dev.arrowdevice

import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.internal.columns.toJavaValue
import dev.arrowdevice.spi.DeviceReference

/**
 * Declares and fills the columns of a record batch, all to the same length.
 *
 * @property builder the builder behind
 */
@ArrowDsl
public class RecordBatchScope internal constructor(
    public val builder: RecordBatchBuilder,
) : ColumnsScope() {
    /** A column of the Arrow type that stands for [T]. */
    public inline fun <reified T : Any> column(
        name: String,
        nullable: Boolean = true,
        metadata: Metadata = Metadata.EMPTY,
        block: ArrayScope<T>.() -> Unit = {},
    ): ArrayScope<T> = scope<T>(name, nullable, metadata) { arrowTypeOf<T>() }.apply(block)

    /** A column of any type, of values that fit it, see [ArrayBuilder.append]. */
    public inline fun column(
        name: String,
        type: ArrowType,
        nullable: Boolean = true,
        metadata: Metadata = Metadata.EMPTY,
        block: ArrayScope<Any>.() -> Unit = {},
    ): ArrayScope<Any> = namedScope<Any>(name, type, nullable, metadata).apply(block)

    /** A column of any type, of values of one Kotlin type that fits it. */
    @JvmName("typedColumn")
    public inline fun <T : Any> column(
        name: String,
        type: ArrowType,
        nullable: Boolean = true,
        metadata: Metadata = Metadata.EMPTY,
        block: ArrayScope<T>.() -> Unit = {},
    ): ArrayScope<T> = namedScope<T>(name, type, nullable, metadata).apply(block)

    /** Adds a row: as many values as there are columns; these must have equally many before. */
    public fun row(vararg values: Any?) {
        builder.appendRow(*values)
    }

    /** Adds metadata of the schema; order is kept, and so are equal keys. */
    public fun metadata(
        key: String,
        value: String,
    ) {
        builder.setMetadata(builder.schema.metadata.plus(key, value))
    }

    @PublishedApi
    override fun declare(field: Field): ArrayBuilder = find(field.name) ?: builder.addColumn(field)

    @PublishedApi
    override fun find(name: String): ArrayBuilder? = builder.columns().firstOrNull { it.field.name == name }
}

/**
 * Builds a record batch.
 *
 * ```
 * val batch = recordBatch {
 *     column<Long>("id") { addAll(1L..3L) }
 *     column<String>("name") { addAll(listOf("Ada", null, "Alan")) }
 *     list<Double>("scores") { add(listOf(1.0, 2.0)); addNull(); add(emptyList()) }
 *     decimal("price", precision = 10, scale = 2) { … }
 * }
 * ```
 *
 * The caller closes the result. If the block fails, what was allocated is freed.
 *
 * @param device where the result is, see [deviceArray]
 * @throws IllegalArgumentException for a value that does not fit, with column and row (from 0); for columns of unequal
 *     length, with two of them
 */
public inline fun recordBatch(
    device: DeviceReference = Device.CPU,
    block: RecordBatchScope.() -> Unit,
): RecordBatch = recordBatch(Schema.of(), device, block)

/**
 * Builds a record batch of a schema, whose columns the block finds by name; those that it adds come behind.
 *
 * The caller closes the result.
 */
public inline fun recordBatch(
    schema: Schema,
    device: DeviceReference = Device.CPU,
    block: RecordBatchScope.() -> Unit,
): RecordBatch =
    newBatchScope(schema, device).let { scope ->
        scope.builder.use { builder ->
            scope.block()
            builder.finish()
        }
    }

@PublishedApi
internal fun newBatchScope(
    schema: Schema,
    device: DeviceReference,
): RecordBatchScope = RecordBatchScope(RecordBatchBuilder.of(schema, Devices.runtime(device), ::toJavaValue))
