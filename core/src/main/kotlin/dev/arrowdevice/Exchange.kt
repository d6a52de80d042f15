package dev.arrowdevice

// The verbs of ArrowExport, on what they move: ownership goes to the consumer, and on failure stays with the caller, the
// struct then being marked released. They throw what ArrowExport says. Imports are functions of ArrowImport.

/** Moves the array, in CPU memory, out to an `ArrowArray`. See [ArrowExport]. */
public fun DeviceArray.exportTo(arrayAddress: Long) {
    ArrowExport.exportArray(this, arrayAddress)
}

/** Moves the array, in CPU memory, out to an `ArrowArray`, and its type to an `ArrowSchema`. See [ArrowExport]. */
public fun DeviceArray.exportTo(
    arrayAddress: Long,
    schemaAddress: Long,
) {
    ArrowExport.exportArray(this, arrayAddress, schemaAddress)
}

/** Moves the array out to an `ArrowDeviceArray`, with the event that says when its data is there. See [ArrowExport]. */
public fun DeviceArray.exportToDevice(deviceArrayAddress: Long) {
    ArrowExport.exportDeviceArray(this, deviceArrayAddress)
}

/** Moves the array out to an `ArrowDeviceArray`, and its type to an `ArrowSchema`. See [ArrowExport]. */
public fun DeviceArray.exportToDevice(
    deviceArrayAddress: Long,
    schemaAddress: Long,
) {
    ArrowExport.exportDeviceArray(this, deviceArrayAddress, schemaAddress)
}

/** Moves the batch, in CPU memory, out to an `ArrowArray`. See [ArrowExport]. */
public fun RecordBatch.exportTo(arrayAddress: Long) {
    ArrowExport.exportBatch(this, arrayAddress)
}

/** Moves the batch, in CPU memory, out to an `ArrowArray`, and its schema to an `ArrowSchema`. See [ArrowExport]. */
public fun RecordBatch.exportTo(
    arrayAddress: Long,
    schemaAddress: Long,
) {
    ArrowExport.exportBatch(this, arrayAddress, schemaAddress)
}

/** Moves the batch out to an `ArrowDeviceArray`, with the event that says when its data is there. See [ArrowExport]. */
public fun RecordBatch.exportToDevice(deviceArrayAddress: Long) {
    ArrowExport.exportDeviceBatch(this, deviceArrayAddress)
}

/** Moves the batch out to an `ArrowDeviceArray`, and its schema to an `ArrowSchema`. See [ArrowExport]. */
public fun RecordBatch.exportToDevice(
    deviceArrayAddress: Long,
    schemaAddress: Long,
) {
    ArrowExport.exportDeviceBatch(this, deviceArrayAddress, schemaAddress)
}

/** Moves the stream, of CPU memory, out to an `ArrowArrayStream`. See [ArrowExport]. */
public fun DeviceArrayStream.exportTo(streamAddress: Long) {
    ArrowExport.exportStream(this, streamAddress)
}

/** Moves the stream out to an `ArrowDeviceArrayStream`. See [ArrowExport]. */
public fun DeviceArrayStream.exportToDevice(streamAddress: Long) {
    ArrowExport.exportDeviceStream(this, streamAddress)
}

/** Writes the schema, of record batches, to an `ArrowSchema`. See [ArrowExport]. */
public fun Schema.exportTo(schemaAddress: Long) {
    ArrowExport.exportSchema(this, schemaAddress)
}

/** Writes the field to an `ArrowSchema`. See [ArrowExport]. */
public fun Field.exportTo(schemaAddress: Long) {
    ArrowExport.exportField(this, schemaAddress)
}
