package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.device.DeviceCopies

/** Of each of eight int64 columns. */
private const val ROWS = 500_000

private val memcpy = Peer("memcpy", deviceCopy("memcpy"))

private fun deviceCopy(method: String) = jmh<DeviceCopies>(method, "rows" to ROWS)

internal val deviceTasks: List<Task> =
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
