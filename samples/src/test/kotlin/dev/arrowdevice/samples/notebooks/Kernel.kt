package dev.arrowdevice.samples.notebooks

import java.io.File
import java.nio.file.Path
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import kotlin.io.path.absolutePathString
import kotlin.io.path.invariantSeparatorsPathString
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.name
import kotlin.io.path.outputStream
import kotlin.io.path.readBytes
import kotlin.io.path.readText
import kotlin.io.path.relativeTo
import kotlin.io.path.walk
import kotlin.io.path.writeText

private const val CONVERT =
    "jupyter nbconvert --execute --allow-errors --to html --template basic --ExecutePreprocessor.timeout=300"

internal val NOTEBOOKS: Path = Path.of(System.getProperty("basedir", "."), "notebooks")

/** Jupyter's Kotlin kernel, where `samples/notebooks/environment` has installed it. */
internal object Kernel {
    /** Why notebooks can't be run here, or null. */
    val whyNot: String? by lazy { run(listOf("true")).let { (status, said) -> said.takeIf { status != 0 } } }

    /** Runs the code cells of a notebook, and returns it with their outputs as HTML. */
    fun html(
        notebook: String,
        folder: Path,
    ): String {
        val file = folder.resolve("notebook.ipynb").apply { writeText(notebook) }
        val (status, said) = run(CONVERT.split(" ") + file.absolutePathString())
        check(status == 0) { said }
        return folder.resolve("notebook.html").readText()
    }

    /** A notebook of code cells. */
    fun notebook(cells: List<String>): String {
        val rest = """"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null"""
        val sources = cells.joinToString { """{"source": ${json(it)}, $rest}""" }
        val kernel = """"kernelspec": {"name": "kotlin", "display_name": "Kotlin", "language": "kotlin"}"""
        return """{"cells": [$sources], "metadata": {$kernel}, "nbformat": 4, "nbformat_minor": 4}"""
    }

    fun json(text: String): String =
        text
            .replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\n", "\\n")
            .let { "\"$it\"" }

    private fun run(command: List<String>): Pair<Int, String> {
        val environment = NOTEBOOKS.resolve("environment").absolutePathString()
        val process = ProcessBuilder(listOf(environment, "--no-install") + command).redirectErrorStream(true)
        process.environment()["JAVA_HOME"] = System.getProperty("java.home")
        process.environment()["KOTLIN_JUPYTER_JAVA_OPTS"] = "--enable-native-access=ALL-UNNAMED -Xmx600m"
        val started = process.start()
        val said = started.inputReader().readText()
        return started.waitFor() to said
    }
}

/** The jar of a module of ours, made of its classes where the build has made none yet; or of a library. */
internal fun jar(
    artifact: String,
    folder: Path,
): String {
    val module = artifact.removePrefix("arrow-device-")
    val entry =
        System.getProperty("java.class.path").split(File.pathSeparator).map(Path::of).single {
            it.name.matches(Regex("$artifact-\\d.*\\.jar")) || it.endsWith("$module/target/classes")
        }
    if (entry.isRegularFile()) return entry.absolutePathString()
    check(entry.isDirectory()) { "$entry is missing" }
    val jar = folder.resolve("$artifact.jar")
    JarOutputStream(jar.outputStream()).use { out ->
        for (file in entry.walk().sorted()) {
            out.putNextEntry(JarEntry(file.relativeTo(entry).invariantSeparatorsPathString))
            out.write(file.readBytes())
        }
    }
    return jar.absolutePathString()
}
