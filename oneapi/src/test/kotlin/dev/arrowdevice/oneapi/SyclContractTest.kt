package dev.arrowdevice.oneapi

import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.contract.Ability
import dev.arrowdevice.testkit.contract.ArrayContract
import dev.arrowdevice.testkit.contract.DeviceContract
import dev.arrowdevice.testkit.contract.DriverSubject
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled

/** The contract of all devices, on the real SYCL runtime and its CPU device, for each kind of its memory. */
class SyclContractTest :
    FunSpec({
        val whyNot = RealSycl.whyNot
        if (whyNot != null) {
            println("The contract of oneAPI's devices is skipped. $whyNot")
            test("the contract of oneAPI's devices").config(enabledOrReasonIf = { Enabled.disabled(whyNot) }) {}
        } else {
            if (!canPause) println("SYCL's CPU device can't keep work pending with two processors or fewer.")
            MemoryKind.entries.forEach { kind ->
                context("SYCL's CPU device, $kind") {
                    val subject = { RealSubject(kind) }
                    val cases = DeviceContract.cases(subject) + ArrayContract.cases(subject)
                    for ((reason, count) in cases.mapNotNull { it.skipped() }.groupingBy { it }.eachCount()) {
                        println("SYCL's CPU device, $kind: $count of ${cases.size} cases are skipped: $reason.")
                    }
                    cases.forEach { case ->
                        test(case.name()).config(
                            enabledOrReasonIf = { case.skipped()?.let(Enabled::disabled) ?: Enabled.enabled },
                        ) { case.run() }
                    }
                }
            }
        }
    })

/** A held queue keeps one processor busy; where there are two of them others must go on. */
private val canPause = Runtime.getRuntime().availableProcessors() > 2

/** The CPU device. Closing it ends the pauses and closes the runtime. */
private class RealSubject(
    private val kind: MemoryKind,
) : DriverSubject(RealSycl.devices.open(0, kind).also(Devices::register)) {
    private val paused = mutableListOf<PausedQueue>()

    override fun abilities(): Set<Ability> =
        super.abilities() + Ability.CLOSE + Ability.ADDRESSES + (if (canPause) setOf(Ability.PAUSE) else setOf()) -
            (if (kind == MemoryKind.MANAGED) setOf(Ability.OVERSIZE) else setOf())

    override fun pause(queue: DeviceQueue): Runnable {
        val one = PausedQueue(queue.handle)
        synchronized(paused) { paused += one }
        return Runnable(one::resume)
    }

    override fun closeRuntime() = runtime().close()

    override fun close() {
        paused.forEach(PausedQueue::close)
        closeRuntime()
    }
}
