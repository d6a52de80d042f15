package dev.arrowdevice.peers.async

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Metadata
import dev.arrowdevice.peers.arrowcpp.ArrowCpp
import dev.arrowdevice.peers.arrowcpp.CppAsyncReader
import dev.arrowdevice.peers.arrowcpp.CppException
import dev.arrowdevice.peers.arrowcpp.CppRecordBatch
import dev.arrowdevice.peers.arrowcpp.CppThreadPool
import dev.arrowdevice.peers.arrowcpp.Interface
import dev.arrowdevice.peers.arrowcpp.balanced
import dev.arrowdevice.peers.arrowcpp.toJvm
import dev.arrowdevice.spi.Errno
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/** Arrow C++ as consumer of async streams that we produce. */
class ArrowCppConsumerTest :
    FunSpec({
        test("batches arrive in order, with their metadata, as C++ requests them").config(enabled = loaded) {
            consuming(queueSize = 2) { reader ->
                val producer = Producer(reader.handlerAddress())
                producer.export.start() shouldBe true
                reader.schema().use { it.toString() shouldContain "number: int64" }
                reader.deviceType() shouldBe DeviceType.CPU
                producer.export.demand shouldBe 2
                producer.offer(1, 2, metadata = Metadata.of("part", "first")) shouldBe true
                producer.offer(3) shouldBe true
                // C++ extracts nothing before a batch is requested from it.
                producer.export.demand shouldBe 0
                producer.export.outstandingTasks shouldBe 2

                reader.next().shouldNotBeNull().run {
                    metadata() shouldContain "part: first"
                    batch().numbers() shouldBe listOf(1, 2)
                }
                reader.next().shouldNotBeNull().run {
                    metadata() shouldBe ""
                    batch().numbers() shouldBe listOf(3)
                }
                producer.awaitDemand(2)
                producer.export.outstandingTasks shouldBe 0
                producer.offer()
                reader.nextNumbers() shouldBe listOf()
                producer.export.end()
                producer.export.release()
                reader.next().shouldBeNull()
                producer.extracted.get() shouldBe 3
                producer.discarded.get() shouldBe 0
            }
        }

        test("C++ extracts and requests after our release").config(enabled = loaded) {
            consuming(queueSize = 3) { reader ->
                val producer = Producer(reader.handlerAddress())
                producer.export.start()
                (1L..3).forEach { producer.offer(it) }
                producer.export.end()
                producer.export.release()
                (1L..3).forEach { reader.nextNumbers() shouldBe listOf(it) }
                reader.next().shouldBeNull()
                // All of its requests after the release arrived, and did nothing.
                producer.export.demand shouldBe 3
            }
        }

        test("a stream without batches ends").config(enabled = loaded) {
            consuming(queueSize = 5) { reader ->
                Producer(reader.handlerAddress()).export.run {
                    start()
                    end()
                    release()
                }
                reader.next().shouldBeNull()
            }
        }

        test("a failure in place of the schema is reported with its code").config(enabled = loaded) {
            consuming { reader ->
                Producer(reader.handlerAddress()).export.run {
                    fail(ForeignException("query", Errno.ENOENT, "no such table"))
                    release()
                }
                val failure = shouldThrow<CppException> { reader.schema() }
                failure.errno() shouldBe Errno.ENOENT
                failure.message shouldContain "no such table"
            }
        }

        test(
            "a failure between batches arrives with its code; of its metadata C++ keeps one byte",
        ).config(enabled = loaded) {
            consuming(queueSize = 1) { reader ->
                val producer = Producer(reader.handlerAddress())
                producer.export.start()
                producer.offer(1)
                reader.nextNumbers() shouldBe listOf(1)
                producer.export.fail(ForeignException("read", Errno.EIO, "disk gone", Metadata.of("disk", "sda")))
                producer.export.release()
                val failure = shouldThrow<CppException> { reader.next() }
                failure.errno() shouldBe Errno.EIO
                failure.message shouldContain "disk gone"
                // It cuts them at the first zero byte, which is the second byte of the number of pairs.
                failure.metadata() shouldBe "\u0001"
            }
        }

        test("a task that fails makes C++ wait for the reason").config(enabled = loaded) {
            consuming(queueSize = 1) { reader ->
                val producer = Producer(reader.handlerAddress())
                producer.export.start()
                val reason = UnsupportedOperationException("no such codec")
                producer.offerFailing(reason)
                val failing = CompletableFuture.supplyAsync { shouldThrow<CppException> { reader.next() } }
                // C++ asks for the next one before it extracts.
                producer.awaitDemand(1)
                producer.export.fail(reason)
                producer.export.release()
                val failure = failing.get(60, TimeUnit.SECONDS)
                failure.errno() shouldBe Errno.ENOSYS
                failure.message shouldContain "no such codec"
            }
        }

        test("tasks that C++ loses when it is dropped before the end can be reclaimed").config(enabled = loaded) {
            lateinit var producer: Producer
            consuming(queueSize = 3) { reader ->
                producer = Producer(reader.handlerAddress())
                producer.export.start()
                (1L..3).forEach { producer.offer(it) }
                shouldThrow<IllegalStateException> { producer.export.reclaim() }
                producer.export.release()
                // Nobody has requested a batch from C++, so all of them are in its queue.
                producer.export.outstandingTasks shouldBe 3
                producer.export.reclaim() shouldBe 3
                producer.discarded.get() shouldBe 3
            }
            producer.export.outstandingTasks shouldBe 0
            producer.export.reclaim() shouldBe 0
        }

        test(
            "C++ refuses a schema that it can't import, and does not report the failure to us",
        ).config(enabled = loaded) {
            consuming { reader ->
                val opaque = ArrowType.extension("arrow.opaque", ArrowType.NULL, "no JSON".encodeToByteArray())
                val field = Field.notNull("", ArrowType.struct(Field.nullable("opaque", opaque)))
                Producer(reader.handlerAddress(), field).export.run {
                    start() shouldBe false
                    isOpen shouldBe false
                    shouldThrow<IllegalStateException> { end() }
                    release()
                }
                shouldThrow<CppException> { reader.schema() }.code() shouldBe INVALID
            }
        }
    })

private val loaded = ArrowCpp.whyUnavailable() == null
private const val INVALID = 4

private fun consuming(
    queueSize: Long = 5,
    body: (CppAsyncReader) -> Unit,
) = balanced {
    CppThreadPool.of(2).use { pool ->
        CppAsyncReader.create(pool, queueSize).use { reader ->
            reader.isOpen(Duration.ZERO) shouldBe false
            body(reader)
        }
        pool.awaitIdle()
    }
}

private fun CppAsyncReader.nextNumbers(): List<Long> = next().shouldNotBeNull().batch().numbers()

private fun CppRecordBatch.numbers(): List<Long> =
    use { it.toJvm(Interface.DEVICE) }.use { batch ->
        List(batch.rowCount.toInt()) { row -> batch.column(0).getLong(row.toLong()) }
    }
