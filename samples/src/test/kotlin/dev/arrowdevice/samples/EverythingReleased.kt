package dev.arrowdevice.samples

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.core.extensions.TestCaseExtension
import io.kotest.core.test.TestCase
import io.kotest.core.test.TestType
import io.kotest.engine.test.TestResult

/** Around every test: memory was freed, and what was exported or imported was released, on both sides. */
internal object EverythingReleased : TestCaseExtension {
    override suspend fun intercept(
        testCase: TestCase,
        execute: suspend (TestCase) -> TestResult,
    ): TestResult {
        if (testCase.type != TestType.Test) return execute(testCase)
        val memory = ReleaseBalance.start()
        val before = ArrowCounters.now().unreleased()
        val result = execute(testCase)
        if (result.isErrorOrFailure) return result
        val exchanged = ArrowCounters.now().unreleased() - before
        val unbalanced = memory.unbalanced() + listOf("$exchanged arrays or streams").filter { exchanged != 0L }
        if (unbalanced.isEmpty()) return result
        return TestResult.Failure(result.duration, AssertionError("not released: " + unbalanced.joinToString("; ")))
    }
}
