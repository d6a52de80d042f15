package dev.arrowdevice.samples.python

import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.collections.shouldHaveAtLeastSize
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import java.nio.file.Path
import kotlin.io.path.absolutePathString

class PythonExchangeTest :
    FunSpec({
        val whyNot by lazy { run(listOf("true")).let { (status, said) -> said.joinToString().takeIf { status != 0 } } }

        test("the sample exchanges everything without a copy, as the addresses show, and leaves nothing behind").config(
            enabledOrReasonIf = { whyNot?.let(Enabled::disabled) ?: Enabled.enabled },
        ) {
            val (status, lines) = run(sample)
            val compared = lines.filter { it.endsWith("copy") && "0x" in it }
            compared shouldHaveAtLeastSize 6
            for (line in compared) {
                line shouldMatch Regex(".*: \\w+ 0x(\\w+), \\w+ 0x\\1(, \\w+ 0x\\1)?: no copy")
            }
            lines shouldNotContain "NumPy: the sum is 0.0"
            lines.last() shouldMatch Regex("[67] arrays and 2 streams exchanged without a copy: 0 unreleased")
            status shouldBe 0
        }

        test("outside of the Python environment the sample says what is missing") {
            val process = ProcessBuilder(sample).redirectErrorStream(true)
            process.environment().keys -= listOf("PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
            val started = process.start()
            started.inputReader().readText() shouldContain "start this with bridges/python/environment"
            started.waitFor() shouldBe 1
        }
    })

private val folder = Path.of(System.getProperty("basedir", "."))
private val java = System.getProperty("java.home")

/** The sample in a new JVM of the class path of the tests. */
private val sample =
    listOf(
        "$java/bin/java",
        "--enable-native-access=ALL-UNNAMED",
        "-Xmx512m",
        "-cp",
        System.getProperty("java.class.path"),
        PythonExchangeMain::class.java.name,
    )

/** A command as `samples/run python` has it run: its exit status and what it prints. */
private fun run(command: List<String>): Pair<Int, List<String>> {
    val environment = folder.resolve("../bridges/python/environment").absolutePathString()
    val process = ProcessBuilder(listOf(environment, "--no-install") + command).redirectErrorStream(true)
    process.environment()["JAVA_HOME"] = java
    process.environment()["PYTHONPATH"] = folder.resolve("python").absolutePathString()
    val started = process.start()
    val lines = started.inputReader().readLines()
    return started.waitFor() to lines
}
