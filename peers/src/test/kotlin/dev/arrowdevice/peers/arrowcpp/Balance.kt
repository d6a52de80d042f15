package dev.arrowdevice.peers.arrowcpp

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe

/** Runs the body. Afterwards both libraries have released everything, and no C++ object is left open. */
inline fun balanced(body: () -> Unit) {
    val before = Outstanding.now()
    body()
    withClue("what is still held, against before") { Outstanding.now() shouldBe before }
}

/** The memory that each library has not released. */
data class Outstanding(
    val cppObjects: Long,
    val cppPoolBytes: Long,
    val buffers: Long,
    val exports: Long,
    val imports: Long,
) {
    companion object {
        fun now(): Outstanding {
            ReleaseBalance.awaitDeferredReleases()
            val now = ArrowCounters.now()
            return Outstanding(
                ArrowCpp.liveObjects(),
                ArrowCpp.bytesAllocated(),
                now.hostBuffers(),
                now.unreleasedExports(),
                now.unreleasedImports(),
            )
        }
    }
}
