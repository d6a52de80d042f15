package dev.arrowdevice.cuda

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.DeviceType
import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.Diagnostics
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.SimulatedDriver
import dev.arrowdevice.testkit.SimulatedDriverMode
import dev.arrowdevice.testkit.contract.Ability
import dev.arrowdevice.testkit.contract.DriverSubject
import dev.arrowdevice.testkit.contract.Fault
import java.time.Duration
import java.util.function.Consumer

/** The modes of the simulated driver in which the subjects are tested, for all of the process. */
internal var modes: Set<SimulatedDriverMode> = setOf()
    set(value) {
        field = value
        simulated?.modes(value)
    }

internal fun deviceType(kind: MemoryKind): Int =
    when (kind) {
        MemoryKind.DEVICE -> DeviceType.CUDA
        MemoryKind.HOST -> DeviceType.CUDA_HOST
        MemoryKind.MANAGED -> DeviceType.CUDA_MANAGED
    }

private const val ECC_UNCORRECTABLE = 214

/** The simulated driver adds faults, on request, to any subject. */
internal open class CudaSubject(
    runtime: CudaRuntime,
    private val kind: MemoryKind,
) : DriverSubject(runtime) {
    override fun abilities(): Set<Ability> =
        buildSet {
            addAll(super.abilities())
            add(Ability.ADDRESSES)
            if (simulated != null) add(Ability.FAULTS)
            if (held != null) add(Ability.PAUSE)
            removeAll(lacking())
        }

    /** CUDA copies from host to host at once, and nobody has measured yet what it does with managed memory. */
    private fun lacking(): Set<Ability> =
        buildSet {
            val kind = this@CudaSubject.kind
            val kinder = simulated != null && SimulatedDriverMode.SYNCHRONOUS_HOST_COPIES !in modes
            if (kind != MemoryKind.DEVICE && !kinder) add(Ability.QUEUED_COPIES)
            if (kind == MemoryKind.MANAGED) add(Ability.OVERSIZE)
        }

    private var before: Consumer<DeviceException>? = null

    init {
        simulated?.modes(modes)
    }

    private val held: HeldStreams? = HeldStreams.of(runtime)

    override fun pause(queue: DeviceQueue): Runnable = checkNotNull(held).hold(queue.handle)

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
                Devices.trim()
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
        // A reset forgets them.
        val mistakes = simulated?.violations().orEmpty()
        simulated?.reset()
        // The streams of a device that was lost may not have seen yet that they were let go.
        simulated?.awaitIdle(Duration.ofSeconds(5))
        held?.close()
        before?.let(Diagnostics::onLateFailure)
        if (mistakes.isNotEmpty()) throw AssertionError("mistakes that the simulated driver noted: $mistakes")
    }
}

/** A runtime that nobody closes. */
internal class FoundSubject(
    device: Device,
    kind: MemoryKind,
) : CudaSubject(found(device), kind) {
    private val peer = Device(device.type(), 1)

    override fun abilities(): Set<Ability> =
        super.abilities() + if (Devices.find(peer) == null) setOf() else setOf(Ability.SECOND_DEVICE)

    override fun second(): DeviceRuntime = Devices.runtime(peer)
}

/** A native handle. */
internal class OpenedSubject(
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
