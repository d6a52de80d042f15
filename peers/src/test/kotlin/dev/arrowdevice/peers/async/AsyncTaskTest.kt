package dev.arrowdevice.peers.async

import dev.arrowdevice.Metadata
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.peers.PeerAsyncConsumer
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerAsyncProducer.Count
import dev.arrowdevice.peers.PeerBalance
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.spi.AsyncDiscard
import dev.arrowdevice.spi.AsyncImport
import dev.arrowdevice.spi.AsyncTask
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

private const val THREADS = 4

/** "It is only valid to call this method exactly once", by any thread, and by any number at the same time. */
class AsyncTaskTest :
    FunSpec({
        extension(PeerBalance)

        val rounds = 500 * Integer.getInteger("stress", 1)

        /** Runs [use] for each number from all threads at once. */
        fun race(
            numbers: Int,
            use: (number: Int, thread: Int) -> Unit,
        ) {
            val barrier = CyclicBarrier(THREADS)
            val threads =
                List(THREADS) { index ->
                    thread {
                        repeat(numbers) {
                            barrier.await()
                            use(it, index)
                        }
                    }
                }
            threads.forEach(Thread::join)
        }

        test("of many threads that extract or discard an imported task, one succeeds") {
            val tasks = ArrayList<AsyncTask>()
            val options = PeerAsyncOptions.batches(rounds.toLong())
            PeerAsyncProducer(CPeer.load(), numbers, PeerOptions.rows(3), options).use { producer ->
                val recorder =
                    object : Recorder(rounds.toLong()) {
                        override fun onTask(task: AsyncTask) {
                            tasks += task
                        }
                    }
                val stream = AsyncImport.create(recorder, Validation.STRUCTURE, AsyncDiscard.WITHOUT_ARRAY)
                producer.start(stream.handler)
                recorder.awaitRelease()
                val extracted = AtomicInteger()
                race(rounds) { number, thread ->
                    if (thread == 0) {
                        // With NULL, so that the producer can distinguish the two.
                        tasks[number].discard()
                    } else {
                        runCatching { tasks[number].extract() }.onSuccess {
                            extracted.incrementAndGet()
                            it.close()
                        }
                    }
                }
                producer.count(Count.EXTRACTED) shouldBe extracted.get()
                producer.count(Count.DISCARDED) shouldBe rounds - extracted.get()
                producer.count(Count.VIOLATIONS) shouldBe 0
            }
        }

        test("of many threads that extract or discard an exported task, one succeeds") {
            PeerAsyncConsumer(CPeer.load(), PeerAsyncConsumer.Options.requesting(rounds.toLong())).use { consumer ->
                val export = openTo(consumer, Metadata.EMPTY, Calls())
                export.start()
                repeat(rounds) { export.offer(BatchWork(batchOf(it)), Metadata.EMPTY) }
                export.end()
                export.release()
                val successes = AtomicInteger()
                race(rounds) { number, thread ->
                    val code =
                        if (thread == 0) consumer.discard(number.toLong()) else consumer.extract(number.toLong())
                    if (code == 0) successes.incrementAndGet()
                }
                successes.get() shouldBe rounds
                export.outstandingTasks shouldBe 0
                consumer.count(PeerAsyncConsumer.Count.VIOLATIONS) shouldBe 0
            }
        }
    })
