package dev.arrowdevice.python

import io.kotest.assertions.fail
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled

/**
 * Each test in `src/test/python` as a test here, once for each host of the process. They are skipped, with the reason, where
 * there is no environment, and singly where something is missing in it.
 */
class PythonTest :
    FunSpec({
        val whyNot = PythonEnvironment.whyNot
        if (whyNot != null) println("The tests in Python are skipped. $whyNot")
        for (host in Host.entries) {
            if (whyNot != null) {
                test("$host: tests in Python").config(enabledOrReasonIf = { Enabled.disabled(whyNot) }) {}
                continue
            }
            val results = PythonRun(host).results
            val reasons = results.values.filter { it.state == PythonResult.State.SKIPPED }.groupingBy { it.text }
            for ((reason, count) in reasons.eachCount()) println("$host: $count tests in Python are skipped. $reason")
            for ((name, result) in results) {
                val skipped = result.text.takeIf { result.state == PythonResult.State.SKIPPED }
                test("$host: ${name.replace('_', ' ')}").config(
                    enabledOrReasonIf = { skipped?.let(Enabled::disabled) ?: Enabled.enabled },
                ) {
                    if (result.state != PythonResult.State.PASSED) fail("${result.state}: ${result.text}")
                }
            }
        }
    })
