package dev.arrowdevice.python

import jep.SharedInterpreter
import java.net.URLDecoder
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.readText

/** Who is the host of the process. */
internal enum class Host { JEP, JPYPE }

/** What became of one test in Python. */
internal data class PythonResult(
    val state: State,
    val text: String,
) {
    enum class State { STARTED, PASSED, FAILED, SKIPPED, MISSING }
}

/**
 * The tests in `src/test/python`, run once in a process of their own, in which Java hosts Python or Python hosts Java.
 * Both have the class path of the tests.
 */
internal class PythonRun(
    private val host: Host,
    pattern: String = "test_*.py",
) {
    /** Each test's result by its name, in the order of the run. */
    val results: Map<String, PythonResult>

    init {
        val report = Files.createTempFile("python-tests", ".tsv")
        val log = Files.createTempFile("python-tests", ".log")
        try {
            val command =
                when (host) {
                    Host.JEP -> {
                        PythonEnvironment.javaCommand(PythonHost::class.java.name)
                    }

                    Host.JPYPE -> {
                        listOf(
                            "python3",
                            "${PythonEnvironment.tests}/runner.py",
                            System.getProperty("java.class.path"),
                        )
                    }
                }
            val process =
                PythonEnvironment
                    .process(command + listOf("$report", pattern))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start()
            val ended = process.waitFor(MINUTES, TimeUnit.MINUTES)
            if (!ended) process.destroyForcibly().waitFor()
            val end = if (ended) "ended with ${process.exitValue()}" else "still ran after $MINUTES minutes"
            results = results(report, "the process $end:\n${log.readText()}", ended && process.exitValue() == 0)
        } finally {
            Files.delete(report)
            Files.delete(log)
        }
    }

    private fun results(
        report: Path,
        ending: String,
        well: Boolean,
    ): Map<String, PythonResult> {
        val results = LinkedHashMap<String, PythonResult>()
        for (line in Files.readAllLines(report)) {
            val (test, state, text) = line.split('\t')
            // A test that has failed in one of its parts goes on, but never passes.
            if (results[test]?.state == PythonResult.State.FAILED) continue
            results[test] = PythonResult(PythonResult.State.valueOf(state), URLDecoder.decode(text, Charsets.UTF_8))
        }
        check(results.isNotEmpty()) { ending }
        if (!well) {
            // Whatever the process died of, the test that it died in is the one that failed.
            results.replaceAll { _, result ->
                if (result.state ==
                    PythonResult.State.STARTED
                ) {
                    PythonResult(PythonResult.State.FAILED, ending)
                } else {
                    result
                }
            }
        }
        results["the process ends well"] = end(results, ending, well)
        return results
    }

    private fun end(
        results: Map<String, PythonResult>,
        ending: String,
        well: Boolean,
    ): PythonResult {
        val dpnp = results.any { (test, result) -> "Dpnp" in test && result.state == PythonResult.State.PASSED }
        return when {
            well -> {
                PythonResult(PythonResult.State.PASSED, "")
            }

            host == Host.JEP && dpnp -> {
                PythonResult(
                    PythonResult.State.SKIPPED,
                    "no JVM in which dpnp computed ends well",
                )
            }

            else -> {
                PythonResult(PythonResult.State.FAILED, ending)
            }
        }
    }

    private companion object {
        // So many examples as somebody wants take as long as they take.
        val MINUTES = if (System.getenv("ARROW_DEVICE_EXAMPLES") == null) 5L else 60L
    }
}

/** Runs the tests in this JVM: report, pattern. */
internal object PythonHost {
    @JvmStatic
    fun main(args: Array<String>) {
        SharedInterpreter().use { python ->
            python.set("folder", PythonEnvironment.tests.toString())
            python.exec("import sys; sys.path.insert(0, folder); import runner")
            python.invoke("runner.run", *args)
        }
    }
}
