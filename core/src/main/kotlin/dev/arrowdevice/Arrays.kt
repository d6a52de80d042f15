package dev.arrowdevice

import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.internal.columns.toJavaValue
import dev.arrowdevice.spi.DeviceReference
import dev.arrowdevice.spi.Devices

/**
 * Builds an array of the Arrow type that stands for [T], see [arrowTypeOf].
 *
 * ```kotlin
 * val ages = deviceArray<Int> { add(36); addNull(); add(41) }      // int32
 * val names = deviceArray<String> { add("Ada"); addNull(); add("Alan") }      // utf8
 * ```
 *
 * The caller closes the result. If the block fails, what was allocated is freed.
 *
 * @param device the device of the result, or its runtime. If the host can't write its memory, the array is built in
 *     pinned memory and its transfer is started when it is complete; the array's event says when it is there
 * @throws IllegalArgumentException for a value that does not fit; the message names the row, from 0
 */
public inline fun <reified T : Any> deviceArray(
    device: DeviceReference = Device.CPU,
    block: ArrayScope<T>.() -> Unit,
): DeviceArray = deviceArray<T>(arrowTypeOf<T>(), device, block)

/** Builds an array of any type from values that fit it, see [ArrayBuilder.append]. The caller closes the result. */
public inline fun deviceArray(
    type: ArrowType,
    device: DeviceReference = Device.CPU,
    block: ArrayScope<Any>.() -> Unit,
): DeviceArray = deviceArray<Any>(type, device, block)

/** Builds an array of any type from values of one Kotlin type that fits it. The caller closes the result. */
@JvmName("typedDeviceArray")
public inline fun <T : Any> deviceArray(
    type: ArrowType,
    device: DeviceReference = Device.CPU,
    block: ArrayScope<T>.() -> Unit,
): DeviceArray =
    newBuilder(Field.nullable("", type), device).use { builder ->
        ArrayScope<T>(builder).block()
        builder.finish()
    }

/** An array of these values, of the Arrow type that stands for [T]. The caller closes the result. */
public inline fun <reified T : Any> deviceArrayOf(vararg values: T?): DeviceArray =
    deviceArray<T> { addAll(values.asIterable()) }

/** An array of these values, of the Arrow type that stands for [T]. The caller closes the result. */
public inline fun <reified T : Any> Iterable<T?>.toDeviceArray(device: DeviceReference = Device.CPU): DeviceArray =
    deviceArray<T>(device) { addAll(this@toDeviceArray) }

/** An int32 array of a copy of these values. The caller closes the result. */
public fun IntArray.toDeviceArray(device: DeviceReference = Device.CPU): DeviceArray =
    deviceArray<Int>(device) { addAll(this@toDeviceArray) }

/** An int64 array of a copy of these values. The caller closes the result. */
public fun LongArray.toDeviceArray(device: DeviceReference = Device.CPU): DeviceArray =
    deviceArray<Long>(device) { addAll(this@toDeviceArray) }

/** A float32 array of a copy of these values. The caller closes the result. */
public fun FloatArray.toDeviceArray(device: DeviceReference = Device.CPU): DeviceArray =
    deviceArray<Float>(device) { addAll(this@toDeviceArray) }

/** A float64 array of a copy of these values. The caller closes the result. */
public fun DoubleArray.toDeviceArray(device: DeviceReference = Device.CPU): DeviceArray =
    deviceArray<Double>(device) { addAll(this@toDeviceArray) }

@PublishedApi
internal fun newBuilder(
    field: Field,
    device: DeviceReference,
): ArrayBuilder = ArrayBuilder.of(field, Devices.runtime(device), ::toJavaValue)
