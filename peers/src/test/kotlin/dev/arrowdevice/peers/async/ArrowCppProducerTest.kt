package dev.arrowdevice.peers.async

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceType
import dev.arrowdevice.ForeignException
import dev.arrowdevice.peers.arrowcpp.ArrowCpp
import dev.arrowdevice.peers.arrowcpp.CppArrays
import dev.arrowdevice.peers.arrowcpp.CppAsyncWriter
import dev.arrowdevice.peers.arrowcpp.CppException
import dev.arrowdevice.peers.arrowcpp.CppGenerator
import dev.arrowdevice.peers.arrowcpp.CppRecordBatch
import dev.arrowdevice.peers.arrowcpp.CppSchema
import dev.arrowdevice.peers.arrowcpp.CppThreadPool
import dev.arrowdevice.peers.arrowcpp.TypeSpec
import dev.arrowdevice.peers.arrowcpp.balanced
import dev.arrowdevice.peers.async.Consumer.Event
import dev.arrowdevice.spi.AsyncDiscard
import dev.arrowdevice.spi.Errno
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/** Arrow C++ as async producer of streams that we consume. */
class ArrowCppProducerTest :
    FunSpec({
        test(
            "batches arrive in order, no more than were requested, and then the end",
        ).config(enabled = loaded) {
            balanced {
                val consumer = Consumer()
                val sending = send(consumer, listOf(1, 2), listOf(3), listOf())
                consumer.awaitSchema().type() shouldBe Numbers.field.type()
                consumer.deviceType shouldBe DeviceType.CPU
                consumer.metadata.entries shouldBe listOf()

                consumer.waiting shouldBe 0
                consumer.stream.request(1)
                consumer.takeNumbers() shouldBe listOf(1, 2)
                consumer.waiting shouldBe 0
                consumer.stream.request(2)
                consumer.takeNumbers() shouldBe listOf(3)
                consumer.takeNumbers() shouldBe listOf()
                // C++ sends the end without a request of its own.
                consumer.rest() shouldContainExactly listOf(Event.End, Event.Release)
                sending.failure().shouldBeNull()
            }
        }

        test("a stream without batches ends without a request").config(enabled = loaded) {
            balanced {
                val consumer = Consumer()
                val sending = send(consumer)
                consumer.rest() shouldContainExactly listOf(Event.End, Event.Release)
                sending.failure().shouldBeNull()
            }
        }

        test("tasks can be extracted or discarded after release").config(enabled = loaded) {
            for (discard in AsyncDiscard.entries) {
                balanced {
                    val consumer = Consumer(window = 2, discard = discard)
                    val sending = send(consumer, listOf(1), listOf(2))
                    sending.failure().shouldBeNull()
                    consumer.stream.isReleased shouldBe true
                    val (first, second) = List(2) { consumer.takeTask() }
                    second.discard()
                    first.extract().use { Numbers.of(it) shouldBe listOf(1) }
                    shouldThrow<IllegalStateException> { first.extract() }
                    consumer.rest() shouldContainExactly listOf(Event.End, Event.Release)
                }
            }
        }

        test("C++ sends later batches on its own threads").config(enabled = loaded) {
            balanced {
                CppThreadPool.of(2).use { pool ->
                    val batches = (1L..100).iterator()
                    val consumer = Consumer(window = 3)
                    val threads = mutableSetOf<Thread>()
                    consumer.onTask = { threads += Thread.currentThread() }
                    // What is ready when it is exported, C++ sends on this thread, which then waits for requests in vain.
                    val exported = CountDownLatch(1)
                    val source = {
                        exported.await(60, TimeUnit.SECONDS)
                        if (batches.hasNext()) cppBatch(listOf(batches.next())) else null
                    }
                    val generator = CppGenerator.of(source, pool)
                    cppSchema().use { schema ->
                        CppAsyncWriter.export(schema, generator, CPU, consumer.handlerAddress).use { future ->
                            exported.countDown()
                            (1L..100).forEach {
                                consumer.takeNumbers() shouldBe listOf(it)
                                consumer.stream.request(1)
                            }
                            consumer.rest() shouldContainExactly listOf(Event.End, Event.Release)
                            future.join()
                        }
                    }
                    (Thread.currentThread() in threads) shouldBe false
                    pool.awaitIdle()
                }
            }
        }

        test(
            "a failure between batches arrives with C++'s text, after the batches before it",
        ).config(enabled = loaded) {
            balanced {
                CppThreadPool.of(2).use { pool ->
                    var count = 0L
                    val taken = CountDownLatch(1)
                    // C++ reads ahead, and drops what it has read when it comes to a failure.
                    val source = {
                        if (count < 2) {
                            cppBatch(listOf(count++))
                        } else {
                            taken.await(60, TimeUnit.SECONDS)
                            error("the disk is gone")
                        }
                    }
                    val generator = CppGenerator.of(source, pool)
                    val consumer = Consumer(window = 5)
                    cppSchema().use { schema ->
                        CppAsyncWriter.export(schema, generator, CPU, consumer.handlerAddress).use { future ->
                            consumer.takeNumbers() shouldBe listOf(0)
                            consumer.takeNumbers() shouldBe listOf(1)
                            taken.countDown()
                            val failure = consumer.rest().failureThenRelease()
                            failure.errno shouldBe Errno.EINVAL
                            failure.message shouldContain "the disk is gone"
                            shouldThrow<CppException> { future.join() }.code() shouldBe UNKNOWN_ERROR
                        }
                    }
                    pool.awaitIdle()
                }
            }
        }

        test("a failure in place of the schema is reported").config(enabled = loaded) {
            balanced {
                val consumer = Consumer()
                val failure =
                    CppAsyncWriter.export(null, CppGenerator.of(listOf()), CPU, consumer.handlerAddress).use {
                        shouldThrow<CppException> { it.join() }
                    }
                failure.code() shouldBe INVALID
                consumer.schema.isDone shouldBe false
                consumer.rest().failureThenRelease().message shouldContain "Schema is null"
            }
        }

        test(
            "a cancellation wakes C++ up, and the error that it reports then is not passed on",
        ).config(enabled = loaded) {
            balanced {
                val consumer = Consumer(window = 1)
                val sending = send(consumer, listOf(1), listOf(2), listOf(3))
                consumer.takeNumbers() shouldBe listOf(1)
                // C++ now waits for a request.
                consumer.stream.cancel()
                consumer.rest() shouldContainExactly listOf(Event.Release)
                sending.failure().shouldNotBeNull().message shouldContain "Consumer requested cancellation"
                consumer.stream.request(1)
                consumer.stream.cancel()
            }
        }

        test("a cancellation in a callback does the same").config(enabled = loaded) {
            balanced {
                val consumer = Consumer(window = 5)
                consumer.onTask = { consumer.stream.cancel() }
                val sending = send(consumer, listOf(1), listOf(2), listOf(3))
                consumer.takeNumbers() shouldBe listOf(1)
                consumer.rest() shouldContainExactly listOf(Event.Release)
                sending.failure().shouldNotBeNull().code() shouldBe CANCELLED
            }
        }

        test(
            "a task that waits when the stream is cancelled is discarded, with or without its array",
        ).config(enabled = loaded) {
            for (discard in AsyncDiscard.entries) {
                balanced {
                    val consumer = Consumer(window = 5, discard = discard)
                    consumer.onTask = { consumer.stream.cancel() }
                    val sending = send(consumer, listOf(1), listOf(2), listOf(3))
                    consumer.rest().single { it is Event.Task }.let { (it as Event.Task).task.discard() }
                    sending.failure().shouldNotBeNull().code() shouldBe CANCELLED
                }
            }
        }

        test("a cancel before the schema refuses the stream").config(enabled = loaded) {
            balanced {
                val consumer = Consumer(window = 5)
                consumer.stream.cancel()
                val sending = send(consumer, listOf(1))
                consumer.rest() shouldContainExactly listOf(Event.Release)
                sending.failure().shouldNotBeNull()
            }
        }

        test("a refused schema is reported once, with the reason").config(enabled = loaded) {
            balanced {
                val consumer = Consumer(refuse = "on_schema")
                val sending = send(consumer, listOf(1), listOf(2))
                val (refusal, release) = consumer.rest()
                refusal.shouldBeInstanceOf<Event.Failure>().failure.message shouldBe "this schema is not wanted"
                release shouldBe Event.Release
                // It is the number of "not equal to zero", not ours.
                sending.failure().shouldNotBeNull().message shouldContain "on_schema 1"
            }
        }

        test("the end that follows a refused schema is not passed on").config(enabled = loaded) {
            balanced {
                val consumer = Consumer(refuse = "on_schema")
                val sending = send(consumer)
                consumer.rest().size shouldBe 2
                // Having nothing to send, C++ doesn't look for the refusal, and takes ours of the end for one.
                sending.failure().shouldNotBeNull().message shouldContain "on_next_task"
            }
        }

        test("C++ frees a refused task").config(enabled = loaded) {
            balanced {
                val consumer = Consumer(window = 5, refuse = "on_next_task")
                val sending = send(consumer, listOf(1), listOf(2))
                val (refusal, release) = consumer.rest()
                refusal.shouldBeInstanceOf<Event.Failure>().failure.message shouldBe "this task is not wanted"
                release shouldBe Event.Release
                sending.failure().shouldNotBeNull().message shouldContain "on_next_task 1"
            }
        }

        test(
            "an extraction that fails without an error code in C++ throws, and the reason follows",
        ).config(enabled = loaded) {
            balanced {
                // In the callback, for C++ forgets to wake itself up if it waits for a request when a task fails.
                val consumer = Consumer(window = 2)
                val failure = CompletableFuture<ForeignException>()
                consumer.onTask = { failure.complete(shouldThrow<ForeignException> { consumer.takeArray() }) }
                cppSchema("one", "two").use { schema ->
                    val torn =
                        cppColumn(1, 2).use { long ->
                            cppColumn(3).use { short -> CppRecordBatch.unchecked(schema, 2, listOf(long, short)) }
                        }
                    torn.use {
                        val sending =
                            Sending { CppAsyncWriter.export(schema, of(torn, torn), CPU, consumer.handlerAddress) }
                        consumer.rest().failureThenRelease().message shouldContain "Mismatching child array lengths"
                        failure.join().errno shouldBe 0
                        failure.join().message shouldContain "the producer returned no array"
                        sending.failure().shouldNotBeNull()
                    }
                }
            }
        }

        test("an array on another device type than the stream's is refused and released").config(enabled = loaded) {
            balanced {
                val consumer = Consumer(window = 1)
                val sending = send(consumer, listOf(1), deviceType = DeviceType.CUDA_HOST)
                consumer.awaitSchema()
                consumer.deviceType shouldBe DeviceType.CUDA_HOST
                shouldThrow<IllegalArgumentException> { consumer.takeArray() }.message shouldContain "in a stream on"
                consumer.rest() shouldContainExactly listOf(Event.End, Event.Release)
                sending.failure().shouldBeNull()
            }
        }
    })

private val loaded = ArrowCpp.whyUnavailable() == null
private const val CPU = DeviceType.CPU
private const val INVALID = 4
private const val CANCELLED = 8
private const val UNKNOWN_ERROR = 9

private fun List<Event>.failureThenRelease(): ForeignException {
    map { it::class } shouldContainExactly listOf(Event.Failure::class, Event.Release::class)
    return (first() as Event.Failure).failure.shouldBeInstanceOf<ForeignException>()
}

private fun cppColumn(vararg numbers: Long) = CppArrays.fromJson(TypeSpec.of("l"), numbers.contentToString())

private fun cppBatch(numbers: List<Long>): CppRecordBatch =
    CppArrays
        .fromJson(TypeSpec.of("+s", TypeSpec.of("l").named("number")), numbers.map { listOf(it) }.toString())
        .use(CppRecordBatch::fromStruct)

private fun cppSchema(vararg names: String): CppSchema {
    val fields = names.map { TypeSpec.of("l").named(it) }.toTypedArray()
    val type = TypeSpec.of("+s", *(fields.ifEmpty { arrayOf(TypeSpec.of("l").named("number")) }))
    return CppArrays.fromJson(type, "[]").use(CppRecordBatch::fromStruct).use { it.schema() }
}

private fun of(vararg batches: CppRecordBatch) = CppGenerator.of(batches.toList())

/** Sends what is there already, on a thread of its own: C++ blocks it until the consumer asks for more. */
private fun send(
    consumer: Consumer,
    vararg batches: List<Long>,
    deviceType: Int = CPU,
): Sending =
    Sending {
        val inCpp = batches.map(::cppBatch)
        val generator = CppGenerator.of(inCpp)
        inCpp.forEach { it.close() }
        cppSchema().use { CppAsyncWriter.export(it, generator, deviceType, consumer.handlerAddress) }
    }

private class Sending(
    start: () -> dev.arrowdevice.peers.arrowcpp.CppFuture,
) {
    private val future =
        CompletableFuture.supplyAsync(start) { task -> Thread(task, "cpp-producer").apply { isDaemon = true }.start() }

    /** Waits for the end of the thread; what C++ says to its own side. */
    fun failure(): CppException? =
        future.get(60, TimeUnit.SECONDS).use { result ->
            try {
                result.join()
                null
            } catch (e: CppException) {
                e
            }
        }
}
