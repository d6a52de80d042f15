package dev.arrowdevice.peers.async

import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.peers.PeerAsyncFault.CALLS_AFTER_RELEASE
import dev.arrowdevice.peers.PeerAsyncFault.CANCELS_INLINE
import dev.arrowdevice.peers.PeerAsyncFault.END_AFTER_CANCEL
import dev.arrowdevice.peers.PeerAsyncFault.ERROR_AFTER_CANCEL
import dev.arrowdevice.peers.PeerAsyncFault.ERROR_AFTER_REFUSAL
import dev.arrowdevice.peers.PeerAsyncFault.ERROR_FIRST
import dev.arrowdevice.peers.PeerAsyncFault.FAILS_SILENTLY
import dev.arrowdevice.peers.PeerAsyncFault.FREES_PRODUCER
import dev.arrowdevice.peers.PeerAsyncFault.GUARDS_SCHEMA
import dev.arrowdevice.peers.PeerAsyncFault.INLINE_TASKS
import dev.arrowdevice.peers.PeerAsyncFault.NEVER_RELEASES
import dev.arrowdevice.peers.PeerAsyncFault.NO_END
import dev.arrowdevice.peers.PeerAsyncFault.NO_ERROR_AFTER_TASK
import dev.arrowdevice.peers.PeerAsyncFault.NULL_CANCEL
import dev.arrowdevice.peers.PeerAsyncFault.NULL_EXTRACT
import dev.arrowdevice.peers.PeerAsyncFault.NULL_PRODUCER
import dev.arrowdevice.peers.PeerAsyncFault.NULL_REQUEST
import dev.arrowdevice.peers.PeerAsyncFault.NULL_SCHEMA
import dev.arrowdevice.peers.PeerAsyncFault.RELEASE_FIRST
import dev.arrowdevice.peers.PeerAsyncFault.SCHEMA_TWICE
import dev.arrowdevice.peers.PeerAsyncFault.SURPLUS
import dev.arrowdevice.peers.PeerAsyncFault.TASK_FIRST
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer.Count
import dev.arrowdevice.peers.PeerBalance
import dev.arrowdevice.spi.AsyncImport
import dev.arrowdevice.spi.AsyncTask
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

private const val SCHEMA = "schema struct<n: int32>"

/** Our handler, driven by C producers that break the specification, each in a way that a known producer does or might. */
class AsyncImportFaultsTest :
    FunSpec({
        extension(PeerBalance)

        /** Cancels while it has the first task. */
        fun cancelling() =
            object : Recorder(2) {
                override fun onTask(task: AsyncTask) {
                    use(task)
                    stream.cancel()
                }
            }

        test("on_error after our own cancel is not a failure") {
            val recorder = cancelling()
            exchange(PeerAsyncOptions.batches(9).with(ERROR_AFTER_CANCEL), recorder) { producer, _ ->
                producer.await(Count.ERRORS, 1)
            }
            recorder.events shouldBe listOf(SCHEMA, "batch 11", "release")
        }

        test("the NULL task after our own cancel is the end") {
            val recorder = cancelling()
            exchange(PeerAsyncOptions.batches(9).with(END_AFTER_CANCEL), recorder)
            recorder.events shouldBe listOf(SCHEMA, "batch 11", "end", "release")
        }

        test("a cancel within on_next_task may call on_error and release") {
            val recorder = cancelling()
            exchange(PeerAsyncOptions.batches(9).with(CANCELS_INLINE, ERROR_AFTER_CANCEL), recorder)
            recorder.events shouldBe listOf(SCHEMA, "batch 11", "release")
        }

        test("a cancel from another thread may call release") {
            val recorder = Recorder(0)
            exchange(PeerAsyncOptions.batches(9).with(CANCELS_INLINE).waitingAfter(1), recorder) { producer, stream ->
                producer.allow(-1)
                recorder.awaitSchema()
                stream.cancel()
                stream.isReleased shouldBe true
            }
        }

        test("on_error after an error code of ours is ignored") {
            val schema =
                object : Recorder() {
                    override fun onSchema(
                        stream: AsyncImport,
                        field: Field,
                        deviceType: Int,
                        metadata: Metadata,
                    ): Unit = throw IllegalArgumentException("not this")
                }
            exchange(PeerAsyncOptions.batches(3).with(ERROR_AFTER_REFUSAL, GUARDS_SCHEMA), schema) { producer, _ ->
                producer.await(Count.ERRORS, 1)
            }
            schema.events shouldBe listOf("error not this", "release")
            val task =
                object : Recorder() {
                    override fun onTask(task: AsyncTask): Unit = throw IllegalArgumentException("not this")
                }
            exchange(PeerAsyncOptions.batches(3).with(ERROR_AFTER_REFUSAL), task) { producer, _ ->
                producer.await(Count.ERRORS, 1)
            }
            task.events shouldBe listOf(SCHEMA, "error not this", "release")
        }

        test("an extract_data that returns 0 and no array is a failure with code 0") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(3).failingTask(1, 5, null).with(FAILS_SILENTLY), recorder)
            recorder.events shouldBe listOf(SCHEMA, "batch 11", "failed 0", "batch 13", "end", "release")
        }

        test("an extract_data that fails is followed by on_error") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(3).failingTask(1, 12, "no room"), recorder)
            recorder.events shouldBe listOf(SCHEMA, "batch 11", "failed 12", "error 12", "release")
        }

        test("the stream goes on after an extract_data that fails without on_error") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(3).failingTask(0, 12, null).with(NO_ERROR_AFTER_TASK), recorder)
            recorder.events shouldBe listOf(SCHEMA, "failed 12", "batch 12", "batch 13", "end", "release")
        }

        test("a schema with a NULL producer is refused and released") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(3).with(NULL_PRODUCER), recorder)
            recorder.events shouldBe listOf("error on_schema: the handler's producer is NULL", "release")
        }

        test("a schema with a producer without request or cancel is refused and released") {
            for (fault in listOf(NULL_REQUEST, NULL_CANCEL)) {
                val recorder = Recorder()
                exchange(PeerAsyncOptions.batches(3).with(fault), recorder)
                recorder.events shouldBe
                    listOf(
                        "error on_schema: the producer's request or cancel is NULL, a mandatory callback",
                        "release",
                    )
            }
        }

        test("a NULL schema is refused") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(3).with(NULL_SCHEMA), recorder)
            recorder.events shouldBe listOf("error on_schema: the schema is NULL", "release")
        }

        test("a second schema is refused and released") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(1).with(SCHEMA_TWICE), recorder) { producer, _ ->
                producer.await(Count.SCHEMAS_REFUSED, 1)
            }
            recorder.events.count { it == SCHEMA } shouldBe 1
            recorder.events.last() shouldBe "release"
        }

        test("a task before the schema is refused") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(2).with(TASK_FIRST), recorder) { producer, _ ->
                producer.await(Count.REFUSED, 1)
            }
            recorder.events shouldBe listOf(SCHEMA, "batch 12", "end", "release")
        }

        test("a task without extract_data is refused") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(2).with(NULL_EXTRACT), recorder)
            recorder.events shouldBe listOf(SCHEMA, "error on_next_task: the task's extract_data is NULL", "release")
        }

        test("more tasks than requested are accepted") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(6).with(SURPLUS), recorder)
            recorder.events.count { it.startsWith("batch") } shouldBe 6
        }

        test("a request may call on_next_task, within on_schema too") {
            val recorder = Recorder(3)
            exchange(PeerAsyncOptions.batches(20).with(INLINE_TASKS), recorder)
            recorder.events.count { it.startsWith("batch") } shouldBe 20
            recorder.events.takeLast(2) shouldBe listOf("end", "release")
        }

        test("on_error without a schema is the stream's failure") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(3).failing(0, 22, "bad query").with(ERROR_FIRST), recorder)
            recorder.events shouldBe listOf("error 22", "release")
        }

        test("release without an earlier call, and without an end, is reported as such") {
            val first = Recorder()
            exchange(PeerAsyncOptions.batches(3).with(RELEASE_FIRST), first)
            first.events shouldBe listOf("release")
            val second = Recorder()
            exchange(PeerAsyncOptions.batches(1).with(NO_END), second)
            second.events shouldBe listOf(SCHEMA, "batch 11", "release")
        }

        test("a producer that was freed before it calls release is not called again") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(3).with(FREES_PRODUCER), recorder) { producer, stream ->
                producer.await(Count.RELEASES, 1)
                stream.request(1)
                stream.cancel()
            }
            recorder.events.takeLast(2) shouldBe listOf("end", "release")
        }

        test("a producer that was cancelled and freed before it calls release is not cancelled again") {
            val recorder = cancelling()
            exchange(
                PeerAsyncOptions.batches(3).with(FREES_PRODUCER, ERROR_AFTER_CANCEL),
                recorder,
            ) { producer, stream ->
                producer.await(Count.RELEASES, 1)
                stream.cancel()
            }
        }

        test("callbacks after release do nothing but release their arguments") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(1).with(CALLS_AFTER_RELEASE), recorder) { producer, _ ->
                producer.await(Count.RELEASES, 1)
                producer.count(Count.REFUSED) shouldBe 1
            }
            recorder.events shouldBe listOf(SCHEMA, "batch 11", "end", "release")
        }

        test("without a release the handler stays valid for later calls") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(1).with(NEVER_RELEASES), recorder) { producer, stream ->
                producer.await(Count.ENDS, 1)
                stream.isReleased shouldBe false
                producer.releaseAfterAll()
            }
        }
    })
