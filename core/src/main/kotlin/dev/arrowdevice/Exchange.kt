package dev.arrowdevice

// Export and import as extensions. See ArrowExport and ArrowImport for what they throw, and for what holds after a
// failure.

/**
 * Exports the array, in CPU memory, and calls [block] with the structs; see [ArrowExport]. Returns the block's result.
 */
public fun <R> DeviceArray.exportTo(block: (array: CArrayStruct, schema: CSchemaStruct) -> R): R =
    resultOf { keep -> ArrowExport.exportArray(this, blockOf<CArrayStruct> { a, s -> keep(block(a, s)) }) }

/**
 * Exports the array, in CPU memory, with a [field] that describes it, and calls [block] with the structs; see
 * [ArrowExport].
 */
public fun <R> DeviceArray.exportTo(
    field: Field,
    block: (array: CArrayStruct, schema: CSchemaStruct) -> R,
): R = resultOf { keep -> ArrowExport.exportArray(this, field, blockOf<CArrayStruct> { a, s -> keep(block(a, s)) }) }

/** Exports the array, on any device, and calls [block] with the structs; see [ArrowExport]. */
public fun <R> DeviceArray.exportToDevice(block: (array: CDeviceArrayStruct, schema: CSchemaStruct) -> R): R =
    resultOf { keep -> ArrowExport.exportDeviceArray(this, blockOf<CDeviceArrayStruct> { a, s -> keep(block(a, s)) }) }

/**
 * Exports the array, on any device, with a [field] that describes it, and calls [block] with the structs; see
 * [ArrowExport].
 */
public fun <R> DeviceArray.exportToDevice(
    field: Field,
    block: (array: CDeviceArrayStruct, schema: CSchemaStruct) -> R,
): R =
    resultOf { keep ->
        ArrowExport.exportDeviceArray(this, field, blockOf<CDeviceArrayStruct> { a, s -> keep(block(a, s)) })
    }

/** Exports the batch, in CPU memory, and calls [block] with the structs; see [ArrowExport]. */
public fun <R> RecordBatch.exportTo(block: (array: CArrayStruct, schema: CSchemaStruct) -> R): R =
    resultOf { keep -> ArrowExport.exportBatch(this, blockOf<CArrayStruct> { a, s -> keep(block(a, s)) }) }

/** Exports the batch, on any device, and calls [block] with the structs; see [ArrowExport]. */
public fun <R> RecordBatch.exportToDevice(block: (array: CDeviceArrayStruct, schema: CSchemaStruct) -> R): R =
    resultOf { keep -> ArrowExport.exportDeviceBatch(this, blockOf<CDeviceArrayStruct> { a, s -> keep(block(a, s)) }) }

/** Exports the stream, of CPU memory, and calls [block] with the struct; see [ArrowExport]. */
public fun <R> DeviceArrayStream.exportTo(block: (stream: CArrayStreamStruct) -> R): R =
    resultOf { keep -> ArrowExport.exportStream(this, blockOf<CArrayStreamStruct> { keep(block(it)) }) }

/** Exports the stream, on any device, and calls [block] with the struct; see [ArrowExport]. */
public fun <R> DeviceArrayStream.exportToDevice(block: (stream: CDeviceArrayStreamStruct) -> R): R =
    resultOf { keep -> ArrowExport.exportDeviceStream(this, blockOf<CDeviceArrayStreamStruct> { keep(block(it)) }) }

/**
 * Exports the schema of record batches and calls [block] with the struct. If nobody moved it, it is released when the
 * block ends.
 */
public fun <R> Schema.exportTo(block: (schema: CSchemaStruct) -> R): R =
    resultOf { keep -> ArrowExport.exportSchema(this, blockOf<CSchemaStruct> { keep(block(it)) }) }

/** Exports the field and calls [block] with the struct. If nobody moved it, it is released when the block ends. */
public fun <R> Field.exportTo(block: (schema: CSchemaStruct) -> R): R =
    resultOf { keep -> ArrowExport.exportField(this, blockOf<CSchemaStruct> { keep(block(it)) }) }

/** Moves the array, in CPU memory, into an `ArrowArray`. See [ArrowExport]. */
public fun DeviceArray.exportTo(array: CArrayStruct): Unit = ArrowExport.exportArray(this, array)

/** Moves the array, in CPU memory, into an `ArrowArray`, and writes its type to an `ArrowSchema`. See [ArrowExport]. */
public fun DeviceArray.exportTo(
    array: CArrayStruct,
    schema: CSchemaStruct,
): Unit = ArrowExport.exportArray(this, array, schema)

/**
 * Moves the array into an `ArrowDeviceArray`, with the event that completes when its data is ready. See [ArrowExport].
 */
public fun DeviceArray.exportToDevice(array: CDeviceArrayStruct): Unit = ArrowExport.exportDeviceArray(this, array)

/** Moves the array into an `ArrowDeviceArray`, and writes its type to an `ArrowSchema`. See [ArrowExport]. */
public fun DeviceArray.exportToDevice(
    array: CDeviceArrayStruct,
    schema: CSchemaStruct,
): Unit = ArrowExport.exportDeviceArray(this, array, schema)

/** Moves the batch, in CPU memory, into an `ArrowArray`. See [ArrowExport]. */
public fun RecordBatch.exportTo(array: CArrayStruct): Unit = ArrowExport.exportBatch(this, array)

/**
 * Moves the batch, in CPU memory, into an `ArrowArray`, and writes its schema to an `ArrowSchema`. See [ArrowExport].
 */
public fun RecordBatch.exportTo(
    array: CArrayStruct,
    schema: CSchemaStruct,
): Unit = ArrowExport.exportBatch(this, array, schema)

/**
 * Moves the batch into an `ArrowDeviceArray`, with the event that completes when its data is ready. See [ArrowExport].
 */
public fun RecordBatch.exportToDevice(array: CDeviceArrayStruct): Unit = ArrowExport.exportDeviceBatch(this, array)

/** Moves the batch into an `ArrowDeviceArray`, and writes its schema to an `ArrowSchema`. See [ArrowExport]. */
public fun RecordBatch.exportToDevice(
    array: CDeviceArrayStruct,
    schema: CSchemaStruct,
): Unit = ArrowExport.exportDeviceBatch(this, array, schema)

/** Moves the stream, of CPU memory, into an `ArrowArrayStream`. See [ArrowExport]. */
public fun DeviceArrayStream.exportTo(stream: CArrayStreamStruct): Unit = ArrowExport.exportStream(this, stream)

/** Moves the stream into an `ArrowDeviceArrayStream`. See [ArrowExport]. */
public fun DeviceArrayStream.exportToDevice(stream: CDeviceArrayStreamStruct): Unit =
    ArrowExport.exportDeviceStream(this, stream)

/** Writes the schema of record batches to an `ArrowSchema`. See [ArrowExport]. */
public fun Schema.exportTo(schema: CSchemaStruct): Unit = ArrowExport.exportSchema(this, schema)

/** Writes the field to an `ArrowSchema`. See [ArrowExport]. */
public fun Field.exportTo(schema: CSchemaStruct): Unit = ArrowExport.exportField(this, schema)

private fun <S : CStruct> blockOf(block: (S) -> Unit) = CStruct.Block<S, RuntimeException> { block(it) }

private fun <S : CStruct> blockOf(block: (S, CSchemaStruct) -> Unit) =
    CStruct.BlockWithSchema<S, RuntimeException> { array, schema -> block(array, schema) }

/** Returns the value that [call] passes to its argument. */
private inline fun <R> resultOf(call: (keep: (R) -> Unit) -> Unit): R {
    val results = ArrayList<R>(1)
    call { results.add(it) }
    return results.single()
}

/** Imports a field: its name, type, nullability and metadata. See [ArrowImport]. */
public fun importField(schema: CSchemaStruct): Field = ArrowImport.importField(schema)

/** Imports the field that [fill] writes to a struct. See [ArrowImport]. */
public inline fun importField(fill: (schema: CSchemaStruct) -> Unit): Field =
    CStruct.schema().importFilled("importField", fill) { importField(it) }

/** Imports the schema of record batches. See [ArrowImport]. */
public fun importSchema(schema: CSchemaStruct): Schema = ArrowImport.importSchema(schema)

/** Imports the schema of record batches that [fill] writes to a struct. See [ArrowImport]. */
public inline fun importSchema(fill: (schema: CSchemaStruct) -> Unit): Schema =
    CStruct.schema().importFilled("importSchema", fill) { importSchema(it) }

/** Imports an array from its structs. See [ArrowImport.importArray]. */
public fun importArray(
    array: CArrayStruct,
    schema: CSchemaStruct,
    validation: Validation = Validation.STRUCTURE,
): DeviceArray = ArrowImport.importArray(array, schema, validation)

/** Imports an array of a known type. See [ArrowImport]. */
public fun importArray(
    array: CArrayStruct,
    type: ArrowType,
    validation: Validation = Validation.STRUCTURE,
): DeviceArray = ArrowImport.importArray(array, type, validation)

/** Imports an array that [fill] writes to structs. See [ArrowImport]. */
public inline fun importArray(
    validation: Validation = Validation.STRUCTURE,
    fill: (array: CArrayStruct, schema: CSchemaStruct) -> Unit,
): DeviceArray =
    CStruct.array().importFilledWithSchema(
        "importArray",
        fill,
    ) { array, schema -> importArray(array, schema, validation) }

/** Imports an array of a known type that [fill] writes to a struct. See [ArrowImport]. */
public inline fun importArray(
    type: ArrowType,
    validation: Validation = Validation.STRUCTURE,
    fill: (array: CArrayStruct) -> Unit,
): DeviceArray = CStruct.array().importFilled("importArray", fill) { importArray(it, type, validation) }

/**
 * Imports an array from its structs as a batch of one column, which keeps the field's name and metadata. See
 * [ArrowImport.importColumn].
 */
public fun importColumn(
    array: CArrayStruct,
    schema: CSchemaStruct,
    validation: Validation = Validation.STRUCTURE,
): RecordBatch = ArrowImport.importColumn(array, schema, validation)

/** Imports an array that [fill] writes to structs, as a batch of one column. See [ArrowImport]. */
public inline fun importColumn(
    validation: Validation = Validation.STRUCTURE,
    fill: (array: CArrayStruct, schema: CSchemaStruct) -> Unit,
): RecordBatch =
    CStruct.array().importFilledWithSchema(
        "importColumn",
        fill,
    ) { array, schema -> importColumn(array, schema, validation) }

/** Imports a batch from its structs. See [ArrowImport.importBatch]. */
public fun importBatch(
    array: CArrayStruct,
    schema: CSchemaStruct,
    validation: Validation = Validation.STRUCTURE,
): RecordBatch = ArrowImport.importBatch(array, schema, validation)

/** Imports a batch of a known schema. See [ArrowImport]. */
public fun importBatch(
    array: CArrayStruct,
    schema: Schema,
    validation: Validation = Validation.STRUCTURE,
): RecordBatch = ArrowImport.importBatch(array, schema, validation)

/** Imports a batch that [fill] writes to structs. See [ArrowImport]. */
public inline fun importBatch(
    validation: Validation = Validation.STRUCTURE,
    fill: (array: CArrayStruct, schema: CSchemaStruct) -> Unit,
): RecordBatch =
    CStruct.array().importFilledWithSchema(
        "importBatch",
        fill,
    ) { array, schema -> importBatch(array, schema, validation) }

/** Imports a batch of a known schema that [fill] writes to a struct. See [ArrowImport]. */
public inline fun importBatch(
    schema: Schema,
    validation: Validation = Validation.STRUCTURE,
    fill: (array: CArrayStruct) -> Unit,
): RecordBatch = CStruct.array().importFilled("importBatch", fill) { importBatch(it, schema, validation) }

/** Imports a device array from its structs. See [ArrowImport.importDeviceArray]. */
public fun importDeviceArray(
    array: CDeviceArrayStruct,
    schema: CSchemaStruct,
    validation: Validation = Validation.STRUCTURE,
): DeviceArray = ArrowImport.importDeviceArray(array, schema, validation)

/** Imports a device array of a known type. See [ArrowImport]. */
public fun importDeviceArray(
    array: CDeviceArrayStruct,
    type: ArrowType,
    validation: Validation = Validation.STRUCTURE,
): DeviceArray = ArrowImport.importDeviceArray(array, type, validation)

/** Imports a device array that [fill] writes to structs. See [ArrowImport]. */
public inline fun importDeviceArray(
    validation: Validation = Validation.STRUCTURE,
    fill: (array: CDeviceArrayStruct, schema: CSchemaStruct) -> Unit,
): DeviceArray =
    CStruct.deviceArray().importFilledWithSchema(
        "importDeviceArray",
        fill,
    ) { array, schema -> importDeviceArray(array, schema, validation) }

/** Imports a device array of a known type that [fill] writes to a struct. See [ArrowImport]. */
public inline fun importDeviceArray(
    type: ArrowType,
    validation: Validation = Validation.STRUCTURE,
    fill: (array: CDeviceArrayStruct) -> Unit,
): DeviceArray =
    CStruct.deviceArray().importFilled("importDeviceArray", fill) { importDeviceArray(it, type, validation) }

/**
 * Imports a device array from its structs as a batch of one column, which keeps the field's name and metadata. See
 * [ArrowImport.importDeviceColumn].
 */
public fun importDeviceColumn(
    array: CDeviceArrayStruct,
    schema: CSchemaStruct,
    validation: Validation = Validation.STRUCTURE,
): RecordBatch = ArrowImport.importDeviceColumn(array, schema, validation)

/** Imports a device array that [fill] writes to structs, as a batch of one column. See [ArrowImport]. */
public inline fun importDeviceColumn(
    validation: Validation = Validation.STRUCTURE,
    fill: (array: CDeviceArrayStruct, schema: CSchemaStruct) -> Unit,
): RecordBatch =
    CStruct.deviceArray().importFilledWithSchema(
        "importDeviceColumn",
        fill,
    ) { array, schema -> importDeviceColumn(array, schema, validation) }

/** Imports a batch on a device from its structs. See [ArrowImport.importDeviceBatch]. */
public fun importDeviceBatch(
    array: CDeviceArrayStruct,
    schema: CSchemaStruct,
    validation: Validation = Validation.STRUCTURE,
): RecordBatch = ArrowImport.importDeviceBatch(array, schema, validation)

/** Imports a batch on a device of a known schema. See [ArrowImport]. */
public fun importDeviceBatch(
    array: CDeviceArrayStruct,
    schema: Schema,
    validation: Validation = Validation.STRUCTURE,
): RecordBatch = ArrowImport.importDeviceBatch(array, schema, validation)

/** Imports a batch on a device that [fill] writes to structs. See [ArrowImport]. */
public inline fun importDeviceBatch(
    validation: Validation = Validation.STRUCTURE,
    fill: (array: CDeviceArrayStruct, schema: CSchemaStruct) -> Unit,
): RecordBatch =
    CStruct.deviceArray().importFilledWithSchema(
        "importDeviceBatch",
        fill,
    ) { array, schema -> importDeviceBatch(array, schema, validation) }

/** Imports a batch on a device, of a known schema, that [fill] writes to a struct. See [ArrowImport]. */
public inline fun importDeviceBatch(
    schema: Schema,
    validation: Validation = Validation.STRUCTURE,
    fill: (array: CDeviceArrayStruct) -> Unit,
): RecordBatch =
    CStruct.deviceArray().importFilled("importDeviceBatch", fill) { importDeviceBatch(it, schema, validation) }

/** Imports a stream and gets its schema, which may block. See [ArrowImport]. */
public fun importStream(
    stream: CArrayStreamStruct,
    validation: Validation = Validation.STRUCTURE,
): DeviceArrayStream = ArrowImport.importStream(stream, validation)

/** Imports a stream that [fill] writes to a struct. See [ArrowImport]. */
public inline fun importStream(
    validation: Validation = Validation.STRUCTURE,
    fill: (stream: CArrayStreamStruct) -> Unit,
): DeviceArrayStream = CStruct.arrayStream().importFilled("importStream", fill) { importStream(it, validation) }

/** Imports a device stream and gets its schema, which may block. See [ArrowImport]. */
public fun importDeviceStream(
    stream: CDeviceArrayStreamStruct,
    validation: Validation = Validation.STRUCTURE,
): DeviceArrayStream = ArrowImport.importDeviceStream(stream, validation)

/** Imports a device stream that [fill] writes to a struct. See [ArrowImport]. */
public inline fun importDeviceStream(
    validation: Validation = Validation.STRUCTURE,
    fill: (stream: CDeviceArrayStreamStruct) -> Unit,
): DeviceArrayStream =
    CStruct.deviceArrayStream().importFilled("importDeviceStream", fill) { importDeviceStream(it, validation) }
