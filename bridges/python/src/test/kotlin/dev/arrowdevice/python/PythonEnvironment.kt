package dev.arrowdevice.python

import java.nio.file.Path

/** What `bridges/python/environment` has installed. */
internal object PythonEnvironment {
    private val folder = Path.of(System.getProperty("basedir", ".")).toAbsolutePath()
    private val script = folder.resolve("environment").toString()

    /** The folder of the tests in Python. */
    val tests: Path = folder.resolve("src/test/python")

    /** The folder of the Python package. */
    val packageFolder: Path = folder.resolve("src/main/python")

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
            "-Dbasedir=$folder",
            "-cp",
            System.getProperty("java.class.path"),
            main,
        )
}
