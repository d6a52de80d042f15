package dev.arrowdevice.cuda

import dev.arrowdevice.spi.MemoryKind

/**
 * Opens an NVIDIA GPU with its own memory, Arrow's device `CUDA`.
 *
 * ```kotlin
 * cuda(0).use { gpu -> println(gpu.memoryInfo) }
 * ```
 *
 * @param device CUDA's ordinal of the GPU
 * @return the runtime, which the caller closes; what was made with it stays usable
 * @throws dev.arrowdevice.spi.DeviceUnavailableException if there is no driver or no such GPU; the message says why
 */
public fun cuda(device: Int = 0): CudaRuntime = CudaRuntime.open(device)

/** Opens host memory pinned for a GPU, Arrow's device `CUDA_HOST`; see [cuda]. */
public fun cudaHost(device: Int = 0): CudaRuntime = CudaRuntime.open(device, MemoryKind.HOST)

/** Opens a GPU with its managed memory, Arrow's device `CUDA_MANAGED`; see [cuda]. */
public fun cudaManaged(device: Int = 0): CudaRuntime = CudaRuntime.open(device, MemoryKind.MANAGED)
