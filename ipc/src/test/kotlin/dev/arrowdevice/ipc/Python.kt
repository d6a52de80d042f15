package dev.arrowdevice.ipc

import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.exists

/** The Python environment of `bridges/python`, if it is installed. */
internal object Python {
    val root: Path =
        generateSequence(
            Path.of("").toAbsolutePath(),
        ) { it.parent }.first { it.resolve("bridges").exists() }
    private val environment = root.resolve("bridges/python/environment")
    private val script = root.resolve("ipc/src/test/python/peers.py")

    /** The integration files of Apache Arrow. */
    val golden: Path = root.resolve("bridges/python/src/test/golden")

    /** Why tests with Python are skipped; null if they are not. */
    val whyNot: String? by lazy {
        val (code, said) = run("true")
        if (code == 0) null else said.trim()
    }

    /** Runs the script, and returns what it printed. */
    fun peers(vararg arguments: String): String {
        val (code, said) = run("python3", script.toString(), *arguments)
        check(code == 0) { said }
        return said
    }

    private fun run(vararg command: String): Pair<Int, String> {
        val process =
            ProcessBuilder(environment.toString(), "--no-install", *command)
                .apply { environment()["RUST_BACKTRACE"] = "0" } // Polars panics over types that it lacks.
                .redirectErrorStream(true)
                .start()
        val said = process.inputReader().readText()
        check(process.waitFor(5, TimeUnit.MINUTES)) { "still running" }
        return process.exitValue() to said
    }
}
