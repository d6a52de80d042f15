package dev.arrowdevice.peers.async

import dev.arrowdevice.DeviceType
import dev.arrowdevice.ForeignException
import dev.arrowdevice.peers.async.Consumer.Event
import dev.arrowdevice.peers.go.GoProducer
import dev.arrowdevice.spi.Errno
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.util.concurrent.atomic.AtomicInteger

/** arrow-go as async producer of streams that we consume. */
class GoProducerTest :
    FunSpec({
        testWithGo("batches arrive in order, with their metadata, no more than were requested") {
            val consumer = Consumer()
            GoProducer.start(consumer.handlerAddress, 3, 2, false).use { producer ->
                consumer.awaitSchema().type() shouldBe Numbers.field.type()
                consumer.deviceType shouldBe DeviceType.CPU
                consumer.stream.request(1)
                consumer.takeNumbers() shouldBe listOf(0, 1)
                consumer.waiting shouldBe 0
                consumer.stream.request(2)
                (1L..2).forEach { batch ->
                    val task = consumer.takeTask()
                    task.metadata.get("batch") shouldBe batch.toString()
                    task.extract().use { Numbers.of(it) shouldBe listOf(2 * batch, 2 * batch + 1) }
                }
                // It looks for the end only while it owes us a batch.
                consumer.waiting shouldBe 0
                consumer.stream.request(1)
                consumer.rest() shouldContainExactly listOf(Event.End, Event.Release)
                producer.failure().shouldBeNull()
            }
        }

        testWithGo("a failure between batches has Go's text") {
            val consumer = Consumer(window = 3)
            GoProducer.start(consumer.handlerAddress, 2, 1, true).use {
                consumer.takeNumbers() shouldBe listOf(0)
                consumer.takeNumbers() shouldBe listOf(1)
                val (failure, release) = consumer.rest()
                failure.foreign().message shouldContain "the gopher is gone"
                failure.foreign().errno shouldBe Errno.EINVAL
                release shouldBe Event.Release
            }
        }

        testWithGo("a failure in place of the schema is reported") {
            val consumer = Consumer()
            GoProducer.startWithoutSchema(consumer.handlerAddress).use {
                val (failure, release) = consumer.rest()
                failure.foreign().message shouldContain "non-nil schema"
                release shouldBe Event.Release
                consumer.schema.isDone shouldBe false
            }
        }

        // Always from within a callback: at a cancel from elsewhere arrow-go may close a channel twice and end the process.
        testWithGo("a cancel makes Go release, without an end and without an error") {
            val consumer = Consumer(window = 5)
            consumer.onTask = { consumer.stream.cancel() }
            GoProducer.start(consumer.handlerAddress, 1_000_000, 1, false).use { producer ->
                consumer.takeNumbers() shouldBe listOf(0)
                consumer.rest() shouldContainExactly listOf(Event.Release)
                // Go has freed its producer by now.
                consumer.stream.cancel()
                consumer.stream.request(1)
                producer.failure().shouldBeNull()
            }
        }

        testWithGo("tasks stay valid after release") {
            val consumer = Consumer(window = 4)
            GoProducer.start(consumer.handlerAddress, 3, 1, false).use { it.failure().shouldBeNull() }
            consumer.stream.isReleased shouldBe true
            val numbers = List(3) { consumer.takeTask() }.reversed().flatMap { it.extract().use(Numbers::of) }
            numbers shouldBe listOf(2, 1, 0)
            consumer.rest() shouldContainExactly listOf(Event.End, Event.Release)
        }

        testWithGo(
            "tasks are discarded by extraction by default, because Go writes to a NULL",
        ) {
            val consumer = Consumer(window = 4)
            GoProducer.start(consumer.handlerAddress, 3, 1, false).use { it.failure().shouldBeNull() }
            repeat(3) { consumer.takeTask().discard() }
        }

        testWithGo("a cancel at any task discards the later ones") {
            repeat(200) { round ->
                val consumer = Consumer(window = 1_000)
                val tasks = AtomicInteger()
                consumer.onTask = { if (tasks.incrementAndGet() == 1 + round % 10) consumer.stream.cancel() }
                GoProducer.start(consumer.handlerAddress, 1_000, 1, false).use { producer ->
                    consumer.rest().filterIsInstance<Event.Task>().forEach { it.task.discard() }
                    tasks.get() shouldBe 1 + round % 10
                    producer.failure().shouldBeNull()
                }
            }
        }

        testWithGo("a refused schema is reported to the listener and to Go") {
            val consumer = Consumer(refuse = "on_schema")
            GoProducer.start(consumer.handlerAddress, 1, 1, false).use { producer ->
                val (refusal, release) = consumer.rest()
                refusal.shouldBeInstanceOf<Event.Failure>().failure.message shouldBe "this schema is not wanted"
                release shouldBe Event.Release
                producer.failure().shouldNotBeNull().text() shouldContain "on_schema failed with status 22"
            }
        }

        testWithGo("Go frees a refused task") {
            val consumer = Consumer(window = 5, refuse = "on_next_task")
            GoProducer.start(consumer.handlerAddress, 3, 1, false).use { producer ->
                consumer.rest().size shouldBe 2
                producer.failure().shouldNotBeNull().text() shouldContain "on_next_task failed with status 22"
            }
        }

        testWithGo("requests from two threads, one for each batch, lose nothing") {
            val consumer = Consumer(window = 4)
            GoProducer.start(consumer.handlerAddress, 2_000, 1, false).use { producer ->
                val takers =
                    List(2) { taker ->
                        Thread {
                            repeat(1_000) {
                                consumer.takeArray().close()
                                consumer.stream.request(1)
                            }
                        }.apply { name = "taker $taker" }
                    }
                takers.forEach { it.start() }
                takers.forEach { it.join() }
                consumer.rest() shouldContainExactly listOf(Event.End, Event.Release)
                producer.failure().shouldBeNull()
            }
        }
    })

private fun Event.foreign(): ForeignException =
    shouldBeInstanceOf<Event.Failure>().failure.shouldBeInstanceOf<ForeignException>()
