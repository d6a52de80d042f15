package dev.arrowdevice.cuda.program

import dev.arrowdevice.Device
import dev.arrowdevice.cuda.FoundSubject
import dev.arrowdevice.cuda.balanced
import dev.arrowdevice.cuda.cuda
import dev.arrowdevice.cuda.deviceType
import dev.arrowdevice.cuda.kinds
import dev.arrowdevice.cuda.modes
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.SimulatedDriverMode
import dev.arrowdevice.testkit.contract.ArrayContract
import dev.arrowdevice.testkit.contract.DeviceContract
import kotlin.system.exitProcess

/**
 * Runs both contracts, on the simulated driver in modes that it has from its start: `<mode>,<mode> <kind> [all]`. Prints a line
 * for each case that fails, and how many ran; with `all` each case as it begins, so that a driver that hangs shows where.
 */
internal object RunsContract {
    @JvmStatic
    fun main(arguments: Array<String>) {
        modes =
            arguments[0]
                .split(',')
                .filter { it.isNotEmpty() }
                .map { SimulatedDriverMode.valueOf(it) }
                .toSet()
        val kind = MemoryKind.valueOf(arguments[1])
        if (cuda(0).use { kind !in it.kinds() }) {
            println("not run: the GPU has no memory of the kind $kind")
            exitProcess(0)
        }
        val device = Device(deviceType(kind), 0)
        val cases =
            DeviceContract.cases { FoundSubject(device, kind) } + ArrayContract.cases { FoundSubject(device, kind) }
        val (run, skipped) = cases.partition { it.skipped() == null }
        skipped.groupBy { it.skipped() }.forEach { (reason, cases) -> println("${cases.size} cases skipped: $reason") }
        val failed =
            run.count { case ->
                if ("all" in arguments) System.err.println(case.name())
                val failure = runCatching { balanced { case.run() } }.exceptionOrNull() ?: return@count false
                println("failed: ${case.name()}: ${failure.message?.lines()?.first()}")
                if ("all" in arguments) failure.printStackTrace()
                true
            }
        println("${run.size} cases, $failed failed")
        exitProcess(if (failed > 0 && "all" in arguments) 1 else 0)
    }
}
