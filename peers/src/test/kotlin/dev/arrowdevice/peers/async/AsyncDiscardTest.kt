package dev.arrowdevice.peers.async

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Metadata
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.peers.PeerAsyncFault
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerAsyncProducer.Count
import dev.arrowdevice.peers.PeerBalance
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.spi.AsyncDiscard
import dev.arrowdevice.spi.AsyncImport
import dev.arrowdevice.spi.AsyncTask
import dev.arrowdevice.spi.AsyncWork
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** "If the consumer does not care about the data that is owned by this task, it must still call extract_data". */
class AsyncDiscardTest :
    FunSpec({
        extension(PeerBalance)

        /** The producer's counter of discarded tasks. */
        val counts = mapOf(AsyncDiscard.WITH_ARRAY to Count.EXTRACTED, AsyncDiscard.WITHOUT_ARRAY to Count.DISCARDED)

        /** Lets the C peer drive a consumer that keeps all its tasks, three at most. */
        fun keeping(
            options: PeerAsyncOptions,
            discard: AsyncDiscard,
            test: (PeerAsyncProducer, List<AsyncTask>) -> Unit,
        ) {
            val tasks = ArrayList<AsyncTask>()
            val recorder =
                object : Recorder(3) {
                    override fun onTask(task: AsyncTask) {
                        tasks += task
                    }
                }
            PeerAsyncProducer(CPeer.load(), numbers, PeerOptions.rows(3), options).use { producer ->
                producer.start(AsyncImport.create(recorder, Validation.STRUCTURE, discard).handler)
                recorder.awaitRelease()
                test(producer, tasks)
                producer.count(Count.VIOLATIONS) shouldBe 0
                producer.used() shouldBe producer.count(Count.TASKS)
            }
        }

        test("a discarded task is extracted once with NULL, for producers that are known to expect it") {
            keeping(PeerAsyncOptions.batches(3), AsyncDiscard.WITHOUT_ARRAY) { producer, tasks ->
                repeat(2) { tasks[0].discard() }
                shouldThrow<IllegalStateException> { tasks[0].extract() }
                tasks[1].extract().close()
                tasks[1].discard()
                tasks[2].discard()
                producer.count(Count.DISCARDED) shouldBe 2
                producer.count(Count.EXTRACTED) shouldBe 1
            }
        }

        test("a discarded task is extracted once, and its array is released at once") {
            keeping(PeerAsyncOptions.batches(3), AsyncDiscard.WITH_ARRAY) { producer, tasks ->
                val unreleased = ArrowCounters.now().unreleasedImports()
                repeat(2) { tasks[0].discard() }
                shouldThrow<IllegalStateException> { tasks[0].extract() }
                tasks.drop(1).forEach { it.discard() }
                ArrowCounters.now().unreleasedImports() shouldBe unreleased
                producer.count(Count.DISCARDED) shouldBe 0
                producer.count(Count.EXTRACTED) shouldBe 3
            }
        }

        test("producers get no NULL by default, because one of them writes to it") {
            val creations: List<(Recorder) -> AsyncImport> =
                listOf(
                    { AsyncImport.create(it) },
                    { AsyncImport.create(it, Validation.STRUCTURE) },
                )
            for (create in creations) {
                val recorder =
                    object : Recorder(3) {
                        override fun onTask(task: AsyncTask) = task.discard()
                    }
                PeerAsyncProducer(CPeer.load(), numbers, PeerOptions.rows(3), PeerAsyncOptions.batches(2)).use {
                    it.start(create(recorder).handler)
                    recorder.awaitRelease()
                    it.count(Count.EXTRACTED) shouldBe 2
                    it.count(Count.DISCARDED) shouldBe 0
                }
            }
        }

        test("tasks that arrive after a cancel are discarded, in both ways") {
            for ((discard, count) in counts) {
                val recorder =
                    object : Recorder(4) {
                        override fun onTask(task: AsyncTask) {
                            task.discard()
                            stream.cancel()
                        }
                    }
                val options = PeerAsyncOptions.batches(9).goingOnAfterCancel(3)
                PeerAsyncProducer(CPeer.load(), numbers, PeerOptions.rows(3), options).use {
                    it.start(AsyncImport.create(recorder, Validation.STRUCTURE, discard).handler)
                    recorder.awaitRelease()
                    it.count(count) shouldBe 4
                    it.used() shouldBe 4
                    it.count(Count.VIOLATIONS) shouldBe 0
                }
            }
        }

        test("a producer that fails at a discarded task, with an error code or without, is not reported") {
            for (options in listOf(
                PeerAsyncOptions.batches(2).failingTask(0, 5, "no"),
                PeerAsyncOptions.batches(2).failingTask(0, 5, "no").with(PeerAsyncFault.FAILS_SILENTLY),
            )) {
                keeping(options, AsyncDiscard.WITH_ARRAY) { producer, tasks ->
                    tasks.forEach { it.discard() }
                    producer.count(Count.FAILED) shouldBe 1
                    producer.count(Count.EXTRACTED) shouldBe 1
                }
            }
        }

        test("an invalid array of a discarded task is released") {
            val options = PeerAsyncOptions.batches(2).with(PeerAsyncFault.WRONG_DEVICE)
            keeping(options, AsyncDiscard.WITH_ARRAY) { _, tasks -> tasks.forEach { it.discard() } }
        }

        test("our own tasks can be discarded in both ways") {
            for (discard in AsyncDiscard.entries) {
                var extracted = 0
                var discarded = 0
                val recorder =
                    object : Recorder(2) {
                        override fun onTask(task: AsyncTask) = task.discard()
                    }
                val stream = AsyncImport.create(recorder, Validation.STRUCTURE, discard)
                val producer = Producer(stream.handler.address, numberSchema.toStruct())
                producer.export.start()
                val work =
                    object : AsyncWork {
                        override fun extract(): DeviceArray {
                            extracted++
                            return batchOf(1).intoStruct()
                        }

                        override fun discard() {
                            discarded++
                        }
                    }
                repeat(2) { producer.export.offer(work, Metadata.EMPTY) }
                producer.export.end()
                producer.export.release()
                extracted to discarded shouldBe (if (discard == AsyncDiscard.WITH_ARRAY) 2 to 0 else 0 to 2)
            }
        }
    })
