package dev.arrowdevice.cuda.program

import dev.arrowdevice.cuda.cuda
import dev.arrowdevice.spi.DeviceUnavailableException
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.testkit.SimulatedDriver
import java.nio.file.Path

/**
 * A program that finds devices, on request after it has set up the simulated driver. It has a package of its own,
 * because on the module path the package of the tests belongs to the module.
 */
object FindsDevices {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val options = arguments.associate { it.substringBefore('=') to it.substringAfter('=') }
        options["arch"]?.let { System.setProperty("os.arch", it) }
        if (options.isNotEmpty() && "arch" !in options) {
            val without = options["without"]?.split(',').orEmpty().toSet()
            val driver = SimulatedDriver.load(SimulatedDriver.Library.CUDA, without)
            options["version"]?.let { driver.cudaVersion(it.toInt()) }
            options["devices"]?.let { driver.devices(it.toInt()) }
            options["fail"]?.let { driver.failNext(it, UNKNOWN, 0) }
        }
        for (found in Devices.discover()) {
            val reason = found.reason()
            println(
                if (reason ==
                    null
                ) {
                    "${found.provider()}: ${found.runtimes().map { it.device }}"
                } else {
                    "no ${found.provider()}: ${reason.message}"
                },
            )
        }
        options["fail"]?.let { SimulatedDriver.load(SimulatedDriver.Library.CUDA).failNext(it, UNKNOWN, 0) }
        try {
            cuda(0).use { gpu -> gpu.allocate(1).owner.release() }
        } catch (e: DeviceUnavailableException) {
            println("open: ${e.message}")
        }
        if ("show" in options) println("tmpdir: ${Path.of(System.getProperty("java.io.tmpdir"))}")
    }

    private const val UNKNOWN = 999
}
