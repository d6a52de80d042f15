package dev.arrowdevice.samples

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.addAll
import dev.arrowdevice.cuda.Nvrtc
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.DeviceUnavailableException
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.MemoryInfo
import jcuda.nvrtc.JNvrtc
import java.io.PrintStream
import kotlin.math.roundToInt

/**
 * Prints the devices of this machine as a table, a line each: whether the host can read their memory, how much they
 * have, which other devices their queues can access, and what they are. Below it are the reasons why there are no more,
 * and whether kernels can be compiled.
 */
internal fun listDevices(out: PrintStream) {
    val found = Devices.discover()
    val runtimes = listOf(Devices.runtime(Device.CPU)) + found.flatMap { it.runtimes() }
    val failures = mutableListOf<String>()
    table(runtimes, failures).use { out.println(it.toTable(runtimes.size, WIDTH)) }
    failures.forEach(out::println)
    for (provider in found) {
        provider.reason()?.let { out.println("no ${provider.provider()}: ${it.message}") }
    }
    out.println(compiler())
}

/** CUDA's compiler, which a program needs only to compile kernels when it runs. */
private fun compiler(): String =
    try {
        Nvrtc.load()
        val (major, minor) = List(2) { IntArray(1) }
        JNvrtc.nvrtcVersion(major, minor)
        "NVRTC ${major[0]}.${minor[0]} compiles kernels for CUDA"
    } catch (e: DeviceUnavailableException) {
        "no NVRTC: ${e.message}"
    }

private fun table(
    runtimes: List<DeviceRuntime>,
    failures: MutableList<String>,
): RecordBatch {
    val memory = runtimes.map { it.memoryOrNull(failures) }
    return recordBatch {
        column<String>("device") { addAll(runtimes.map { "${it.device}" }) }
        column<Boolean>("host_reads") { addAll(runtimes.map { it.isHostReadable }) }
        column<Double>("free_gib") { addAll(memory.map { it?.free()?.inGibibytes }) }
        column<Double>("total_gib") { addAll(memory.map { it?.total()?.inGibibytes }) }
        list<String>("reaches") { addAll(runtimes.map { from -> from.reachable(runtimes) }) }
        column<String>("description") { addAll(runtimes.map { it.description }) }
    }
}

/** A GPU whose driver fails, because it is broken or another user has it exclusively, is still in the list. */
private fun DeviceRuntime.memoryOrNull(failures: MutableList<String>): MemoryInfo? =
    try {
        memoryInfo
    } catch (e: DeviceException) {
        failures += "$device fails: ${e.message}"
        null
    }

private fun DeviceRuntime.reachable(others: List<DeviceRuntime>): List<String> =
    others.map { it.device }.filter { it != device && canAccess(it) }.map { "$it" }

private val Long.inGibibytes: Double get() = (this * 10.0 / (1L shl 30)).roundToInt() / 10.0

private const val WIDTH = 60

/** Runs the sample. */
public object DevicesMain {
    /** Needs no arguments. */
    @JvmStatic
    public fun main(args: Array<String>) {
        listDevices(System.out)
    }
}
