package dev.arrowdevice

import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.internal.columns.toJavaValue
import dev.arrowdevice.spi.DeviceReference
import dev.arrowdevice.spi.Devices

/**
 * Builds a record batch.
 *
 * ```kotlin
 * val batch = recordBatch {
 *     column<Long>("id") { addAll(1L..3L) }
 *     column<String>("name") { addAll(listOf("Ada", null, "Alan")) }
 *     list<Double>("scores") { add(listOf(1.0, 2.0)); addNull(); add(emptyList()) }
 *     decimal("price", precision = 10, scale = 2) { repeat(3) { add(BigDecimal("9.99")) } }
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
    block: ColumnsScope.() -> Unit,
): RecordBatch = recordBatch(Schema.of(), device, block)

/**
 * Builds a record batch of a schema, whose columns the block finds by name; those that it adds come behind.
 *
 * The caller closes the result.
 */
public inline fun recordBatch(
    schema: Schema,
    device: DeviceReference = Device.CPU,
    block: ColumnsScope.() -> Unit,
): RecordBatch =
    newBatchBuilder(schema, device).use { builder ->
        ColumnsScope(builder.rows).block()
        builder.finish()
    }

@PublishedApi
internal fun newBatchBuilder(
    schema: Schema,
    device: DeviceReference,
): RecordBatchBuilder = RecordBatchBuilder.of(schema, Devices.runtime(device), ::toJavaValue)
