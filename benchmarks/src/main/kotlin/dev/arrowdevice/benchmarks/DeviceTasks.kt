package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.device.DeviceCopies

private val memcpy = Peer("memcpy", jmh<DeviceCopies>("memcpy"))

internal val deviceTasks: List<Task> =
    listOf(
        Task(
            "device/to-device",
            "copy of a batch of 32 MB to new memory of the simulated device",
            jmh<DeviceCopies>("toDevice"),
            memcpy,
        ),
        Task(
            "device/to-host",
            "copy of a batch of 32 MB from the simulated device to new memory of the host",
            jmh<DeviceCopies>("toHost"),
            memcpy,
        ),
    )
