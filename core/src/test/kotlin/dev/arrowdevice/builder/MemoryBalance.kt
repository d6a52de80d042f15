package dev.arrowdevice.builder

import dev.arrowdevice.ArrowCounters
import io.kotest.assertions.withClue
import io.kotest.core.listeners.AfterTestListener
import io.kotest.core.listeners.BeforeTestListener
import io.kotest.core.test.TestCase
import io.kotest.engine.test.TestResult
import io.kotest.matchers.shouldBe

/** After each test, whether it failed or not, all memory has been given back. */
class MemoryBalance :
    BeforeTestListener,
    AfterTestListener {
    private var before = ArrowCounters.now()

    override suspend fun beforeTest(testCase: TestCase) {
        before = ArrowCounters.now()
    }

    override suspend fun afterTest(
        testCase: TestCase,
        result: TestResult,
    ) {
        val change = ArrowCounters.now() - before
        withClue("buffers still allocated") { change.hostBuffers() shouldBe 0L }
        withClue("bytes still allocated") { change.hostBytes() shouldBe 0L }
    }
}
