package dev.arrowdevice.peers.async

import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Metadata
import dev.arrowdevice.internal.abi.ForeignAsyncCallbacks
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.peers.Fields
import dev.arrowdevice.peers.PeerAsyncFault
import dev.arrowdevice.peers.PeerAsyncOptions
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.peers.PeerAsyncProducer.Count
import dev.arrowdevice.peers.PeerBalance
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.withStructs
import dev.arrowdevice.spi.AsyncImport
import dev.arrowdevice.spi.AsyncTask
import dev.arrowdevice.spi.Errno
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf

private const val SCHEMA = "schema struct<n: int32>"

/** Our handler, driven by a C producer that keeps to the specification. */
class AsyncImportTest :
    FunSpec({
        extension(PeerBalance)

        test("schema, batches and end arrive in order, from any number of producer threads") {
            for (threads in 1L..3L) {
                val recorder = Recorder()
                exchange(PeerAsyncOptions.batches(3).onThreads(threads), recorder)
                recorder.events shouldBe listOf(SCHEMA, "batch 11", "batch 12", "batch 13", "end", "release")
            }
        }

        test("metadata of the stream, the tasks and the failure keep keys, values and order") {
            val recorder = Recorder()
            val options =
                PeerAsyncOptions
                    .batches(9)
                    .failing(1, 5, "disk")
                    .withMetadata(encoded("rows", "3", "rows", "4"), encoded("n", "1"), encoded("host", "a"))
            exchange(options, recorder)
            recorder.events shouldBe listOf("$SCHEMA rows=3 rows=4", "batch 11 n=1", "error 5", "release")
        }

        test("the metadata of a failure is decoded as binary") {
            val value = "a\u0000b".toByteArray()
            val bytes = encoded("k", "a\u0000b")
            val recorder = Recorder()
            val options = PeerAsyncOptions.batches(9).failing(0, 5, "disk").withMetadata(null, null, bytes)
            exchange(options, recorder)
            val failure = recorder.failures.single().shouldBeInstanceOf<ForeignException>()
            failure.metadata.getBytes("k") shouldBe value
            failure.message shouldBe "[on_error][EIO 5] disk"
        }

        test("a failure without text and with malformed metadata is reported") {
            val recorder = Recorder()
            val garbage = byteArrayOf(-1, -1, -1, -1)
            exchange(PeerAsyncOptions.batches(9).failing(0, 12, null).withMetadata(null, null, garbage), recorder)
            recorder.failures.single().message shouldBe "[on_error][ENOMEM 12] the producer returned no description"
            recorder.events shouldBe listOf(SCHEMA, "error 12", "release")
        }

        test("a stream or a task with malformed metadata is refused") {
            val garbage = byteArrayOf(-1, -1, -1, -1)
            val first = Recorder()
            exchange(PeerAsyncOptions.batches(3).withMetadata(garbage, null, null), first)
            first.failures.single().message shouldContain "metadata at byte 0"
            val second = Recorder()
            exchange(PeerAsyncOptions.batches(3).withMetadata(null, garbage, null), second) { producer, _ ->
                producer.await(Count.REFUSED, 1)
            }
            second.failures.single().message shouldContain "metadata at byte 0"
        }

        test("no more tasks arrive than were requested") {
            val recorder =
                object : Recorder(2) {
                    override fun onTask(task: AsyncTask) = use(task)
                }
            exchange(PeerAsyncOptions.batches(5), recorder) { producer, stream ->
                producer.await(Count.EXTRACTED, 2)
                producer.count(Count.TASKS) shouldBe 2
                stream.request(3)
                producer.await(Count.EXTRACTED, 5)
                producer.count(Count.REQUESTED) shouldBe 5
            }
        }

        test("the end arrives from a producer that needs an outstanding request to reach it") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(2).with(PeerAsyncFault.END_NEEDS_DEMAND), recorder)
            recorder.events.takeLast(2) shouldBe listOf("end", "release")
        }

        test("a task outlives its stream and can be extracted on any thread, once") {
            val tasks = ArrayList<AsyncTask>()
            PeerAsyncProducer(CPeer.load(), numbers, PeerOptions.rows(3), PeerAsyncOptions.batches(2)).use { producer ->
                val recorder =
                    object : Recorder(3) {
                        override fun onTask(task: AsyncTask) {
                            tasks += task
                        }
                    }
                producer.start(AsyncImport.create(recorder).handler)
                recorder.awaitRelease()
                tasks[0].extract().use { it.child("n").getInt(0) shouldBe 11 }
                shouldThrow<IllegalStateException> { tasks[0].extract() }.message shouldContain
                    "already been extracted or discarded"
                tasks[0].discard()
                Thread { tasks[1].extract().close() }.apply { start() }.join()
                producer.count(Count.EXTRACTED) shouldBe 2
                producer.count(Count.VIOLATIONS) shouldBe 0
            }
        }

        test("tasks that arrive after a cancel are discarded, until release") {
            val recorder =
                object : Recorder(4) {
                    override fun onTask(task: AsyncTask) {
                        use(task)
                        stream.cancel()
                        stream.cancel()
                        stream.request(1)
                    }
                }
            exchange(PeerAsyncOptions.batches(9).goingOnAfterCancel(3), recorder) { producer, _ ->
                producer.await(Count.RELEASES, 1)
                producer.count(Count.EXTRACTED) shouldBe 4
                producer.count(Count.CANCELS) shouldBe 1
                producer.count(Count.REQUESTED) shouldBe 4
            }
            recorder.events shouldBe listOf(SCHEMA, "batch 11", "release")
        }

        test("after a cancel before the schema, the schema is refused") {
            val recorder = Recorder()
            exchange(PeerAsyncOptions.batches(3).waitingAfter(0), recorder) { producer, stream ->
                stream.cancel()
                producer.allow(-1)
                producer.await(Count.RELEASES, 1)
                producer.count(Count.SCHEMAS_REFUSED) shouldBe 1
                producer.count(Count.CANCELS) shouldBe 0
            }
            recorder.events shouldBe listOf("release")
        }

        test("the schema after a cancel is answered with ECANCELED, and every later one with EINVAL") {
            withStructs {
                val recorder = Recorder()
                val stream = AsyncImport.create(recorder)
                val handler = stream.handler.address
                stream.cancel()
                val codes = List(2) { ForeignAsyncCallbacks.onSchema(handler, produceSchema(Fields.batch).address) }
                codes shouldBe listOf(Errno.ECANCELED, Errno.EINVAL)
                ForeignAsyncCallbacks.release(handler)
                recorder.events shouldBe listOf("release")
            }
        }

        test("a cancel within onSchema reaches the producer") {
            val recorder =
                object : Recorder(2) {
                    override fun onSchema(
                        stream: AsyncImport,
                        field: Field,
                        deviceType: Int,
                        metadata: Metadata,
                    ) {
                        super.onSchema(stream, field, deviceType, metadata)
                        stream.cancel()
                    }
                }
            exchange(PeerAsyncOptions.batches(3).goingOnAfterCancel(1), recorder) { producer, _ ->
                producer.await(Count.CANCELS, 1)
            }
            recorder.events shouldBe listOf(SCHEMA, "release")
        }

        test("if the listener throws, the schema or the task is refused, and onError is called") {
            val schema =
                object : Recorder() {
                    override fun onSchema(
                        stream: AsyncImport,
                        field: Field,
                        deviceType: Int,
                        metadata: Metadata,
                    ): Unit = throw UnsupportedOperationException("no structs")
                }
            exchange(PeerAsyncOptions.batches(3), schema) { producer, _ -> producer.await(Count.SCHEMAS_REFUSED, 1) }
            schema.events shouldBe listOf("error no structs", "release")
            val task =
                object : Recorder() {
                    override fun onTask(task: AsyncTask): Unit = throw AssertionError("broken")
                }
            exchange(PeerAsyncOptions.batches(3), task) { producer, _ -> producer.await(Count.REFUSED, 1) }
            task.events shouldBe
                listOf(SCHEMA, "error the listener failed: java.lang.AssertionError: broken", "release")
        }

        test("if the listener throws after it used the task, the stream is cancelled") {
            val recorder =
                object : Recorder() {
                    override fun onTask(task: AsyncTask) {
                        use(task)
                        throw IllegalStateException("afterwards")
                    }
                }
            exchange(PeerAsyncOptions.batches(3), recorder) { producer, _ -> producer.await(Count.CANCELS, 1) }
            recorder.events shouldBe listOf(SCHEMA, "batch 11", "error afterwards", "release")
        }

        test("a listener that has thrown gets only the release, even if the producer sends an end") {
            val recorder =
                object : Recorder() {
                    override fun onTask(task: AsyncTask) {
                        use(task)
                        throw IllegalStateException("afterwards")
                    }
                }
            exchange(PeerAsyncOptions.batches(3).with(PeerAsyncFault.END_AFTER_CANCEL), recorder) { producer, _ ->
                producer.await(Count.ENDS, 1)
            }
            recorder.events shouldBe listOf(SCHEMA, "batch 11", "error afterwards", "release")
        }

        test("if the listener throws in onError too, the stream is still cancelled") {
            val recorder =
                object : Recorder() {
                    override fun onTask(task: AsyncTask) {
                        use(task)
                        throw IllegalStateException("afterwards")
                    }

                    override fun onError(failure: RuntimeException) {
                        super.onError(failure)
                        throw IllegalStateException("broken through and through")
                    }
                }
            exchange(PeerAsyncOptions.batches(3), recorder) { producer, _ -> producer.await(Count.CANCELS, 1) }
        }

        test("calls that the listener makes in onError and onRelease do not reach the producer") {
            val recorder =
                object : Recorder(3) {
                    override fun onError(failure: RuntimeException) {
                        super.onError(failure)
                        stream.request(1)
                        stream.cancel()
                    }

                    override fun onRelease() {
                        stream.request(1)
                        stream.cancel()
                        super.onRelease()
                    }
                }
            exchange(PeerAsyncOptions.batches(3).failing(0, 5, "no"), recorder) { producer, _ ->
                producer.await(Count.RELEASES, 1)
                producer.count(Count.REQUESTS) shouldBe 1
                producer.count(Count.CANCELS) shouldBe 0
                producer.count(Count.LATE_CALLS) shouldBe 0
            }
        }

        test("an array on another device type than the stream's is refused and released") {
            val failures = ArrayList<String?>()
            val recorder =
                object : Recorder() {
                    override fun onTask(task: AsyncTask) {
                        failures += runCatching { task.extract() }.exceptionOrNull()?.message
                        stream.request(1)
                    }
                }
            exchange(PeerAsyncOptions.batches(1).with(PeerAsyncFault.WRONG_DEVICE), recorder)
            failures.single() shouldContain "in a stream on CPU"
        }

        test("the listener gets the device type of the stream") {
            var type = 0
            val recorder =
                object : Recorder() {
                    override fun onSchema(
                        stream: AsyncImport,
                        field: Field,
                        deviceType: Int,
                        metadata: Metadata,
                    ) {
                        type = deviceType
                        super.onSchema(stream, field, deviceType, metadata)
                    }
                }
            exchange(PeerAsyncOptions.batches(0).onDevice(DeviceType.VULKAN), recorder)
            type shouldBe DeviceType.VULKAN
        }

        test("a handler that no producer has can be released by its maker, once") {
            val recorder = Recorder()
            val stream = AsyncImport.create(recorder)
            shouldThrow<IllegalStateException> { stream.request(1) }.message shouldContain
                "the schema has not arrived yet"
            shouldThrow<IllegalArgumentException> { stream.request(0) }
            stream.releaseUnused() shouldBe true
            stream.releaseUnused() shouldBe false
            stream.isReleased shouldBe true
            recorder.events shouldBe listOf("release")
        }

        test("a handler that a producer has called is not released by its maker") {
            exchange(PeerAsyncOptions.batches(0).waitingAfter(1)) { producer, stream ->
                producer.await(Count.REQUESTS, 1)
                stream.releaseUnused() shouldBe false
                producer.allow(-1)
            }
        }
    })
