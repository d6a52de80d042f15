package dev.arrowdevice.python

import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.shouldBe

/** The end of a Python that hosts the JVM, each time in a process of its own. */
class InterpreterEndsTest :
    FunSpec({
        fun ends(script: String) {
            val path = PythonEnvironment.tests.resolve(script).toString()
            repeat(3) {
                val command = listOf("python3", path, System.getProperty("java.class.path"))
                val process = PythonEnvironment.process(command).redirectErrorStream(true).start()
                val lines = process.inputReader().readLines()
                process.waitFor() to lines shouldBe (0 to listOf())
            }
        }

        mapOf(
            "Python ends in peace while its libraries hold arrays of Java" to "ends_with_arrays.py",
            "Python ends in peace while threads of Java release its arrays" to "ends_while_java_releases.py",
        ).forEach { (name, script) ->
            test(name).config(
                enabledOrReasonIf = { PythonEnvironment.whyNot?.let(Enabled::disabled) ?: Enabled.enabled },
            ) { ends(script) }
        }
    })
