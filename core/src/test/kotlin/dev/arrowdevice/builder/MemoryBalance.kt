package dev.arrowdevice.builder

import dev.arrowdevice.MemoryCounters
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
    private var buffers = 0L
    private var bytes = 0L

    override suspend fun beforeTest(testCase: TestCase) {
        buffers = MemoryCounters.liveBuffers()
        bytes = MemoryCounters.liveBytes()
    }

    override suspend fun afterTest(
        testCase: TestCase,
        result: TestResult,
    ) {
        withClue("buffers still allocated") { MemoryCounters.liveBuffers() - buffers shouldBe 0L }
        withClue("bytes still allocated") { MemoryCounters.liveBytes() - bytes shouldBe 0L }
    }
}
