package dev.arrowdevice.peers.arrowcpp

import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation
import dev.arrowdevice.exportTo
import dev.arrowdevice.exportToDevice
import dev.arrowdevice.importArray
import dev.arrowdevice.importBatch
import dev.arrowdevice.importDeviceArray
import dev.arrowdevice.importDeviceBatch
import dev.arrowdevice.importDeviceStream
import dev.arrowdevice.importStream

/** By which pair of C structs data crosses the boundary. */
enum class Interface { PLAIN, DEVICE }

/** Moves the array to C++. */
internal fun DeviceArray.toCpp(by: Interface = Interface.PLAIN): CppArray =
    when (by) {
        Interface.PLAIN -> exportTo { array, schema -> CppArray.importFrom(array.address, schema.address) }
        Interface.DEVICE -> exportToDevice { array, schema -> CppArray.importDeviceFrom(array.address, schema.address) }
    }

/** Takes one more owner of the array from C++, and looks at every byte of it. */
internal fun CppArray.toJvm(by: Interface = Interface.PLAIN): DeviceArray =
    when (by) {
        Interface.PLAIN -> {
            importArray(Validation.FULL) { array, schema -> exportTo(array.address, schema.address) }
        }

        Interface.DEVICE -> {
            importDeviceArray(
                Validation.FULL,
            ) { array, schema -> exportDeviceTo(array.address, schema.address) }
        }
    }

/** Moves the batch to C++. */
internal fun RecordBatch.toCpp(by: Interface = Interface.PLAIN): CppRecordBatch =
    when (by) {
        Interface.PLAIN -> {
            exportTo { array, schema -> CppRecordBatch.importFrom(array.address, schema.address) }
        }

        Interface.DEVICE -> {
            exportToDevice {
                array,
                schema,
                ->
                CppRecordBatch.importDeviceFrom(array.address, schema.address)
            }
        }
    }

/** Takes one more owner of the batch from C++, and looks at every byte of it. */
internal fun CppRecordBatch.toJvm(by: Interface = Interface.PLAIN): RecordBatch =
    when (by) {
        Interface.PLAIN -> {
            importBatch(Validation.FULL) { array, schema -> exportTo(array.address, schema.address) }
        }

        Interface.DEVICE -> {
            importDeviceBatch(
                Validation.FULL,
            ) { array, schema -> exportDeviceTo(array.address, schema.address) }
        }
    }

/** Moves the stream to C++, which asks it for its schema. */
internal fun DeviceArrayStream.toCpp(by: Interface = Interface.PLAIN): CppRecordBatchReader =
    when (by) {
        Interface.PLAIN -> exportTo { CppRecordBatchReader.importFrom(it.address) }
        Interface.DEVICE -> exportToDevice { CppRecordBatchReader.importDeviceFrom(it.address) }
    }

/** Takes the reader over from C++, as a stream of batches that are fully validated. */
internal fun CppRecordBatchReader.toJvm(by: Interface = Interface.PLAIN): DeviceArrayStream =
    use {
        when (by) {
            Interface.PLAIN -> importStream(Validation.FULL) { exportTo(it.address) }
            Interface.DEVICE -> importDeviceStream(Validation.FULL) { exportDeviceTo(it.address) }
        }
    }

/** Moves a stream of arrays of any type to C++, which reads it to its end. */
internal fun DeviceArrayStream.toCppChunks(by: Interface): CppChunkedArray =
    when (by) {
        Interface.PLAIN -> exportTo { CppChunkedArray.importFrom(it.address) }
        Interface.DEVICE -> exportToDevice { CppChunkedArray.importDeviceFrom(it.address) }
    }

/** A stream of the chunks, which are fully validated. */
internal fun CppChunkedArray.toJvm(by: Interface): DeviceArrayStream =
    when (by) {
        Interface.PLAIN -> importStream(Validation.FULL) { exportTo(it.address) }
        Interface.DEVICE -> importDeviceStream(Validation.FULL) { exportDeviceTo(it.address) }
    }
