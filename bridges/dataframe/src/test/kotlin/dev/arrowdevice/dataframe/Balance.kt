package dev.arrowdevice.dataframe

import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.core.extensions.TestCaseExtension
import io.kotest.core.test.TestCase
import io.kotest.engine.test.TestResult

/** Around every test: what it allocated it released. */
internal object Balance : TestCaseExtension {
    override suspend fun intercept(
        testCase: TestCase,
        execute: suspend (TestCase) -> TestResult,
    ): TestResult {
        val balance = ReleaseBalance.start()
        val result = execute(testCase)
        val unbalanced = balance.unbalanced()
        if (unbalanced.isEmpty() || result.isErrorOrFailure) return result
        return TestResult.Failure(result.duration, AssertionError("not released: " + unbalanced.joinToString("; ")))
    }
}
