package dev.arrowdevice.testkit.arrowcpp

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe

/** Runs the body, after which C++ has its memory back and no C++ object is left open. */
inline fun balanced(body: () -> Unit) {
    val bytes = ArrowCpp.bytesAllocated()
    val objects = ArrowCpp.liveObjects()
    body()
    withClue("C++ objects that were not closed") { ArrowCpp.liveObjects() - objects shouldBe 0L }
    withClue("bytes of C++'s memory pool that were not given back") { ArrowCpp.bytesAllocated() - bytes shouldBe 0L }
}
