package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.peers.RebuiltArrays
import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.testkit.device.TraceEntry
import dev.arrowdevice.testkit.device.TraceEntry.Phase
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import java.util.concurrent.CompletableFuture

internal fun withGpu(test: SimulatedDevice.() -> Unit) =
    ReleaseBalance.start().use { SimulatedDevice.open(0).use(test) }

internal fun SimulatedDevice.array(vararg values: Int): DeviceArray =
    deviceArrayOf(*values.toTypedArray()).use { it.copyTo(device()) }.also { it.readyEvent?.await() }

/** An array of zeros that work on the paused queue, is going to overwrite. */
internal fun SimulatedDevice.pending(
    queue: DeviceQueue,
    vararg values: Int,
): DeviceArray {
    val array = array(*IntArray(values.size))
    pause(queue)
    launch(queue, listOf(array.data.buffer(1)!!.truncate(4L * values.size))) { (memory) ->
        values.forEachIndexed { i, value -> memory.putInt(4L * i, value) }
    }
    val event = runtime().record(queue)
    return RebuiltArrays.of(array) { data, owner ->
        val both =
            ReferenceCounted.all(
                object : ReferenceCounted() {
                    override fun free() = event.close()
                },
                owner,
            )
        OwnedArrays.of(data, both, event)
    }
}

internal fun DeviceArray.onHost(): List<Any?> = copyTo(Device.CPU).use { it.values() }

internal fun SimulatedDevice.calls(): List<Operation> =
    trace().filter { it.phase() == Phase.CALLED }.map { it.operation() }

/**
 * Runs what has to wait on the host for a paused queue. The queue goes on when the host waits for an event, and not
 * before: what does not wait is done first, which is an error.
 */
internal fun <T> SimulatedDevice.waitingFor(
    queue: DeviceQueue,
    block: () -> T,
): T {
    fun waits() = calls().count { it == Operation.AWAIT }
    val before = waits()
    val running = CompletableFuture.supplyAsync(block)
    while (!running.isDone && waits() == before) Thread.onSpinWait()
    val early = running.isDone
    resume(queue)
    val result = running.join()
    withClue("done without waiting") { early shouldBe false }
    return result
}
