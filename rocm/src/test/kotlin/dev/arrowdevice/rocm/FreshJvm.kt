package dev.arrowdevice.rocm

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.testkit.SimulatedDriver
import dev.arrowdevice.testkit.SimulatedDriver.Library
import java.lang.foreign.Arena
import java.lang.foreign.SymbolLookup
import java.nio.file.Files
import java.nio.file.Path
import kotlin.reflect.KClass

/** A process of its own, in which no HIP runtime has been loaded. */
internal class FreshJvm(
    private val rocmPath: Path? = null,
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
        builder.environment().remove("ROCM_PATH")
        rocmPath?.let { builder.environment()["ROCM_PATH"] = it.toString() }
        val process = builder.start()
        val lines = process.inputStream.bufferedReader().readLines()
        process.waitFor()
        return lines
    }
}

/** Folders that look like ROCm installations. */
internal object RocmPath {
    /** One with a HIP runtime. */
    fun of(
        face: Library,
        without: Set<String> = emptySet(),
    ): Path = of(face.fileName(), SimulatedDriver.build(face, without))

    /** One with a file in place of a HIP runtime. */
    fun of(
        name: String,
        file: Path,
    ): Path {
        val root = Files.createTempDirectory("rocm")
        root.toFile().deleteOnExit()
        val lib = Files.createDirectory(root.resolve("lib"))
        lib.toFile().deleteOnExit()
        Files.createSymbolicLink(lib.resolve(name), file).toFile().deleteOnExit()
        return root
    }
}

/** Opens the first GPU as users do. */
object OpensGpu {
    @JvmStatic
    fun main(arguments: Array<String>) {
        rocm(0).use { gpu ->
            println("opened $gpu")
            println("copied " + roundTrip(gpu, byteArrayOf(5)).single())
        }
        rocmHost().use { pinned -> println("opened ${pinned.device}") }
        for (found in Devices.discover().flatMap { it.runtimes() }) (found as HipRuntime).close() // which does nothing
        println("copied " + roundTrip(Devices.runtime(Device(DeviceType.ROCM, 0)), byteArrayOf(6)).single())
        println("registered " + (Devices.list() - Device.CPU).map { it.toString() }.sorted().joinToString(" "))
    }
}

/** Says what becomes of opening a GPU. */
object TriesToOpenGpu {
    @JvmStatic
    fun main(arguments: Array<String>) {
        repeat(2) {
            try {
                rocm(0).use { gpu -> println("opened $gpu") }
            } catch (e: IllegalStateException) {
                println("${e.javaClass.simpleName}: ${e.message}")
            }
        }
        for (found in Devices.discover()) println("${found.provider()}: ${found.runtimes()} ${found.reason()?.message}")
    }
}

/** Opens the first GPU after somebody else has loaded a HIP runtime. */
object OpensGpuOfLoaded {
    @JvmStatic
    fun main(arguments: Array<String>) {
        SymbolLookup.libraryLookup(Path.of(System.getProperty("loaded")), Arena.global())
        OpensGpu.main(arguments)
    }
}
