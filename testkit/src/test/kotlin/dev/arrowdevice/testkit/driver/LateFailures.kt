package dev.arrowdevice.testkit.driver

import dev.arrowdevice.driver.LateFailure
import dev.arrowdevice.memory.DeviceException
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.testkit.device.TraceEntry
import dev.arrowdevice.testkit.device.TraceEntry.Phase
import java.util.concurrent.ConcurrentLinkedQueue

/** The operations whose failure was told late, while a test's body ran and what it deferred was done. */
fun lateFailures(body: () -> Unit): List<String> {
    val failed = ConcurrentLinkedQueue<String>()
    val before = LateFailure.onFailure { e: DeviceException -> failed += e.operation() }
    try {
        body()
        ReleaseBalance.awaitDeferredReleases()
    } finally {
        LateFailure.onFailure(before)
    }
    return failed.toList()
}

/** A device that is open while the body runs, and given back with all that is of it. */
fun withDevice(
    builder: SimulatedDevice.Builder = SimulatedDevice.builder(0),
    body: SimulatedDevice.() -> Unit,
): List<TraceEntry> {
    val device: SimulatedDevice
    ReleaseBalance.start().use {
        device = builder.open()
        device.use(body)
    }
    // What was done wrong after the end.
    device.takeMisuse().let { check(it.isEmpty()) { it.joinToString() } }
    return device.trace()
}

/** Where an operation first came to a phase. */
fun List<TraceEntry>.place(
    operation: Operation,
    phase: Phase = Phase.CALLED,
): Int =
    indexOfFirst {
        it.operation() == operation && it.phase() == phase
    }.also { check(it >= 0) { "no $operation $phase" } }

fun List<TraceEntry>.count(
    operation: Operation,
    phase: Phase = Phase.CALLED,
): Int = count { it.operation() == operation && it.phase() == phase }
