package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.device.DeviceCopies
import dev.arrowdevice.benchmarks.device.GpuCopies

/** The number of rows of each of eight int64 columns. */
private const val ROWS = 500_000

private val memcpy = Peer("memcpy", deviceCopy("memcpy"))

private fun deviceCopy(method: String) = jmh<DeviceCopies>(method, "rows" to ROWS)

private val simulatedCopies: List<Task> =
    listOf(
        Task(
            "device/to-device",
            "copy of a batch of 32 MB to new memory of the simulated device",
            deviceCopy("toDevice"),
            memcpy,
        ),
        Task(
            "device/to-host",
            "copy of a batch of 32 MB from the simulated device to new memory of the host",
            deviceCopy("toHost"),
            memcpy,
        ),
    )

/** 64 MB of int64. */
private const val GPU_ROWS = 8_000_000

private fun gpuCopy(method: String) = jmh<GpuCopies>(method, "rows" to GPU_ROWS)

private val rawCopy = Peer("cuMemcpyHtoDAsync", gpuCopy("raw"))

private val pageableCopy = Peer("cuMemcpyHtoD", gpuCopy("rawPageable"))

private val gpuCopies: List<Task> =
    listOf(
        Task(
            "gpu/to-device",
            "copy of an array of 64 MB from pinned memory to new memory of an NVIDIA GPU",
            gpuCopy("fromPinned"),
            rawCopy,
            budget = 0.95,
            obstacle = ::lackOfGpu,
        ),
        Task(
            "gpu/to-device-plain",
            "copy of an array of 64 MB from memory that is not pinned to new memory of an NVIDIA GPU",
            gpuCopy("fromPlain"),
            pageableCopy,
            budget = 0.9,
            quick = false,
            obstacle = ::lackOfGpu,
        ),
        Task(
            "gpu/to-device-plain-pinned",
            "copy of an array of 64 MB from memory that is not pinned, beside the driver's from pinned memory",
            gpuCopy("fromPlain"),
            rawCopy,
            obstacle = ::lackOfGpu,
        ),
    )

internal val deviceTasks: List<Task> = simulatedCopies + gpuCopies
