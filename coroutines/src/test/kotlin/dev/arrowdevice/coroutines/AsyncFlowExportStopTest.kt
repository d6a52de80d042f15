package dev.arrowdevice.coroutines

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.addAll
import dev.arrowdevice.peers.PeerAsyncConsumer
import dev.arrowdevice.peers.PeerAsyncConsumer.Count
import dev.arrowdevice.peers.PeerAsyncConsumer.Options
import dev.arrowdevice.peers.PeerAsyncHabit
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.Errno
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.emptyFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.onCompletion
import kotlinx.coroutines.flow.onStart
import kotlinx.coroutines.plus
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlin.time.Duration.Companion.seconds

/** How an export ends, other than with the flow: by failures, the consumer's cancel or refusal, the scope's cancel. */
@OptIn(ExperimentalCoroutinesApi::class)
class AsyncFlowExportStopTest :
    FunSpec({
        extension(Balance)

        val inline = PeerAsyncHabit.EXTRACTS_INLINE
        val cancelled = "error ${Errno.ECANCELED} "

        /** The flow, and in [ends] how its collections have ended. */
        fun Flow<RecordBatch>.noting(ends: MutableList<Throwable?>) = onCompletion { ends += it }

        // ---- failures ----

        test(
            "a failure of the flow is reported after its batches with code, message and metadata, and does not fail the scope",
        ) {
            val failures =
                mapOf(
                    ForeignException("get_next", 28, "disk full", Metadata.of("host", "a")) to
                        "error 28 ForeignException: [get_next][errno 28] disk full " + hex("host", "a"),
                    UnsupportedOperationException("no decoder") to
                        "error ${Errno.ENOSYS} UnsupportedOperationException: no decoder",
                    OutOfMemoryError("heap") to "error ${Errno.ENOMEM} OutOfMemoryError: heap",
                )
            for ((failure, line) in failures) {
                val flow =
                    flow {
                        emitBatch(batchOf(1))
                        throw failure
                    }
                val log =
                    exported(Options.requesting(1).with(inline), flow) {
                        it.job.isCancelled shouldBe false
                        coroutineContext[Job]!!.isActive shouldBe true
                    }
                log shouldBe listOf(SCHEMA_LINE, "task 0", "batch 0 [{\"n\":1}]", line, "release")
            }
        }

        test("a flow that fails at once is reported without a request") {
            exported(Options.requesting(0), flow { error("no source") }) shouldBe
                listOf(SCHEMA_LINE, "error ${Errno.EINVAL} IllegalStateException: no source", "release")
        }

        test("a batch of another schema or on another device type stops the flow") {
            val other = flow { emitBatch(recordBatch { column<Long>("m") { addAll(listOf(1L)) } }) }
            val ends = ArrayList<Throwable?>()
            val schema = exported(Options.requesting(1), other.noting(ends))
            schema[1] shouldStartWith "error ${Errno.EINVAL} IllegalArgumentException: a batch of "
            val device = exported(Options.requesting(1), numberFlow(1).noting(ends), DeviceType.VULKAN)
            device[1] shouldStartWith "error ${Errno.EINVAL} IllegalArgumentException: a batch on "
            for (log in listOf(schema, device)) log.last() shouldBe "release"
            ends.size shouldBe 2
        }

        test("a schema that C can't hold is reported, without a schema") {
            PeerAsyncConsumer(peer, Options.requesting(1)).use { consumer ->
                val schema = Schema.of(Field.nullable("a\u0000b", ArrowType.INT32))
                runBlocking {
                    emptyFlow<RecordBatch>().exportToAsyncHandler(schema, consumer.handler(), this)
                }
                val log = consumer.checkDone()
                log[0] shouldStartWith "error ${Errno.EINVAL} InvalidSchemaException: "
                log.drop(1) shouldBe listOf("release")
            }
        }

        test("batch metadata that fails stops the flow") {
            val log =
                exported(Options.requesting(1), numberFlow(1), batchMetadata = { throw ArithmeticException("of 0") })
            log.drop(1) shouldBe listOf("error ${Errno.EIO} ArithmeticException: of 0", "release")
        }

        test("an extraction that fails returns its code, and on_error follows and stops the flow") {
            val ends = ArrayList<Throwable?>()
            val flow =
                flow {
                    emitBatch(watchedBatch(0) {})
                    emitBatch(watchedBatch(1) { throw UnsupportedOperationException("no decoder") })
                    awaitCancellation()
                }
            val log =
                exported(Options.requesting(9), flow.noting(ends)) {
                    it.consumer.extract(1) shouldBe Errno.ENOSYS
                    // Later, and not within extract_data.
                    it.consumer.count(Count.ERRORS) shouldBe 0
                    it.tasks() shouldBe 2
                    it.consumer.extract(0) shouldBe 0
                }
            log.drop(3) shouldBe
                listOf(
                    "fail 1 ${Errno.ENOSYS}",
                    "error ${Errno.ENOSYS} UnsupportedOperationException: no decoder",
                    "release",
                    "batch 0 [{\"n\":0}]",
                )
            ends.single().shouldBeInstanceOf<CancellationException>()
        }

        test("an extraction that fails after release returns its code, and nothing follows") {
            val flow = flow { emitBatch(watchedBatch(0) { throw ArithmeticException("late") }) }
            val log =
                exported(Options.requesting(1), flow) {
                    it.job.isCompleted shouldBe true
                    it.consumer.extract(0) shouldBe Errno.EIO
                }
            log.drop(2) shouldBe listOf("end", "release", "fail 0 ${Errno.EIO}")
        }

        // ---- what the consumer does ----

        test("a request of zero or fewer batches stops the flow and leads to on_error later, never within the call") {
            for (n in listOf(0L, -1L, Long.MIN_VALUE)) {
                val ends = ArrayList<Throwable?>()
                val log =
                    exported(Options.requesting(1).with(inline), numberFlow(9).noting(ends)) {
                        it.consumer.request(n)
                        it.consumer.count(Count.ERRORS) shouldBe 0
                        // Nor does a valid one help afterwards.
                        it.request(5) shouldBe 1
                    }
                log.drop(3) shouldBe
                    listOf(
                        "error ${Errno.EINVAL} IllegalArgumentException: request of $n arrays; n must be above 0",
                        "release",
                    )
                ends.single().shouldBeInstanceOf<CancellationException>()
            }
            for (habit in listOf(PeerAsyncHabit.REQUESTS_ZERO, PeerAsyncHabit.REQUESTS_NEGATIVE)) {
                var collected = 0
                val log = exported(Options.requesting(5).with(habit), numberFlow(9).onStart { collected++ })
                log[1] shouldStartWith "error ${Errno.EINVAL} IllegalArgumentException: request of "
                log.drop(2) shouldBe listOf("release")
                collected shouldBe 0
            }
        }

        test("after a cancel within on_schema only release is called, and the flow is not collected") {
            var collected = 0
            val log =
                exported(
                    Options.requesting(5).with(PeerAsyncHabit.CANCELS_IN_SCHEMA),
                    numberFlow(9).onStart { collected++ },
                ) { it.job.isCancelled shouldBe true }
            log shouldBe listOf(SCHEMA_LINE, "release")
            collected shouldBe 0
        }

        test("after a cancel within on_next_task only release is called") {
            val options = Options.requesting(5).cancellingAt(1)
            for (habits in listOf(
                arrayOf(inline),
                arrayOf(inline, PeerAsyncHabit.REQUESTS_AFTER_CANCEL),
                arrayOf(inline, PeerAsyncHabit.REQUESTS_INLINE),
            )) {
                val ends = ArrayList<Throwable?>()
                val log = exported(options.with(*habits), numberFlow(9).noting(ends))
                log.filterNot { it.startsWith("batch") } shouldBe listOf(SCHEMA_LINE, "task 0", "task 1", "release")
                ends.single().shouldBeInstanceOf<CancellationException>()
            }
        }

        test("a flow that never suspends stops at a cancel, and at an invalid request") {
            val batches = numberFlow(5)
            exported(Options.requesting(5).cancellingAt(1).with(inline), batches)
                .filterNot { it.startsWith("batch") } shouldBe listOf(SCHEMA_LINE, "task 0", "task 1", "release")
            val habits = arrayOf(inline, PeerAsyncHabit.REQUESTS_ZERO)
            exported(Options.requesting(5).with(*habits), batches).map { it.substringBefore(' ') } shouldBe
                listOf("schema", "error", "release")
        }

        test("batches that nobody closes are refused, and reported to the consumer") {
            val batches = List(3) { batchOf(it) }
            val log = exported(Options.requesting(5).with(inline), batches.asFlow())
            log.map { it.substringBefore(' ') } shouldBe listOf("schema", "task", "batch", "error", "release")
            log[3] shouldContain NOT_CLOSED
            // The third never came.
            batches.map { it.isLive } shouldBe listOf(false, false, true)
            batches.forEach { it.close() }
        }

        test("a cancel from several threads ends a flow that waits for a request or for its source") {
            val waiting = flow { delay(1.seconds).also { emitBatch(batchOf(0)) } }
            for (flow in listOf(numberFlow(9), waiting)) {
                val log =
                    exported(Options.requesting(0), flow) {
                        it.consumer.cancelOnThreads(8)
                        // Later: cancel must not call release.
                        it.consumer.count(Count.RELEASES) shouldBe 0
                    }
                log shouldBe listOf(SCHEMA_LINE, "release")
            }
        }

        test("after a cancel neither a failure nor an end is reported") {
            val failing =
                flow<RecordBatch> {
                    try {
                        awaitCancellation()
                    } catch (e: CancellationException) {
                        throw ArithmeticException("while cleaning up")
                    }
                }
            val ending =
                flow<RecordBatch> {
                    try {
                        awaitCancellation()
                    } catch (e: CancellationException) {
                        return@flow
                    }
                }
            for (flow in listOf(failing, ending)) {
                exported(Options.requesting(1), flow) { it.consumer.cancelOnThreads(1) } shouldBe
                    listOf(SCHEMA_LINE, "release")
            }
        }

        test("after a refused schema only release is called, and the flow is not collected") {
            var collected = 0
            val flow = numberFlow(9).onStart { collected++ }
            exported(Options.requesting(5).refusingSchema(12), flow) shouldBe listOf(SCHEMA_LINE, "release")
            collected shouldBe 0
        }

        test("after a refused task, which is released, only release is called, and the flow is cancelled") {
            val ends = ArrayList<Throwable?>()
            val log = exported(Options.requesting(5).refusingTask(1).with(inline), numberFlow(9).noting(ends))
            log shouldBe listOf(SCHEMA_LINE, "task 0", "batch 0 [{\"n\":0}]", "task 1", "release")
            ends.single().shouldBeInstanceOf<CancellationException>()
        }

        // ---- the scope ----

        test("a scope that is cancelled before the job runs reports ECANCELED and calls release") {
            for (before in listOf(true, false)) {
                var collected = 0
                PeerAsyncConsumer(peer, Options.requesting(5)).use { consumer ->
                    val log =
                        runTest {
                            val scope = this + Job()
                            if (before) scope.cancel()
                            numberFlow(9)
                                .onStart { collected++ }
                                .exportToAsyncHandler(numberSchema, consumer.handler(), scope)
                            consumer.count(Count.SCHEMAS) shouldBe 0
                            scope.cancel()
                            runCurrent()
                        }.let { consumer.checkDone() }
                    log[0] shouldBe SCHEMA_LINE
                    log[1] shouldStartWith cancelled
                    log.drop(2) shouldBe listOf("release")
                }
                collected shouldBe 0
            }
        }

        test("a job that is cancelled while it waits or collects reports ECANCELED and calls release") {
            val ends = ArrayList<Throwable?>()
            val midFlow =
                flow {
                    emitBatch(batchOf(0))
                    awaitCancellation()
                }
            for (flow in listOf(numberFlow(9), midFlow)) {
                val log =
                    exported(Options.requesting(1), flow.noting(ends)) {
                        it.tasks() shouldBe 1
                        it.job.cancel()
                        it.tasks() shouldBe 1
                        // The consumer's tasks stay valid.
                        it.consumer.extract(0) shouldBe 0
                    }
                log.take(2) shouldBe listOf(SCHEMA_LINE, "task 0")
                log[2] shouldStartWith cancelled
                log.drop(3) shouldBe listOf("release", "batch 0 [{\"n\":0}]")
            }
            ends.size shouldBe 2
        }

        // ---- dispatchers that resume in place ----

        test("an Unconfined scope never calls the handler within a call of the consumer") {
            /** The flow goes on elsewhere after [act], which the test's thread does or one of C. */
            fun goesOn(
                flow: Flow<RecordBatch>,
                act: (PeerAsyncConsumer) -> Unit,
            ) {
                PeerAsyncConsumer(peer, Options.requesting(1)).use { consumer ->
                    var resumed = ""
                    val scope = CoroutineScope(Dispatchers.Unconfined)
                    val job =
                        flow
                            .onCompletion { resumed = Thread.currentThread().name }
                            .exportToAsyncHandler(numberSchema, consumer.handler(), scope)
                    act(consumer)
                    runBlocking { job.join() }
                    resumed shouldStartWith "DefaultDispatcher-worker"
                    for (task in 0 until consumer.count(Count.TASKS)) consumer.discard(task)
                    consumer.checkDone()
                }
            }
            goesOn(numberFlow(2)) { it.request(1) }
            goesOn(numberFlow(2)) { it.request(0) }
            goesOn(numberFlow(2)) { it.cancelOnThreads(1) }
            val failing =
                flow {
                    emitBatch(watchedBatch(0) { throw ArithmeticException() })
                    awaitCancellation()
                }
            goesOn(failing) { it.extract(0) shouldBe Errno.EIO }
        }
    })
