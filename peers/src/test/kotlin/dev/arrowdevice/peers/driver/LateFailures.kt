package dev.arrowdevice.peers.driver

import dev.arrowdevice.DeviceException
import dev.arrowdevice.spi.Diagnostics
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.testkit.device.TraceEntry
import dev.arrowdevice.testkit.device.TraceEntry.Phase
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.TimeUnit

/** The operations whose failure was reported late, while the body of a test and its deferred releases ran. */
fun lateFailures(body: () -> Unit): List<String> {
    val failed = ConcurrentLinkedQueue<String>()
    val before = Diagnostics.onLateFailure { e: DeviceException -> failed += e.operation }
    try {
        body()
        ReleaseBalance.awaitDeferredReleases()
    } finally {
        Diagnostics.onLateFailure(before)
    }
    return failed.toList()
}

/** A device that is open while the body runs, and is closed with everything that belongs to it. */
fun withDevice(
    builder: SimulatedDevice.Builder = SimulatedDevice.builder(0),
    body: SimulatedDevice.() -> Unit,
): List<TraceEntry> {
    val device: SimulatedDevice
    ReleaseBalance.start().use {
        device = builder.open()
        device.use(body)
    }
    awaitGivenBack(device)
    // The mistakes after the end.
    device.takeMisuse().let { check(it.isEmpty()) { it.joinToString() } }
    return device.trace()
}

/** Waits for the device's own end, which no balance sees: a callback's thread may be the last to hold it. */
fun awaitGivenBack(device: SimulatedDevice) {
    val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10)
    while (device.trace().none { it.operation() == Operation.CLOSE }) {
        check(System.nanoTime() < end) { "somebody still holds the device" }
        Thread.onSpinWait()
    }
}

/** Waits until something is so, which other threads bring about. */
fun waitUntil(holds: () -> Boolean) {
    val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30)
    while (!holds()) {
        check(System.nanoTime() < end) { "it is not so after 30 seconds" }
        Thread.yield()
    }
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
