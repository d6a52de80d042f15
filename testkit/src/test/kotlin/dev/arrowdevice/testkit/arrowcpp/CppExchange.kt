package dev.arrowdevice.testkit.arrowcpp

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation

/** By which pair of C structs data crosses the boundary. */
enum class Interface { PLAIN, DEVICE }

/** Moves the array to C++. */
internal fun DeviceArray.toCpp(by: Interface = Interface.PLAIN): CppArray =
    withStructs(by) { array, schema ->
        when (by) {
            Interface.PLAIN -> {
                ArrowExport.exportArray(this, array, schema).run { CppArray.importFrom(array, schema) }
            }

            Interface.DEVICE -> {
                ArrowExport
                    .exportDeviceArray(
                        this,
                        array,
                        schema,
                    ).run { CppArray.importDeviceFrom(array, schema) }
            }
        }
    }

/** Takes one more owner of the array from C++, and looks at every byte of it. */
internal fun CppArray.toJvm(by: Interface = Interface.PLAIN): DeviceArray =
    withStructs(by) { array, schema ->
        when (by) {
            Interface.PLAIN -> {
                exportTo(array, schema).run { ArrowImport.importArray(array, schema, Validation.FULL) }
            }

            Interface.DEVICE -> {
                exportDeviceTo(
                    array,
                    schema,
                ).run { ArrowImport.importDeviceArray(array, schema, Validation.FULL) }
            }
        }
    }

/** Moves the batch to C++. */
internal fun RecordBatch.toCpp(by: Interface = Interface.PLAIN): CppRecordBatch =
    withStructs(by) { array, schema ->
        when (by) {
            Interface.PLAIN -> {
                ArrowExport
                    .exportBatch(
                        this,
                        array,
                        schema,
                    ).run { CppRecordBatch.importFrom(array, schema) }
            }

            Interface.DEVICE -> {
                ArrowExport.exportDeviceBatch(this, array, schema).run {
                    CppRecordBatch.importDeviceFrom(array, schema)
                }
            }
        }
    }

/** Takes one more owner of the batch from C++, and looks at every byte of it. */
internal fun CppRecordBatch.toJvm(by: Interface = Interface.PLAIN): RecordBatch =
    withStructs(by) { array, schema ->
        when (by) {
            Interface.PLAIN -> {
                exportTo(array, schema).run { ArrowImport.importBatch(array, schema, Validation.FULL) }
            }

            Interface.DEVICE -> {
                exportDeviceTo(
                    array,
                    schema,
                ).run { ArrowImport.importDeviceBatch(array, schema, Validation.FULL) }
            }
        }
    }

/** Moves the stream to C++, which asks it for its schema. */
internal fun DeviceArrayStream.toCpp(by: Interface = Interface.PLAIN): CppRecordBatchReader =
    when (by) {
        Interface.PLAIN -> {
            CStruct.arrayStream().use {
                ArrowExport.exportStream(this, it.address)
                CppRecordBatchReader.importFrom(it.address)
            }
        }

        Interface.DEVICE -> {
            CStruct.deviceArrayStream().use {
                ArrowExport.exportDeviceStream(this, it.address)
                CppRecordBatchReader.importDeviceFrom(it.address)
            }
        }
    }

/** Takes the reader over from C++, as a stream of batches that are fully validated. */
internal fun CppRecordBatchReader.toJvm(by: Interface = Interface.PLAIN): DeviceArrayStream =
    use {
        when (by) {
            Interface.PLAIN -> {
                CStruct.arrayStream().use {
                    exportTo(it.address)
                    ArrowImport.importStream(it.address, Validation.FULL)
                }
            }

            Interface.DEVICE -> {
                CStruct.deviceArrayStream().use {
                    exportDeviceTo(it.address)
                    ArrowImport.importDeviceStream(it.address, Validation.FULL)
                }
            }
        }
    }

/** Moves a stream of arrays of any type to C++, which reads it to its end. */
internal fun DeviceArrayStream.toCppChunks(by: Interface): CppChunkedArray =
    when (by) {
        Interface.PLAIN -> {
            CStruct.arrayStream().use {
                ArrowExport.exportStream(this, it.address)
                CppChunkedArray.importFrom(it.address)
            }
        }

        Interface.DEVICE -> {
            CStruct.deviceArrayStream().use {
                ArrowExport.exportDeviceStream(this, it.address)
                CppChunkedArray.importDeviceFrom(it.address)
            }
        }
    }

/** A stream of the chunks, which are fully validated. */
internal fun CppChunkedArray.toJvm(by: Interface): DeviceArrayStream =
    when (by) {
        Interface.PLAIN -> {
            CStruct.arrayStream().use {
                exportTo(it.address)
                ArrowImport.importStream(it.address, Validation.FULL)
            }
        }

        Interface.DEVICE -> {
            CStruct.deviceArrayStream().use {
                exportDeviceTo(it.address)
                ArrowImport.importDeviceStream(it.address, Validation.FULL)
            }
        }
    }

private fun <T> withStructs(
    by: Interface,
    body: (array: Long, schema: Long) -> T,
): T =
    (if (by == Interface.PLAIN) CStruct.array() else CStruct.deviceArray()).use { array ->
        CStruct.schema().use { schema -> body(array.address, schema.address) }
    }
