package dev.arrowdevice.rocm

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.SimulatedDriver.ILLEGAL_ADDRESS
import dev.arrowdevice.testkit.SimulatedDriver.LAUNCH_FAILED
import dev.arrowdevice.testkit.SimulatedDriver.Library
import dev.arrowdevice.testkit.SimulatedDriver.OUT_OF_MEMORY
import dev.arrowdevice.testkit.SimulatedDriverMode
import dev.arrowdevice.testkit.contract.Ability
import dev.arrowdevice.testkit.contract.ArrayContract
import dev.arrowdevice.testkit.contract.DeviceContract
import dev.arrowdevice.testkit.contract.DeviceSubject
import dev.arrowdevice.testkit.contract.DriverSubject
import dev.arrowdevice.testkit.contract.Fault
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.spec.style.scopes.FunSpecContainerScope
import io.kotest.core.test.Enabled
import io.kotest.matchers.collections.shouldBeEmpty
import java.time.Duration

/**
 * The contract of all devices, on the simulated HIP of each version; with `-Drocm.driver=real` on the machine's own HIP and
 * its first GPU, and its second if there is one; with `-Drocm.modes=<mode>,<mode>` only on one that has these modes.
 */
class HipContractTest :
    FunSpec({
        val kinds = listOf(MemoryKind.DEVICE, MemoryKind.HOST)
        if (System.getProperty("rocm.driver") == "real") {
            kinds.forEach { kind -> context("ROCm, $kind") { all { RealSubject(kind) } } }
        } else if (chosen == null) {
            hipLibraries.forEach { face ->
                kinds.forEach { kind -> context("$face, $kind") { all { SimulatedSubject(SimulatedHip(face), kind) } } }
            }
            context("ROCM_6, DEVICE, a GPU that can't access the other") {
                all { SimulatedSubject(SimulatedHip(Library.ROCM_6), MemoryKind.DEVICE) { driver.peerAccess(false) } }
            }
            context("ROCM_5, DEVICE, without memory in the order of queues") {
                all { SimulatedSubject(SimulatedHip(Library.ROCM_5), MemoryKind.DEVICE) { driver.memoryPools(false) } }
            }
            kinds.forEach { kind -> inModes(kind, SimulatedDriverMode.entries.toSet()) }
        } else {
            kinds.forEach { kind -> inModes(kind, chosen) }
        }
    })

private val chosen: Set<SimulatedDriverMode>? =
    System.getProperty("rocm.modes")?.let { names ->
        names
            .split(',')
            .filter { it.isNotEmpty() }
            .map { SimulatedDriverMode.valueOf(it) }
            .toSet()
    }

private fun FunSpec.inModes(
    kind: MemoryKind,
    modes: Set<SimulatedDriverMode>,
) {
    val copiesBlock = kind == MemoryKind.HOST && SimulatedDriverMode.SYNCHRONOUS_HOST_COPIES in modes
    val lacking = if (copiesBlock) setOf(Ability.QUEUED_COPIES) else setOf()
    context("ROCM_7, $kind, as slow to answer as the documentation allows") {
        all { SimulatedSubject(SimulatedHip(Library.ROCM_7), kind, lacking) { driver.modes(modes) } }
    }
}

private suspend fun FunSpecContainerScope.all(subject: () -> DeviceSubject) =
    (DeviceContract.cases(subject) + ArrayContract.cases(subject)).forEach { case ->
        test(case.name())
            .config(
                enabledOrReasonIf = { case.skipped()?.let { Enabled.disabled(it) } ?: Enabled.enabled },
            ) { case.run() }
    }

/** A simulated GPU and its neighbour; closing checks that HIP has got everything back and noted no mistake. */
private class SimulatedSubject(
    private val hip: SimulatedHip,
    private val kind: MemoryKind,
    private val lacking: Set<Ability> = setOf(),
    prepare: SimulatedHip.() -> Unit = {},
) : DriverSubject(
        hip.run {
            driver.reset()
            prepare()
            devices.open(0, kind).also(Devices::register)
        },
    ) {
    private val neighbour = lazy { hip.devices.open(1, kind).also(Devices::register) }
    private val held = checkNotNull(HeldStreams.of(runtime() as HipRuntime, hip.library.name()))

    /** Staging memory is of a device of its own, and a queue is the GPU's: both are to be known. */
    private val companion: HipRuntime =
        if (kind == MemoryKind.HOST) MemoryKind.DEVICE.open() else MemoryKind.HOST.open()

    private fun MemoryKind.open() = hip.devices.open(0, this).also(Devices::register)

    override fun abilities(): Set<Ability> = Ability.entries.toSet() - lacking

    override fun pause(queue: DeviceQueue): Runnable = held.hold(queue.handle)

    override fun second(): DeviceRuntime = neighbour.value

    override fun failNext(
        fault: Fault,
        passing: Int,
    ) {
        when (fault) {
            Fault.ALLOCATE -> failNext(allocation(), passing)
            Fault.ALLOCATE_ASYNC -> failNext(if (kind == MemoryKind.DEVICE) "hipMallocAsync" else allocation(), passing)
            Fault.ALLOCATE_STAGING -> failNext("hipHostMalloc", passing).also { Devices.trim() }
            Fault.CREATE_QUEUE -> failNext("hipStreamCreateWithFlags", passing)
            Fault.RECORD -> failNext("hipEventRecord", passing)
            Fault.AWAIT -> failNext("hipEventSynchronize", passing)
            Fault.IS_COMPLETE -> failNext("hipEventQuery", passing)
            Fault.SYNCHRONIZE -> failNext("hipStreamSynchronize", passing)
            Fault.COPY -> hip.driver.failCopy(LAUNCH_FAILED, passing.toLong())
            Fault.LOST -> hip.driver.loseDevice(0, ILLEGAL_ADDRESS)
        }
    }

    private fun allocation() = if (kind == MemoryKind.HOST) "hipHostMalloc" else "hipMalloc"

    private fun failNext(
        function: String,
        passing: Int,
    ) = hip.driver.failNext(function, OUT_OF_MEMORY, passing.toLong())

    override fun forgetFailures() = hip.driver.clearErrors()

    override fun closeRuntime() = runtime().close()

    override fun close() {
        closeRuntime()
        companion.close()
        if (neighbour.isInitialized()) neighbour.value.close()
        hip.driver.clearErrors()
        // The streams of a device that was lost may not have seen yet that they were let go.
        hip.driver.awaitIdle(Duration.ofSeconds(5))
        held.close()
        ReleaseBalance.awaitDeferredReleases()
        withClue("mistakes that the simulated driver noted") { hip.driver.violations().shouldBeEmpty() }
    }
}

/** The machine's own GPU, as it is found; which nobody closes. */
private class RealSubject(
    private val kind: MemoryKind,
) : DriverSubject(Devices.runtime(Device(typeOf(kind), 0)) as HipRuntime) {
    private val neighbour: DeviceRuntime? = Devices.find(Device(typeOf(kind), 1))

    private val held =
        HeldStreams.of(
            runtime() as HipRuntime,
            ((runtime() as HipRuntime).driver as HipDriver).library().name(),
        )

    override fun abilities(): Set<Ability> =
        buildSet {
            addAll(super.abilities())
            // Nobody has measured yet whether HIP queues a copy between two memories of the host.
            if (kind == MemoryKind.HOST) remove(Ability.QUEUED_COPIES)
            add(Ability.ADDRESSES)
            if (neighbour != null) add(Ability.SECOND_DEVICE)
            if (held != null) add(Ability.PAUSE)
        }

    override fun pause(queue: DeviceQueue): Runnable = checkNotNull(held).hold(queue.handle)

    override fun close() {
        held?.close()
    }

    override fun second(): DeviceRuntime = checkNotNull(neighbour)
}

private fun typeOf(kind: MemoryKind) = if (kind == MemoryKind.HOST) DeviceType.ROCM_HOST else DeviceType.ROCM
