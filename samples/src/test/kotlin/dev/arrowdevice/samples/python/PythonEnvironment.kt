package dev.arrowdevice.samples.python

import java.nio.file.Path
import kotlin.io.path.absolutePathString

/** What `samples/python/environment` has installed. */
internal object PythonEnvironment {
    private val script = Path.of(System.getProperty("basedir", "."), "python/environment").absolutePathString()

    /** Why tests with Python are skipped; null if they are not. */
    val whyNot: String? by lazy {
        val process = process(listOf("true")).redirectErrorStream(true).start()
        val said = process.inputReader().readText().trim()
        if (process.waitFor() == 0) null else "$said."
    }

    /** A command where it finds Python, its packages and this JDK. */
    fun process(command: List<String>): ProcessBuilder =
        ProcessBuilder(listOf(script, "--no-install") + command).apply {
            environment()["JAVA_HOME"] = System.getProperty("java.home")
        }

    /** A program in a new JVM of the class path of the tests. */
    fun javaCommand(main: String): List<String> =
        listOf(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx512m",
            "-Dbasedir=" + System.getProperty("basedir", "."),
            "-cp",
            System.getProperty("java.class.path"),
            main,
        )
}
