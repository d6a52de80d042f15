package dev.arrowdevice.testkit.contract

import dev.arrowdevice.memory.CpuRuntime
import dev.arrowdevice.memory.DeviceQueue
import dev.arrowdevice.memory.DeviceRuntime
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.spec.style.scopes.FunSpecContainerScope
import io.kotest.core.test.Enabled
import java.util.EnumSet

/** The simulated device as a subject, with all abilities. */
class SimulatedSubject(
    private val device: SimulatedDevice,
    private val other: SimulatedDevice? = null,
) : DriverSubject(device.runtime()) {
    override fun abilities(): Set<Ability> =
        EnumSet.allOf(Ability::class.java).also { if (other == null) it.remove(Ability.SECOND_DEVICE) }

    override fun hold(queue: DeviceQueue): Runnable {
        device.hold(queue)
        return Runnable { device.resume(queue) }
    }

    override fun failNext(fault: Fault): Unit =
        device.failNext(
            when (fault) {
                Fault.ALLOCATE -> Operation.ALLOCATE
                Fault.ALLOCATE_STAGING -> Operation.ALLOCATE_STAGING
                Fault.CREATE_QUEUE -> Operation.CREATE_QUEUE
                Fault.RECORD -> Operation.RECORD_EVENT
                Fault.COPY -> Operation.COPY
            },
        )

    override fun second(): DeviceRuntime = other!!.runtime()

    override fun closeRuntime(): Unit = device.runtime().close()

    override fun close() {
        device.use { other?.close() }
    }
}

/** A GPU's view of the simulated device: queues are held by callbacks that block. */
private class BlockingSubject(
    private val device: SimulatedDevice,
) : DriverSubject(device.runtime()) {
    override fun close(): Unit = device.close()
}

private object CpuSubject : DeviceSubject {
    override fun runtime(): DeviceRuntime = CpuRuntime.INSTANCE
}

private suspend fun FunSpecContainerScope.all(subject: () -> DeviceSubject) =
    DeviceContract.cases(subject).forEach { case ->
        test(case.name())
            .config(
                enabledOrReasonIf = { case.skipped()?.let { Enabled.disabled(it) } ?: Enabled.enabled },
            ) { case.run() }
    }

class DeviceContractTest :
    FunSpec({
        context("the CPU") { all { CpuSubject } }

        context("the simulated device") { all { SimulatedSubject(SimulatedDevice.open(0)) } }

        context("two that are peers") {
            all {
                val first = SimulatedDevice.open(0)
                val second = SimulatedDevice.open(1)
                first.connect(second)
                SimulatedSubject(first, second)
            }
        }

        context("two that are none") { all { SimulatedSubject(SimulatedDevice.open(0), SimulatedDevice.open(1)) } }

        context("with memory that the host reads") {
            all { SimulatedSubject(SimulatedDevice.builder(0).unifiedMemory().open()) }
        }

        context("without callbacks") { all { SimulatedSubject(SimulatedDevice.builder(0).withoutCallbacks().open()) } }

        context("without memory in the order of queues") {
            all { SimulatedSubject(SimulatedDevice.builder(0).withoutQueueOrderedMemory().open()) }
        }

        context("held by callbacks, as GPUs are") { all { BlockingSubject(SimulatedDevice.open(0)) } }
    })
