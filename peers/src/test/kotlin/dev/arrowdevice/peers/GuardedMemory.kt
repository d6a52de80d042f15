package dev.arrowdevice.peers

import io.kotest.core.test.Enabled
import io.kotest.core.test.TestCase
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists

/** The mode of the test suite in which a use of memory that is not there, or no longer there, ends the process. */
object GuardedMemory {
    /** Whether this process runs in it. */
    val isOn: Boolean = System.getProperty("memory") == "guarded"

    /** For a test that can't run in it, for this reason. */
    fun skipped(reason: String): (TestCase) -> Enabled =
        { if (isOn) Enabled.disabled("guarded memory: $reason") else Enabled.enabled }

    /** A JDK whose `malloc` and `free` are guarded: the one that runs this, or one made from it. */
    private val jdk: Path by lazy {
        val running = Path.of(System.getProperty("java.home"))
        if (running.resolve("made-from").exists()) return@lazy running
        val made = Path.of("target", "guarded-jdk").toAbsolutePath()
        val script = ProcessBuilder("./guarded-jdk", running.toString(), made.toString()).redirectErrorStream(true)
        val process = script.start()
        val output = process.inputStream.bufferedReader().readText()
        check(process.waitFor() == 0) { output }
        made
    }

    /** How a program ended. [crash] is the JVM's report, empty if there is none. */
    class Outcome(
        val exitCode: Int,
        val output: String,
        val crash: String,
    )

    /** Runs a `main` in this mode, in a process of its own. */
    fun run(
        program: Class<*>,
        vararg arguments: String,
    ): Outcome {
        val report = Files.createTempDirectory("crash").resolve("hs_err.log")
        try {
            val process =
                ProcessBuilder(
                    jdk.resolve("bin/java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:ErrorFile=$report",
                    "-XX:-CreateCoredumpOnCrash",
                    "-Dmemory=guarded",
                    "-Ddev.arrowdevice.reuseMemory=false",
                    "-cp",
                    System.getProperty("java.class.path"),
                    program.name,
                    *arguments,
                ).redirectErrorStream(true).start()
            val output = process.inputStream.bufferedReader().readText()
            val exitCode = process.waitFor()
            return Outcome(exitCode, output, if (report.exists()) Files.readString(report) else "")
        } finally {
            Files.deleteIfExists(report)
            Files.delete(report.parent)
        }
    }
}
