package dev.arrowdevice.peers.async

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Metadata
import dev.arrowdevice.peers.async.Consumer.Event
import dev.arrowdevice.spi.AsyncExport
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.util.Collections
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/**
 * How a consumer calls its producer, where a producer is frailer than it has to be: arrow-go's blocks in a request, and
 * is freed when it was cancelled, has ended or has failed, before it releases.
 */
class ProducerCallsTest :
    FunSpec({
        test("a request during another one returns at once, and is passed on after it, together with others") {
            val producer = BlockingProducer()
            producer.inRequest { consumer ->
                consumer.stream.request(2)
                consumer.stream.request(3)
                producer.export.demand shouldBe 1
            }
            producer.log shouldContainExactly listOf("request", "request")
            producer.export.demand shouldBe 6
            producer.end()
        }

        test("a cancel waits for a running request, is passed on once, and no request follows it") {
            val producer = BlockingProducer()
            lateinit var canceller: Thread
            producer.inRequest { consumer ->
                canceller = thread { consumer.stream.cancel() }
                canceller.awaitWaiting()
            }
            canceller.join()
            producer.consumer.stream.cancel()
            producer.consumer.stream.request(1)
            producer.log shouldContainExactly listOf("request", "cancel")
            producer.end()
        }

        test(
            "the end and a failure wait for a running request, so that the producer can be freed when they return",
        ) {
            val ends = listOf<(AsyncExport) -> Unit>({ it.end() }, { it.fail(IllegalStateException("gone")) })
            ends.forEach { end ->
                val producer = BlockingProducer()
                lateinit var ending: Thread
                producer.inRequest {
                    ending =
                        thread {
                            end(producer.export)
                            producer.log += "ended"
                        }
                    ending.awaitWaiting()
                }
                ending.join()
                producer.consumer.stream.request(1)
                producer.log shouldContainExactly listOf("request", "ended")
                producer.end()
            }
        }

        test("an interrupt doesn't end the wait for a running request, and isn't lost") {
            val producer = BlockingProducer()
            lateinit var ending: Thread
            producer.inRequest {
                ending =
                    thread {
                        producer.export.end()
                        producer.log += "ended, interrupted: ${Thread.interrupted()}"
                    }
                ending.awaitWaiting()
                ending.interrupt()
                while (ending.isInterrupted) Thread.onSpinWait()
                ending.awaitWaiting()
            }
            ending.join()
            producer.log shouldContainExactly listOf("request", "ended, interrupted: true")
            producer.end()
        }

        test("the refusal of a task waits for a running request, because the producer may be freed after it") {
            val producer = BlockingProducer(Consumer(refuse = "on_next_task"))
            lateinit var refusing: Thread
            producer.inRequest {
                refusing =
                    thread {
                        producer.export.offer(BatchWork(batchOf(1)), Metadata.EMPTY) shouldBe false
                        producer.log += "refused"
                    }
                refusing.awaitWaiting()
            }
            refusing.join()
            producer.log shouldContainExactly listOf("request", "refused")
            producer.end()
        }
    })

/** A producer of ours whose first request returns when the test lets it. */
private class BlockingProducer(
    val consumer: Consumer = Consumer(),
) : AsyncExport.Listener {
    val log: MutableList<String> = Collections.synchronizedList(mutableListOf())

    private val before = ArrowCounters.now().unreleased() - 1
    private val entered = CountDownLatch(1)
    private val leave = CountDownLatch(1)

    val export: AsyncExport =
        AsyncExport.open(consumer.handler, Numbers.field, DeviceType.CPU, Metadata.EMPTY, this).apply { start() }

    fun inRequest(body: (Consumer) -> Unit) {
        val requesting = thread { consumer.stream.request(1) }
        try {
            entered.await(SECONDS, TimeUnit.SECONDS) shouldBe true
            body(consumer)
        } finally {
            leave.countDown()
            requesting.join()
        }
    }

    fun end() {
        export.release()
        consumer.rest().last() shouldBe Event.Release
        ArrowCounters.now().unreleased() shouldBe before
    }

    override fun onRequest() {
        entered.countDown()
        leave.await(SECONDS, TimeUnit.SECONDS)
        log += "request"
    }

    override fun onCancel() {
        log += "cancel"
    }

    private companion object {
        const val SECONDS = 60L
    }
}

/** Fails if the thread ends without having waited. */
private fun Thread.awaitWaiting() {
    while (state != Thread.State.TIMED_WAITING) {
        check(state != Thread.State.TERMINATED) { "it did not wait" }
        Thread.onSpinWait()
    }
}
