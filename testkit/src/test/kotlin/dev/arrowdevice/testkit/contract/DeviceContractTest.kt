package dev.arrowdevice.testkit.contract

import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.spi.DeviceRuntime
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

    override fun pause(queue: DeviceQueue): Runnable {
        device.pause(queue)
        return Runnable { device.resume(queue) }
    }

    override fun failNext(
        fault: Fault,
        passing: Int,
    ) {
        val operation =
            when (fault) {
                Fault.ALLOCATE -> Operation.ALLOCATE
                Fault.ALLOCATE_ASYNC -> Operation.ALLOCATE_ASYNC
                Fault.ALLOCATE_STAGING -> Operation.ALLOCATE_STAGING
                Fault.CREATE_QUEUE -> Operation.CREATE_QUEUE
                Fault.RECORD -> Operation.RECORD_EVENT
                Fault.AWAIT -> Operation.AWAIT
                Fault.IS_COMPLETE -> Operation.IS_COMPLETE
                Fault.SYNCHRONIZE -> Operation.SYNCHRONIZE
                Fault.COPY -> Operation.COPY
                Fault.LOST -> return device.lose()
            }
        device.failLater(operation, passing)
    }

    override fun forgetFailures() {
        device.clearFaults()
    }

    override fun second(): DeviceRuntime = other!!.runtime()

    override fun closeRuntime(): Unit = device.runtime().close()

    override fun close() {
        device.use { other?.close() }
    }
}

/** A GPU's view of the simulated device: queues are paused by callbacks that block. */
private class BlockingSubject(
    private val device: SimulatedDevice,
) : DriverSubject(device.runtime()) {
    override fun close(): Unit = device.close()
}

private object CpuSubject : DeviceSubject {
    override fun runtime(): DeviceRuntime = CpuRuntime.INSTANCE
}

private suspend fun FunSpecContainerScope.all(cases: List<DeviceContract.Case>) =
    cases.forEach { case ->
        test(case.name())
            .config(
                enabledOrReasonIf = { case.skipped()?.let { Enabled.disabled(it) } ?: Enabled.enabled },
            ) { case.run() }
    }

/** The subjects of one device. */
private val alone: Map<String, () -> DeviceSubject> =
    mapOf(
        "the CPU" to { CpuSubject },
        "the simulated device" to { SimulatedSubject(SimulatedDevice.open(0)) },
        "with memory that the host reads" to {
            SimulatedSubject(SimulatedDevice.builder(0).unifiedMemory().open())
        },
        "without callbacks" to { SimulatedSubject(SimulatedDevice.builder(0).withoutCallbacks().open()) },
        "without memory in the order of queues" to {
            SimulatedSubject(SimulatedDevice.builder(0).withoutQueueOrderedMemory().open())
        },
        "without callbacks and memory in the order of queues" to {
            SimulatedSubject(
                SimulatedDevice
                    .builder(0)
                    .withoutCallbacks()
                    .withoutQueueOrderedMemory()
                    .open(),
            )
        },
        "paused by callbacks, as GPUs are" to { BlockingSubject(SimulatedDevice.open(0)) },
    )

class DeviceContractTest :
    FunSpec({
        alone.forEach { (name, subject) -> context(name) { all(DeviceContract.cases(subject)) } }

        context("two devices that are peers") {
            all(
                DeviceContract.cases {
                    val first = SimulatedDevice.open(0)
                    val second = SimulatedDevice.open(1)
                    first.connect(second)
                    SimulatedSubject(first, second)
                },
            )
        }

        context("two devices that are not peers") {
            all(DeviceContract.cases { SimulatedSubject(SimulatedDevice.open(0), SimulatedDevice.open(1)) })
        }
    })

/** The same for arrays. */
class ArrayContractTest :
    FunSpec({
        alone.forEach { (name, subject) -> context(name) { all(ArrayContract.cases(subject)) } }
    })
