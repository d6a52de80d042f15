package dev.arrowdevice.cuda

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.DeviceType
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.Diagnostics
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.SimulatedDriver
import dev.arrowdevice.testkit.contract.Ability
import dev.arrowdevice.testkit.contract.ArrayContract
import dev.arrowdevice.testkit.contract.DeviceContract
import dev.arrowdevice.testkit.contract.DriverSubject
import dev.arrowdevice.testkit.contract.Fault
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.ints.shouldBeGreaterThan
import java.util.function.Consumer

/** The contract of all devices, kept by each kind of memory of CUDA; on the simulated driver its mistakes are counted too. */
class CudaContractTest :
    FunSpec({
        for (kind in MemoryKind.values()) {
            val device = Device(deviceType(kind), 0)
            context("$device as found by Devices") {
                val cases = DeviceContract.cases { FoundSubject(device, kind) }
                (cases + ArrayContract.cases { FoundSubject(device, kind) }).forEach { case ->
                    test(case.name()).config(enabledOrReasonIf = {
                        case.skipped()?.let(Enabled::disabled)
                            ?: Enabled.enabled
                    }) {
                        balanced { case.run() }
                    }
                }
            }
            context("$device as opened") {
                val found =
                    DeviceContract
                        .cases {
                            FoundSubject(
                                device,
                                kind,
                            )
                        }.filter { it.skipped() != null }
                        .map { it.name() }
                val closing =
                    DeviceContract.cases { OpenedSubject(kind) }.filter {
                        it.name() in found &&
                            it.skipped() == null
                    }
                closing.size shouldBeGreaterThan 1
                closing.forEach { case ->
                    test(case.name()) { balanced { case.run() } }
                }
            }
        }
    })

private fun deviceType(kind: MemoryKind): Int =
    when (kind) {
        MemoryKind.DEVICE -> DeviceType.CUDA
        MemoryKind.HOST -> DeviceType.CUDA_HOST
        MemoryKind.MANAGED -> DeviceType.CUDA_MANAGED
    }

private const val ECC_UNCORRECTABLE = 214

/** The simulated driver adds faults, on request, to any subject. */
private open class CudaSubject(
    runtime: CudaRuntime,
    private val kind: MemoryKind,
) : DriverSubject(runtime) {
    override fun abilities(): Set<Ability> =
        super.abilities() + Ability.ADDRESSES + if (simulated == null) setOf() else setOf(Ability.FAULTS)

    private var before: Consumer<DeviceException>? = null

    override fun failNext(
        fault: Fault,
        passing: Int,
    ) {
        val driver = checkNotNull(simulated)
        // The GPU's error stays until the end of the case, and calls that free report it until then.
        if (before == null) before = Diagnostics.onLateFailure {}
        when (fault) {
            Fault.ALLOCATE -> {
                failNext(allocation(), passing)
            }

            Fault.ALLOCATE_ASYNC -> {
                failNext(
                    if (kind ==
                        MemoryKind.DEVICE
                    ) {
                        "cuMemAllocAsync"
                    } else {
                        allocation()
                    },
                    passing,
                )
            }

            Fault.ALLOCATE_STAGING -> {
                failNext("cuMemHostAlloc", passing)
            }

            Fault.CREATE_QUEUE -> {
                failNext("cuStreamCreate", passing)
            }

            Fault.RECORD -> {
                failNext("cuEventRecord", passing)
            }

            Fault.AWAIT -> {
                failNext("cuEventSynchronize", passing)
            }

            Fault.IS_COMPLETE -> {
                failNext("cuEventQuery", passing)
            }

            Fault.SYNCHRONIZE -> {
                failNext("cuStreamSynchronize", passing)
            }

            Fault.COPY -> {
                driver.failCopy(SimulatedDriver.ILLEGAL_ADDRESS, passing.toLong())
            }

            Fault.LOST -> {
                driver.loseDevice(0, ECC_UNCORRECTABLE)
            }
        }
    }

    private fun failNext(
        function: String,
        passing: Int,
    ) = checkNotNull(simulated).failNext(function, SimulatedDriver.OUT_OF_MEMORY, passing.toLong())

    override fun forgetFailures() = checkNotNull(simulated).clearErrors()

    private fun allocation() =
        when (kind) {
            MemoryKind.DEVICE -> "cuMemAlloc"
            MemoryKind.HOST -> "cuMemHostAlloc"
            MemoryKind.MANAGED -> "cuMemAllocManaged"
        }

    override fun close() {
        simulated?.reset()
        before?.let(Diagnostics::onLateFailure)
    }
}

/** A runtime that nobody closes. */
private class FoundSubject(
    device: Device,
    kind: MemoryKind,
) : CudaSubject(found(device), kind) {
    private val peer = Device(device.type(), 1)

    override fun abilities(): Set<Ability> =
        super.abilities() + if (Devices.find(peer) == null) setOf() else setOf(Ability.SECOND_DEVICE)

    override fun second(): DeviceRuntime = Devices.runtime(peer)
}

/** A native handle. */
private class OpenedSubject(
    kind: MemoryKind,
    private val handle: CudaRuntime = CudaRuntime.open(0, kind),
) : CudaSubject(handle, kind) {
    override fun abilities(): Set<Ability> = super.abilities() + Ability.CLOSE

    override fun closeRuntime() = handle.close()

    override fun close() {
        handle.close()
        super.close()
    }
}
