package dev.arrowdevice.peers

import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.core.extensions.TestCaseExtension
import io.kotest.core.test.TestCase
import io.kotest.engine.test.TestResult

/**
 * Around every test: what it took it gave back, exactly once, the C peer's structures included. Around containers too,
 * because that is what the tests of `withData` are.
 */
object PeerBalance : TestCaseExtension {
    override suspend fun intercept(
        testCase: TestCase,
        execute: suspend (TestCase) -> TestResult,
    ): TestResult {
        val balance = ReleaseBalance.start(CPeer.load())
        val result = execute(testCase)
        val unbalanced = balance.unbalanced()
        if (unbalanced.isEmpty() || result.isErrorOrFailure) return result
        return TestResult.Failure(result.duration, AssertionError("not released: " + unbalanced.joinToString("; ")))
    }
}
