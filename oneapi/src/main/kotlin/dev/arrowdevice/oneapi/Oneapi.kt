package dev.arrowdevice.oneapi

/**
 * Opens a device of oneAPI with its own memory, Arrow's device `ONEAPI`.
 *
 * ```kotlin
 * oneapi(0).use { device -> println(device.description) }
 * ```
 *
 * @param device the device's place in SYCL's list
 * @return a handle, which the caller closes; what was made through it stays usable
 * @throws dev.arrowdevice.DeviceUnavailableException if there is no SYCL runtime or no such device; the message says
 * why and what would help
 */
public fun oneapi(device: Int = 0): SyclRuntime = SyclRuntime.open(device)
