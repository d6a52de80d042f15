package dev.arrowdevice.rocm

import dev.arrowdevice.spi.MemoryKind

/**
 * Opens an AMD GPU with its own memory, Arrow's device `ROCM`.
 *
 * ```kotlin
 * rocm(0).use { gpu -> println(gpu.memoryInfo) }
 * ```
 *
 * @param device HIP's ordinal of the GPU
 * @return the runtime, which the caller closes; what was made with it stays usable
 * @throws dev.arrowdevice.spi.DeviceUnavailableException if there is no HIP runtime or no such GPU; the message says why
 * and what would help
 */
public fun rocm(device: Int = 0): HipRuntime = HipRuntime.open(device)

/** Opens host memory pinned for a GPU, Arrow's device `ROCM_HOST`; see [rocm]. */
public fun rocmHost(device: Int = 0): HipRuntime = HipRuntime.open(device, MemoryKind.HOST)
