package dev.arrowdevice.oneapi

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.spi.Devices
import kotlin.reflect.KClass

/** A process of its own, in which no SYCL runtime has been loaded. */
internal class FreshJvm(
    private val environment: Map<String, String> = emptyMap(),
    private val properties: Map<String, String> = emptyMap(),
) {
    /** The output of the program, with any exception that it does not catch. */
    fun run(program: KClass<*>): List<String> {
        val java =
            ProcessHandle
                .current()
                .info()
                .command()
                .get()
        val arguments =
            listOf("--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path")) +
                properties.map { (name, value) -> "-D$name=$value" }
        val builder = ProcessBuilder(listOf(java) + arguments + program.java.name).redirectErrorStream(true)
        listOf(
            "VIRTUAL_ENV",
            "CONDA_PREFIX",
            "OCL_ICD_FILENAMES",
            "LD_LIBRARY_PATH",
        ).forEach(builder.environment()::remove)
        builder.environment().putAll(environment)
        val process = builder.start()
        val lines = process.inputStream.bufferedReader().readLines()
        process.waitFor()
        // libjsig makes the JVM warn of its own use of it.
        return lines.filterNot { "VM warning" in it }
    }
}

/** Opens the first device as users do. */
object OpensDevice {
    @JvmStatic
    fun main(arguments: Array<String>) {
        oneapi(0).use { device ->
            println("opened $device of ${SyclRuntime.deviceCount()}")
            println("copied " + roundTrip(device, byteArrayOf(5)).single())
        }
        for (found in Devices.discover().flatMap { it.runtimes() }) (found as SyclRuntime).close() // which does nothing
        println("copied " + roundTrip(Devices.runtime(Device(DeviceType.ONEAPI, 0)), byteArrayOf(6)).single())
    }
}

/** Says what becomes of opening a device. */
object TriesToOpenDevice {
    @JvmStatic
    fun main(arguments: Array<String>) {
        repeat(2) {
            try {
                oneapi(0).use { device -> println("opened $device") }
            } catch (e: IllegalStateException) {
                println("${e.javaClass.simpleName}: ${e.message}")
            }
        }
        for (found in Devices.discover()) println("${found.provider()}: ${found.runtimes()} ${found.reason()?.message}")
    }
}
