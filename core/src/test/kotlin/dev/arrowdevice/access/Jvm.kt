package dev.arrowdevice.access

import kotlin.reflect.KClass

/** The output of a program in a JVM of its own, of the version that runs the tests. */
internal fun outputOf(
    options: List<String>,
    program: KClass<*>,
): List<String> {
    val java =
        ProcessHandle
            .current()
            .info()
            .command()
            .get()
    val process = ProcessBuilder(listOf(java) + options + program.java.name).redirectErrorStream(true).start()
    val lines = process.inputStream.bufferedReader().readLines()
    process.waitFor()
    return lines
}
