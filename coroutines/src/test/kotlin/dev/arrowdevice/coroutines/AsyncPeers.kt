package dev.arrowdevice.coroutines

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerAsyncProducer.Count
import dev.arrowdevice.peers.PeerOptions
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.runBlocking
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** How a test has the C peer's stream: the producer, and the flow that starts it. */
internal class AsyncPeer(
    val producer: PeerAsyncProducer,
    val flow: Flow<RecordBatch>,
)

/**
 * Runs [test] with a flow of a C producer, in the coroutine of the test's thread. At the end the handler was released,
 * the producer found no violation, and each of its tasks was used.
 */
internal fun <T> withAsyncPeer(
    options: PeerAsyncOptions,
    window: Int = 2,
    releaseTimeout: Duration = 20.seconds,
    test: suspend CoroutineScope.(AsyncPeer) -> T,
): T =
    PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), options).use { producer ->
        val flow = asyncDeviceStream(window, releaseTimeout) { producer.start(it) }
        runBlocking { test(AsyncPeer(producer, flow)) }.also { producer.checkDone() }
    }

/** Checks after a collection that everything was released. */
internal fun PeerAsyncProducer.checkDone() {
    await(Count.RELEASES, 1)
    withClue(log()) {
        log().lines().filter { it.startsWith("violation") } shouldBe emptyList()
        count(Count.LATE_CALLS) shouldBe 0
        count(Count.EXTRACTED) + count(Count.DISCARDED) + count(Count.FAILED) + count(Count.REFUSED) shouldBe
            count(Count.TASKS)
    }
}
