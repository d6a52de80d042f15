package dev.arrowdevice.benchmarks.measure

import dev.arrowdevice.benchmarks.Program
import dev.arrowdevice.benchmarks.program.Figures
import java.io.File
import java.lang.management.ManagementFactory
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import kotlin.io.path.createDirectories
import kotlin.io.path.inputStream
import kotlin.io.path.invariantSeparatorsPathString
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.outputStream
import kotlin.io.path.relativeTo

/** Runs programs in JVMs of their own. */
internal class ProgramJvm(
    private val directory: Path,
) {
    private val classPath by lazy {
        jars(
            System.getProperty("java.class.path").split(File.pathSeparator).map(Path::of),
        )
    }
    private val archives = mutableMapOf<Class<*>, Path>()

    /**
     * @throws MeasuringException with what the program printed, if it ends with an error or prints no figures
     */
    fun fork(program: Program): Fork {
        val options = program.options + archiveOptions(program)
        val figures = List(program.starts) { run(program.type, options) }
        return Fork(
            iterations = figures.map { it[0] },
            nativeBytes = figures.mapNotNull { it.getOrNull(1) }.takeIf { it.isNotEmpty() }?.let(::median),
        )
    }

    private fun archiveOptions(program: Program): List<String> {
        if (!program.archived) return emptyList()
        val archive =
            archives.getOrPut(program.type) {
                directory.createDirectories().resolve("${program.type.simpleName}.jsa").toAbsolutePath().also {
                    run(program.type, program.options + "-XX:ArchiveClassesAtExit=$it")
                }
            }
        // Without this option a JVM that can't use the archive would start without it, and be measured cold.
        return listOf("-XX:SharedArchiveFile=$archive", "-Xshare:on")
    }

    private fun run(
        type: Class<*>,
        options: List<String>,
    ): List<Double> {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val inherited = ManagementFactory.getRuntimeMXBean().inputArguments
        val process =
            ProcessBuilder(listOf(java) + inherited + options + listOf("-cp", classPath, type.name))
                .redirectErrorStream(true)
                .start()
        val output = process.inputStream.bufferedReader().use { it.readText() }
        val code = process.waitFor()
        if (code != 0) throw MeasuringException("${type.simpleName} ended with $code:\n$output")
        val line =
            output.lines().lastOrNull { it.startsWith("${Figures.MARK} ") }
                ?: throw MeasuringException("${type.simpleName} printed no figures:\n$output")
        return line.split(' ').drop(1).map(String::toDouble)
    }

    /** Jars instead of folders of classes, because a JVM makes no archive of folders. */
    private fun jars(classPath: List<Path>): String =
        classPath
            .filter { it.isDirectory() || it.isRegularFile() }
            .mapIndexed { index, entry ->
                if (entry.isDirectory()) {
                    jar(
                        entry,
                        directory.createDirectories().resolve("classes-$index.jar"),
                    )
                } else {
                    entry
                }
            }.joinToString(File.pathSeparator) { it.toAbsolutePath().toString() }

    private fun jar(
        folder: Path,
        jar: Path,
    ): Path {
        JarOutputStream(jar.outputStream()).use { out ->
            Files.walk(folder).use { files ->
                files.filter { it.isRegularFile() }.sorted().forEach { file ->
                    out.putNextEntry(JarEntry(file.relativeTo(folder).invariantSeparatorsPathString))
                    file.inputStream().use { it.copyTo(out) }
                    out.closeEntry()
                }
            }
        }
        return jar
    }
}
