package dev.arrowdevice.samples.python

import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.collections.shouldHaveAtLeastSize
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch

class PythonExchangeTest :
    FunSpec({
        fun inPython(
            name: String,
            body: () -> Unit,
        ) = test(name).config(
            enabledOrReasonIf = { PythonEnvironment.whyNot?.let(Enabled::disabled) ?: Enabled.enabled },
        ) { body() }

        inPython("the sample exchanges all without a copy, as the addresses show, and nothing is left") {
            val (status, lines) = run(PythonEnvironment.javaCommand(PythonExchangeMain::class.java.name))
            val compared = lines.filter { it.endsWith("copy") && "0x" in it }
            compared shouldHaveAtLeastSize 6
            for (line in compared) {
                line shouldMatch Regex(".*: \\w+ 0x(\\w+), \\w+ 0x\\1(, \\w+ 0x\\1)?: no copy")
            }
            lines shouldNotContain "NumPy: the sum is 0.0"
            lines.last() shouldMatch Regex("[67] arrays and 2 streams exchanged without a copy: 0 unreleased")
            status shouldBe 0
        }

        fun ends(script: String) {
            val path = "${System.getProperty("basedir", ".")}/src/test/python/$script"
            repeat(3) { run(listOf("python3", path, System.getProperty("java.class.path"))) shouldBe (0 to listOf()) }
        }

        inPython("Python ends in peace while its libraries hold arrays of Java") { ends("ends_with_arrays.py") }

        inPython(
            "Python ends in peace while threads of Java release its arrays",
        ) { ends("ends_while_java_releases.py") }

        test("outside of the environment the sample says what is missing") {
            val java = PythonEnvironment.javaCommand(PythonExchangeMain::class.java.name)
            val process = ProcessBuilder(java).redirectErrorStream(true)
            process.environment().keys -= listOf("PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
            val started = process.start()
            started.inputReader().readText() shouldContain "start this with samples/python/environment"
            started.waitFor() shouldBe 1
        }
    })

/** A command in the environment: its exit status and what it prints. */
private fun run(command: List<String>): Pair<Int, List<String>> {
    val process = PythonEnvironment.process(command).redirectErrorStream(true).start()
    val lines = process.inputReader().readLines()
    return process.waitFor() to lines
}
