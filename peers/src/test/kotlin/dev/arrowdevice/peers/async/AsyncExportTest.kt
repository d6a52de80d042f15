package dev.arrowdevice.peers.async

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.peers.PeerAsyncConsumer
import dev.arrowdevice.peers.PeerAsyncConsumer.Count
import dev.arrowdevice.peers.PeerAsyncConsumer.Options
import dev.arrowdevice.peers.PeerAsyncHabit
import dev.arrowdevice.peers.PeerBalance
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.peers.PendingEvent
import dev.arrowdevice.peers.readyAfter
import dev.arrowdevice.spi.AsyncExport
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import dev.arrowdevice.spi.Errno
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain

/** Our producer, driving a C consumer that keeps to the specification or doesn't. */
class AsyncExportTest :
    FunSpec({
        extension(PeerBalance)

        test("schema, batches and end arrive, with the metadata of the stream and of each batch") {
            val log =
                export(Options.requesting(3), Metadata.of("rows", "3")) { export, consumer ->
                    export.start() shouldBe true
                    export.offer(BatchWork(batchOf(1, 2)), Metadata.of("k", "v")) shouldBe true
                    export.offer(BatchWork(batchOf(3)), Metadata.EMPTY) shouldBe true
                    consumer.extract(1) shouldBe 0
                    consumer.extract(0) shouldBe 0
                    export.end()
                }
            val rows = PeerField.of("", "n").withMetadata("rows", "3").metadata
            val pair = PeerField.of("", "n").withMetadata("k", "v").metadata
            log shouldBe
                listOf(
                    SCHEMA_LINE + rows,
                    "task 0 $pair",
                    "task 1 ",
                    "batch 1 [{\"n\":3}]",
                    "batch 0 [{\"n\":1},{\"n\":2}]",
                    "end",
                    "release",
                )
        }

        test("a request within a callback does not call back, and is counted") {
            export(Options.requesting(1).with(PeerAsyncHabit.REQUESTS_INLINE)) { export, consumer ->
                export.start()
                repeat(50) {
                    export.demand shouldBe 1
                    export.offer(BatchWork(batchOf(it)), Metadata.EMPTY)
                    consumer.count(Count.TASKS) shouldBe it + 1L
                    consumer.discard(it.toLong())
                }
                export.end()
            }
        }

        test("no task is sent beyond the requests") {
            export(Options.requesting(1)) { export, consumer ->
                export.start()
                val batch = batchOf(1)
                export.offer(BatchWork(batchOf(0)), Metadata.EMPTY)
                shouldThrow<IllegalStateException> { export.offer(BatchWork(batch), Metadata.EMPTY) }.message shouldBe
                    "offer: the consumer has not asked for an array"
                consumer.request(1)
                export.offer(BatchWork(batch), Metadata.EMPTY)
                consumer.request(Long.MAX_VALUE)
                consumer.request(Long.MAX_VALUE)
                export.demand shouldBe Long.MAX_VALUE
                for (task in 0L..1L) consumer.extract(task)
                export.end()
            }
        }

        test("a request of zero or fewer batches leads to on_error later, never within the call") {
            for (habit in listOf(PeerAsyncHabit.REQUESTS_ZERO, PeerAsyncHabit.REQUESTS_NEGATIVE)) {
                val calls = Calls()
                val log =
                    export(Options.requesting(1).with(habit), calls = calls) { export, consumer ->
                        export.start()
                        consumer.count(Count.ERRORS) shouldBe 0
                        calls.requests.get() shouldBe 2
                        export.fail(export.invalidRequest!!)
                    }
                log[1] shouldContain "error 22 IllegalArgumentException: request of"
                log.last() shouldBe "release"
            }
        }

        test("after a cancel, requests and further cancels do nothing, and release is the next call") {
            val calls = Calls()
            val log =
                export(
                    Options.requesting(2).cancellingAt(0).with(PeerAsyncHabit.REQUESTS_AFTER_CANCEL),
                    calls = calls,
                ) { export, consumer ->
                    export.start()
                    export.offer(BatchWork(batchOf(1)), Metadata.EMPTY)
                    export.isCancelled shouldBe true
                    export.demand shouldBe 1
                    consumer.cancelOnThreads(8)
                    calls.cancels.get() shouldBe 1
                    consumer.discard(0)
                }
            log.last() shouldBe "release"
            log.none { it.startsWith("error") } shouldBe true
        }

        test("a cancel within on_schema reaches the producer") {
            export(Options.requesting(1).with(PeerAsyncHabit.CANCELS_IN_SCHEMA)) { export, _ ->
                export.start() shouldBe true
                export.isCancelled shouldBe true
            }
        }

        test("the schema is released if it was moved, not moved, or refused") {
            val paths =
                listOf(
                    Options.requesting(0),
                    Options.requesting(0).with(PeerAsyncHabit.LEAVES_SCHEMA),
                    Options.requesting(0).refusingSchema(12),
                    Options.requesting(0).refusingSchema(12).with(PeerAsyncHabit.LEAVES_SCHEMA),
                )
            for (path in paths) {
                val log =
                    export(path) { export, _ ->
                        export.start() shouldBe (path.schemaCode() == 0L)
                    }
                log shouldBe listOf(SCHEMA_LINE, "release")
            }
        }

        test("after a refused task only release is called, and we discard the task") {
            export(Options.requesting(2).refusingSchema(5)) { export, _ ->
                export.start() shouldBe false
                export.isOpen shouldBe false
                shouldThrow<IllegalStateException> { export.end() }
                shouldThrow<IllegalStateException> { export.fail(RuntimeException()) }
                shouldThrow<IllegalStateException> { export.start() }
            }
            export(Options.requesting(2).refusingTask(1)) { export, consumer ->
                export.start()
                export.offer(BatchWork(batchOf(1)), Metadata.EMPTY) shouldBe true
                export.offer(BatchWork(batchOf(2)), Metadata.EMPTY) shouldBe false
                val batch = batchOf(3)
                shouldThrow<IllegalStateException> { export.offer(BatchWork(batch), Metadata.EMPTY) }.message shouldBe
                    "offer: the async stream is REFUSED, not STARTED"
                batch.close()
                export.outstandingTasks shouldBe 1
                consumer.extract(0)
            }
        }

        test("a second extraction of a task returns an error code and no array") {
            export(Options.requesting(2).with(PeerAsyncHabit.EXTRACTS_TWICE)) { export, consumer ->
                export.start()
                export.offer(BatchWork(batchOf(1)), Metadata.EMPTY)
                export.offer(BatchWork(batchOf(2)), Metadata.EMPTY)
                consumer.extract(0) shouldBe 0
                consumer.discard(1) shouldBe 0
                consumer.extract(1) shouldNotBe 0
                consumer.count(Count.EXTRACTED) shouldBe 1
                export.end()
            }
        }

        test("a task that fails returns its code, and on_error follows") {
            val calls = Calls()
            val log =
                export(Options.requesting(1), calls = calls) { export, consumer ->
                    export.start()
                    export.offer(FailingWork(UnsupportedOperationException("no decoder")), Metadata.EMPTY)
                    consumer.extract(0) shouldBe Errno.ENOSYS
                    export.fail(calls.failures.single())
                }
            log.drop(2) shouldBe
                listOf(
                    "fail 0 ${Errno.ENOSYS}",
                    "error ${Errno.ENOSYS} UnsupportedOperationException: no decoder ",
                    "release",
                )
        }

        test("a task that fails is released even if the listener fails as well") {
            val calls =
                object : Calls() {
                    override fun onTaskFailure(failure: Throwable) =
                        throw IllegalStateException("the listener", failure)
                }
            export(Options.requesting(1), calls = calls) { export, consumer ->
                export.start()
                export.offer(FailingWork(UnsupportedOperationException("no decoder")), Metadata.EMPTY)
                consumer.extract(0) shouldBe Errno.EINVAL
                export.outstandingTasks shouldBe 0
            }
        }

        test("an array that can't be exported fails its task, and the listener is called") {
            val calls = Calls()
            export(Options.requesting(1), calls = calls) { export, consumer ->
                export.start()
                val event = PendingEvent { error("the device is gone") }
                val array = batchOf(1).intoStruct().readyAfter(event)
                export.offer(BatchWork(RecordBatch.ofStruct(numberSchema, array)), Metadata.EMPTY)
                consumer.extract(0) shouldBe Errno.EINVAL
                calls.failures.single().message shouldBe "the device is gone"
                export.outstandingTasks shouldBe 0
            }
        }

        test("an array of another type or on another device than the stream's fails its task, and is closed") {
            val calls = Calls()
            val other = Schema.of(Field.nullable("x", ArrowType.INT32))
            PeerAsyncConsumer(CPeer.load(), Options.requesting(1)).use { consumer ->
                val export =
                    AsyncExport.open(consumer.handler(), other.toStruct(), DeviceType.CPU, Metadata.EMPTY, calls)
                export.start()
                export.offer(BatchWork(batchOf(1)), Metadata.EMPTY)
                consumer.extract(0) shouldBe Errno.EINVAL
                export.release()
            }
            PeerAsyncConsumer(CPeer.load(), Options.requesting(1)).use { consumer ->
                val field = numberSchema.toStruct()
                val export =
                    AsyncExport.open(consumer.handler(), field, DeviceType.CUDA, Metadata.EMPTY, calls)
                export.start()
                export.offer(BatchWork(batchOf(1)), Metadata.EMPTY)
                consumer.extract(0) shouldBe Errno.EINVAL
                export.release()
            }
            calls.failures.map { it.message } shouldBe
                listOf(
                    "an array of type struct<n: int32> in a stream of struct<x: int32>",
                    "an array on CPU in a stream on CUDA",
                )
        }

        test("a failure before the schema is reported without a schema") {
            val log = export(Options.requesting(1)) { export, _ -> export.fail(IllegalStateException("no source")) }
            log shouldBe listOf("error 22 IllegalStateException: no source ", "release")
        }

        test("after the end or a failure nothing more is sent") {
            for (last in listOf(AsyncExport::end, { it.fail(IllegalStateException("no more")) })) {
                val log =
                    export(Options.requesting(2)) { export, _ ->
                        export.start()
                        last(export)
                        val batch = batchOf(1)
                        shouldThrow<IllegalStateException> { export.offer(BatchWork(batch), Metadata.EMPTY) }
                        shouldThrow<IllegalStateException> { export.end() }
                        shouldThrow<IllegalStateException> { export.fail(IllegalStateException("again")) }
                        batch.close()
                    }
                log.size shouldBe 3 // The schema, the end or the failure, and release.
            }
        }

        test("a failure of another producer is passed on with code and metadata") {
            val log =
                export(Options.requesting(1)) { export, _ ->
                    export.start()
                    export.fail(ForeignException("on_error", 28, "disk full", Metadata.of("host", "a")))
                }
            val host = PeerField.of("", "n").withMetadata("host", "a").metadata
            log[1] shouldBe "error 28 ForeignException: [on_error][errno 28] disk full $host"
        }

        test("producer and tasks outlive release, for late extractions and requests from any thread") {
            PeerAsyncConsumer(CPeer.load(), Options.requesting(3).with(PeerAsyncHabit.REQUESTS_LATE)).use { consumer ->
                val calls = Calls()
                val export = openTo(consumer, Metadata.of("k", "v"), calls)
                export.start()
                repeat(3) { export.offer(BatchWork(batchOf(it)), Metadata.EMPTY) }
                export.end()
                export.release()
                export.outstandingTasks shouldBe 3
                consumer.extract(0) shouldBe 0
                Thread { consumer.extract(1) }.apply { start() }.join()
                consumer.cancelOnThreads(4)
                consumer.discard(2) shouldBe 0
                export.outstandingTasks shouldBe 0
                // All is forgotten now; consumers ask for more all the same.
                consumer.request(1)
                consumer.cancelOnThreads(2)
                calls.requests.get() shouldBe 3
                consumer.count(Count.EXTRACTED) shouldBe 2
                consumer.count(Count.VIOLATIONS) shouldBe 0
            }
        }

        test("release is called once, and may be the only call") {
            val log =
                export(Options.requesting(1)) { export, _ ->
                    export.release()
                    export.release()
                    export.isOpen shouldBe false
                }
            log shouldBe listOf("release")
        }

        test("an export needs a live handler") {
            val calls = Calls()
            shouldThrow<IllegalArgumentException> {
                AsyncExport.open(
                    CAsyncDeviceStreamHandlerStruct.at(0),
                    numberSchema.toStruct(),
                    DeviceType.CPU,
                    Metadata.EMPTY,
                    calls,
                )
            }
            java.lang.foreign.Arena.ofConfined().use { arena ->
                val zeroed = arena.allocate(48, 8).address()
                shouldThrow<IllegalStateException> {
                    AsyncExport.open(
                        CAsyncDeviceStreamHandlerStruct.at(zeroed),
                        numberSchema.toStruct(),
                        DeviceType.CPU,
                        Metadata.EMPTY,
                        calls,
                    )
                }.message shouldContain "already been released"
            }
        }
    })
