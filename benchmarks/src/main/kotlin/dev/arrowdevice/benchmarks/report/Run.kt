package dev.arrowdevice.benchmarks.report

import java.io.File
import java.io.IOException
import java.lang.management.ManagementFactory
import java.nio.file.Path
import java.time.Instant
import java.time.temporal.ChronoUnit
import kotlin.io.path.exists
import kotlin.io.path.useLines

/**
 * The circumstances of a run.
 *
 * @property commit of the sources, with `+` if they were changed since
 * @property load the average number of threads that were running or waiting for a core in the minute before
 */
internal data class Run(
    val command: String,
    val date: String,
    val commit: String,
    val machine: String,
    val load: Double,
    val jdk: String,
    val versions: Map<String, String>,
) {
    companion object {
        /** The run that starts now. */
        fun now(
            command: String,
            root: Path,
        ): Run =
            Run(
                command = command,
                date =
                    Instant
                        .now()
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString(),
                commit = commit(root),
                machine = machine(),
                load = ManagementFactory.getOperatingSystemMXBean().systemLoadAverage,
                jdk = "${System.getProperty("java.vm.name")} ${System.getProperty("java.runtime.version")}",
                versions = versions(),
            )
    }
}

private fun commit(root: Path): String {
    val commit = git(root, "rev-parse", "--short=10", "HEAD") ?: return "unknown"
    // Results of earlier runs are no change of what is measured.
    val changes =
        git(root, "status", "--porcelain", "--untracked-files=no", "--", "*.java", "*.kt", "*.xml", "*.c", "*.h")
    return commit.trim() + if (changes.isNullOrBlank()) "" else "+"
}

private fun git(
    root: Path,
    vararg arguments: String,
): String? =
    try {
        val process =
            ProcessBuilder("git", *arguments)
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
        val output = process.inputStream.bufferedReader().use { it.readText() }
        output.takeIf { process.waitFor() == 0 }
    } catch (_: IOException) {
        null
    }

private fun machine(): String {
    val cores = Runtime.getRuntime().availableProcessors()
    val processor = firstValue("/proc/cpuinfo", "model name") ?: "processor"
    val memory =
        firstValue("/proc/meminfo", "MemTotal")?.substringBefore(' ')?.toDoubleOrNull()?.let {
            ", ${(it * 1024).asBytes()} of memory"
        }
    val system = "${System.getProperty("os.name")} ${System.getProperty("os.version")} ${System.getProperty("os.arch")}"
    return "$cores cores of $processor${memory.orEmpty()}, $system"
}

/** The first value in a file of Linux with lines "name : value"; null on other systems. */
private fun firstValue(
    file: String,
    name: String,
): String? {
    val path = Path.of(file).takeIf { it.exists() } ?: return null
    return path.useLines { lines ->
        lines
            .firstOrNull { it.startsWith(name) }
            ?.substringAfter(':')
            ?.trim()
            ?.replace(Regex("\\s+"), " ")
    }
}

/** The versions of jars on the class path that a figure could depend on. */
private fun versions(): Map<String, String> {
    val jars =
        System.getProperty("java.class.path").split(File.pathSeparator).map {
            Path
                .of(it)
                .fileName
                ?.toString()
                .orEmpty()
        }
    return listOf(
        "arrow-c-data",
        "arrow-dataset",
        "netty-buffer",
        "kotlin-stdlib",
        "kotlinx-coroutines-core-jvm",
        "jmh-core",
    ).mapNotNull { name ->
        jars
            .firstNotNullOfOrNull { Regex("${Regex.escape(name)}-(\\d.*)\\.jar").matchEntire(it) }
            ?.let { name to it.groupValues[1] }
    }.toMap()
}
