package dev.arrowdevice.oneapi

import dev.arrowdevice.spi.MemoryKind

/**
 * Opens a device of oneAPI with its own memory, Arrow's device `ONEAPI`.
 *
 * ```kotlin
 * oneapi(0).use { device -> println(device.description) }
 * ```
 *
 * @param device the device's place in SYCL's list
 * @return the runtime, which the caller closes; what was made with it stays usable
 * @throws dev.arrowdevice.spi.DeviceUnavailableException if there is no SYCL runtime or no such device; the message says
 * why and what would help
 */
public fun oneapi(device: Int = 0): SyclRuntime = SyclRuntime.open(device)

/** Opens a device with SYCL's memory of the host, which is Arrow's device `ONEAPI` too; see [oneapi]. */
public fun oneapiHost(device: Int = 0): SyclRuntime = SyclRuntime.open(device, MemoryKind.HOST)

/** Opens a device with SYCL's shared memory, which is Arrow's device `ONEAPI` too; see [oneapi]. */
public fun oneapiShared(device: Int = 0): SyclRuntime = SyclRuntime.open(device, MemoryKind.MANAGED)
