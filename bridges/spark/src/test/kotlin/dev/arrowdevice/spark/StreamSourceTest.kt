package dev.arrowdevice.spark

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.DeviceRuntime
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.apache.spark.TaskContext
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.UnaryOperator

/** Batches of numbers, and their texts: as many as the options say. */
class Numbers : StreamSource {
    override fun schema(options: Map<String, String>): Schema =
        Schema.of(Field.notNull("n", ArrowType.INT64), Field.nullable("text", ArrowType.UTF8))

    override fun partitions(options: Map<String, String>): List<String> =
        (0 until (options["partitions"] ?: "2").toInt()).map { "$it" }

    override fun open(
        partition: String,
        options: Map<String, String>,
        memory: DeviceRuntime,
    ): DeviceArrayStream {
        val rows = (options["rows"] ?: "10").toLong()
        val batches = (options["batches"] ?: "3").toInt()
        val schema = schema(options)
        opened.incrementAndGet()
        val all =
            (0 until batches).asSequence().map { i ->
                if (options["fails"] == "$i") error("the sensor is on fire")
                batch(
                    schema,
                    (partition.toLong() * batches + i) * rows,
                    rows,
                    if ("ours" in
                        options
                    ) {
                        memory
                    } else {
                        CpuRuntime.INSTANCE
                    },
                )
            }
        return DeviceArrayStream.of(schema, DeviceType.CPU, all.iterator()) { closed.incrementAndGet() }
    }

    private fun batch(
        schema: Schema,
        first: Long,
        rows: Long,
        memory: DeviceRuntime,
    ): RecordBatch =
        RecordBatchBuilder.of(schema, memory, UnaryOperator.identity()).use { builder ->
            for (i in first until first + rows) builder.appendRow(i, if (i % 7 == 3L) null else "row $i")
            builder.finish()
        }

    companion object {
        val opened = AtomicInteger()
        val closed = AtomicInteger()
    }
}

/** Says when its task waits for the second batch, and goes on when the task is killed. */
class Endless : StreamSource {
    override fun schema(options: Map<String, String>): Schema = Numbers().schema(options)

    override fun open(
        partition: String,
        options: Map<String, String>,
        memory: DeviceRuntime,
    ): DeviceArrayStream {
        val task = TaskContext.get()
        val batches =
            generateSequence(0) { it + 1 }.map { i ->
                if (i == 1) waiting.countDown()
                if (i > 0 && task.isInterrupted) ended.countDown()
                RecordBatchBuilder.of(schema(options)).use { builder ->
                    builder.appendRow(i.toLong(), null)
                    builder.finish()
                }
            }
        return DeviceArrayStream.of(schema(options), DeviceType.CPU, batches.iterator()) { closed.countDown() }
    }

    companion object {
        val waiting = CountDownLatch(1)
        val ended = CountDownLatch(1)
        val closed = CountDownLatch(1)
    }
}

class StreamSourceTest :
    FunSpec({
        fun numbers(vararg options: Pair<String, String>) = reader("class" to Numbers::class.java.name, *options).load()

        test("a class of the user's opens a stream for each partition") {
            inFolder {
                val rows = numbers("partitions" to "3").orderBy("n").rows()
                rows.map { it.getLong(0) } shouldBe (0L until 90L).toList()
                rows.map { it.getString(1) } shouldBe (0L until 90L).map { if (it % 7 == 3L) null else "row $it" }
            }
        }

        test("a limit that is reached, or a failure, closes the streams") {
            inFolder {
                val before = Numbers.opened.get() - Numbers.closed.get()
                numbers("batches" to "1000").limit(5).rows().size shouldBe 5
                val failure = shouldThrow<Exception> { numbers("fails" to "2").rows() }
                failure.messages() shouldContain "the sensor is on fire"
                Numbers.opened.get() - Numbers.closed.get() shouldBe before
            }
        }

        test("a task that is killed releases its batches and closes its stream") {
            inFolder {
                val context = spark.sparkContext()
                val query =
                    Thread {
                        context.setJobGroup("endless", "", false)
                        shouldThrow<Exception> {
                            reader(
                                "class" to Endless::class.java.name,
                            ).load().where("n < 0").rows()
                        }
                    }
                query.start()
                Endless.waiting.await(60, TimeUnit.SECONDS) shouldBe true
                context.cancelJobGroup("endless")
                Endless.closed.await(60, TimeUnit.SECONDS) shouldBe true
                query.join(60_000)
                query.isAlive shouldBe false
            }
        }

        test("a stream is closed at its end, not at that of the task") {
            inFolder {
                val options = SourceOptions(mapOf("class" to Numbers::class.java.name, "batches" to "2"))
                val partition = UserOrigin(options).let { it.partitions(Request(it.schema.names())).first() }
                val closed = Numbers.closed.get()
                DeviceReader(partition, Numbers().schema(mapOf()).toSparkSchema(), TaskMemory.of(null)).use { reader ->
                    repeat(2) { reader.next() shouldBe true }
                    Numbers.closed.get() shouldBe closed
                    repeat(2) { reader.next() shouldBe false }
                    Numbers.closed.get() shouldBe closed + 1
                }
                Numbers.closed.get() shouldBe closed + 1
            }
        }

        test("a reader that another thread closes while it waits for a batch releases that batch") {
            inFolder {
                val waiting = CountDownLatch(1)
                val goOn = CountDownLatch(1)
                val schema = Schema.of(Field.notNull("n", ArrowType.INT64))
                val partition =
                    object : StreamPartition {
                        override fun open(memory: TaskMemory): DeviceArrayStream {
                            val batches =
                                generateSequence(0L) { it + 1 }.map { n ->
                                    waiting.countDown()
                                    goOn.await()
                                    RecordBatchBuilder.of(schema).use { builder ->
                                        builder.appendRow(n)
                                        builder.finish()
                                    }
                                }
                            return DeviceArrayStream.of(schema, DeviceType.CPU, batches.iterator()) { }
                        }
                    }
                val reader = DeviceReader(partition, schema.toSparkSchema(), TaskMemory.of(null))
                val reading = Thread { reader.next() }.apply { start() }
                waiting.await(60, TimeUnit.SECONDS) shouldBe true
                val closing = Thread { reader.close() }.apply { start() }
                // The close has begun when it waits for the read.
                while (closing.isAlive && closing.state != Thread.State.BLOCKED) Thread.onSpinWait()
                goOn.countDown()
                listOf(reading, closing).forEach { it.join(60_000) }
                listOf(reading, closing).map { it.isAlive } shouldBe listOf(false, false)
            }
        }

        test("a task that needs more memory than its limit fails, and says which option to raise") {
            inFolder {
                for (memory in listOf("ours" to "1", "theirs" to "1")) {
                    val failure =
                        shouldThrow<Exception> {
                            numbers("memory.limit" to "256k", "rows" to "100000", memory).rows()
                        }
                    failure.messages() shouldContain "option memory.limit"
                    numbers("memory.limit" to "256k", "rows" to "1000", "batches" to "100", memory).count() shouldBe
                        200_000L
                }
            }
        }

        test("the limit may be the session's") {
            inFolder {
                spark.conf().set("spark.datasource.arrow-device.memory.limit", "1k")
                try {
                    shouldThrow<Exception> { numbers("rows" to "1000").rows() }.messages() shouldContain "1024 bytes"
                } finally {
                    spark.conf().unset("spark.datasource.arrow-device.memory.limit")
                }
            }
        }

        test("wrong options are named") {
            inFolder {
                shouldThrow<Exception> { reader().load() }.messages() shouldContain "one of the options driver"
                shouldThrow<Exception> { reader("class" to "a.B").load() }.messages() shouldContain
                    "a.B, which is not on the class path"
                shouldThrow<Exception> { reader("class" to "java.lang.String").load() }.messages() shouldContain
                    "does not implement"
                shouldThrow<Exception> { numbers("memory.limit" to "much").rows() }.messages() shouldContain
                    "\"much\", not a size"
                shouldThrow<Exception> { reader("path" to "/x", "driver" to "sqlite").load() }.messages() shouldContain
                    "driver and path"
            }
        }
    })
