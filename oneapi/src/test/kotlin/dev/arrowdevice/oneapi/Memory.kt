package dev.arrowdevice.oneapi

import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.NativeMemory

internal fun putByte(
    address: Long,
    value: Byte,
) = NativeMemory.putByte(address, value)

internal fun getBytes(
    address: Long,
    size: Int,
) = ByteArray(size) { NativeMemory.getByte(address + it) }

/** Lends a buffer and releases it. */
internal fun <T> DeviceBuffer.lend(body: (DeviceBuffer) -> T): T =
    try {
        body(this)
    } finally {
        owner.release()
    }

/** Copies bytes to a runtime's device and back, by its default queue. */
internal fun roundTrip(
    runtime: DeviceRuntime,
    bytes: ByteArray,
): ByteArray =
    runtime.allocateStaging(bytes.size.toLong()).lend { staging ->
        runtime.allocate(bytes.size.toLong()).lend { there ->
            bytes.forEachIndexed { i, byte -> putByte(staging.address + i, byte) }
            runtime.copy(staging, 0, there, 0, bytes.size.toLong())
            bytes.indices.forEach { putByte(staging.address + it, 0) }
            runtime.copy(there, 0, staging, 0, bytes.size.toLong())
            getBytes(staging.address, bytes.size)
        }
    }
