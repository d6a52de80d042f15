package dev.arrowdevice.samples.duckdb

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.forEachBatch
import dev.arrowdevice.samples.EverythingReleased
import dev.arrowdevice.toDeviceArray
import dev.arrowdevice.toDeviceArrayStream
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.math.BigDecimal
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.util.concurrent.Callable
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors

/** DuckDB and the SDK exchange streams, in both directions, with good and with bad ends. */
class DuckDbExchangeTest :
    FunSpec({
        extension(EverythingReleased)

        val database = autoClose(DuckDb.openInMemory())

        fun connected(use: (DuckDbConnection) -> Unit) = database.connect().use(use)

        fun endless(onBatch: () -> Unit = {}) = Endless(database, onBatch)

        /** The result of [sql] comes to Kotlin, and goes back as the view `v` of another connection. */
        fun there(
            sql: String,
            change: (RecordBatch) -> RecordBatch = { it },
            use: (DuckDbConnection) -> Unit,
        ) = connected { producer ->
            connected { consumer ->
                consumer.register("v", producer.stream(sql).map(change)).use { use(consumer) }
            }
        }

        context("DuckDB's values are read with their types:") {
            VALUES.forEach { (sql, expected) ->
                test(sql) {
                    connected {
                        it.rows("SELECT $sql AS x UNION ALL SELECT NULL") shouldBe
                            listOf(listOf(expected), listOf(null))
                    }
                }
            }
        }

        context("values are unchanged after a way through Kotlin back to DuckDB:") {
            VALUES.keys.forEach { sql ->
                test(sql) {
                    val rows = "SELECT range AS i, CASE WHEN range % 3 > 0 THEN $sql END AS x FROM range(5000)"
                    there(rows) { it.differences(rows) shouldBe 0 }
                    // The same rows, but the middle of an array: offsets at every level.
                    there(rows, { batch -> batch.use { it.slice(1003, 2050) } }) {
                        it.differences("FROM ($rows) WHERE i BETWEEN 1003 AND 3052") shouldBe 0
                    }
                }
            }
        }

        test("a result of many batches is complete, and an array outlives stream, connection and database") {
            var kept: RecordBatch? = null
            DuckDb.openInMemory().use { other ->
                other.connect().use { connection ->
                    connection.stream("SELECT range AS i FROM range(1000000)").use { stream ->
                        val lengths = mutableListOf<Long>()
                        stream.forEachBatch { batch ->
                            lengths += batch.rowCount
                            if (lengths.size == 3) kept = batch.share()
                        }
                        lengths shouldContainExactly List(7) { 131_072L } + 82_496L
                        stream.nextBatch() shouldBe null
                    }
                }
            }
            kept.shouldNotBeNull().use { it.column("i").getLong(131_071) shouldBe 3 * 131_072L - 1 }
        }

        test("DuckDB reads Kotlin's memory without a copy: it finds a value that is changed later") {
            val rows = 3_000_000
            LongArray(rows) { it.toLong() }.toDeviceArray().use { array ->
                val batch = RecordBatch.of(Schema.of(Field.notNull("i", ArrowType.INT64)), listOf(array.share()))
                connected { duck ->
                    duck.register("v", listOf(batch).toDeviceArrayStream(batch.schema)).use {
                        duck.stream("FROM v").use { stream ->
                            stream.nextBatch().shouldNotBeNull().use { it.column("i").getLong(0) shouldBe 0 }
                            array
                                .data
                                .buffer(1)
                                .shouldNotBeNull()
                                .memory()
                                .putLong((rows - 1) * 8L, -1)
                            var last = 0L
                            stream.forEachBatch { last = it.column("i").getLong(it.rowCount - 1) }
                            last shouldBe -1
                        }
                    }
                }
            }
        }

        test("an empty result has a schema and no batch, and an empty stream is an empty view") {
            connected { connection ->
                connection.stream("SELECT 1 AS a, 'x' AS b WHERE false").use { stream ->
                    stream.schema.fields().map { it.name() } shouldBe listOf("a", "b")
                    stream.nextBatch() shouldBe null
                }
            }
            there("SELECT 1 AS a, 'x' AS b WHERE false") { it.rows("FROM v").shouldBeEmpty() }
        }

        test("a statement that DuckDB refuses throws and leaves nothing behind") {
            connected { shouldThrow<DuckDbException> { it.stream("SELECT nope") }.message shouldContain "nope" }
        }

        test("an error in the middle of a result is an exception with DuckDB's text") {
            connected { connection ->
                connection
                    .stream(
                        "SELECT CASE WHEN range = 500000 THEN error('row 500000') ELSE range END FROM range(1000000)",
                    ).use {
                        val failure = shouldThrow<ForeignException> { it.forEachBatch { } }
                        failure.message shouldContain "row 500000"
                        failure.message shouldContain "EIO"
                    }
            }
        }

        test("a producer that fails at once or later fails the statement with its own text") {
            listOf(0, 3).forEach { good ->
                connected { producer ->
                    connected { consumer ->
                        val source = producer.stream("SELECT range AS i FROM range(1000000)")
                        var asked = 0
                        val failing =
                            source.map { batch ->
                                if (asked++ <
                                    good
                                ) {
                                    batch
                                } else {
                                    batch.use { throw IllegalStateException("the tape broke at $good") }
                                }
                            }
                        consumer.register("v", failing).use {
                            shouldThrow<DuckDbException> { consumer.execute("CREATE TABLE never AS FROM v") }
                                .message shouldContain "the tape broke at $good"
                        }
                    }
                }
            }
        }

        test("a registered stream that is never read is released, with its batches") {
            connected { producer ->
                connected { consumer ->
                    val batches =
                        producer.stream("SELECT range AS i FROM range(300000)").use { stream ->
                            generateSequence { stream.nextBatch() }.toList()
                        }
                    consumer.register("v", DeviceArrayStream.of(batches[0].schema, batches)).close()
                    shouldThrow<DuckDbException> { consumer.execute("FROM v") }
                }
            }
        }

        test("a name in use is refused, and the new stream is released") {
            connected { producer ->
                connected { consumer ->
                    consumer.execute("CREATE TEMP TABLE taken (i INTEGER)")
                    shouldThrow<DuckDbException> { consumer.register("taken", producer.stream("SELECT 1")) }
                        .message shouldContain "taken"
                }
            }
        }

        test("a statement that needs only the first rows releases the rest of the stream unread") {
            connected { consumer ->
                val endless = endless()
                consumer.register("v", endless.stream).use {
                    consumer.rows("FROM v LIMIT 3") shouldBe listOf(listOf(0L), listOf(1L), listOf(2L))
                }
                endless.closed shouldBe true
            }
        }

        test("a result that is closed early ends the statement and the stream that it scans") {
            connected { consumer ->
                val endless = endless()
                val registration = consumer.register("v", endless.stream)
                consumer.stream("FROM v").use { it.nextBatch().shouldNotBeNull().close() }
                endless.closed shouldBe true
                registration.close()
                consumer.value("SELECT 1") shouldBe 1
            }
        }

        test("a registration that is closed in the middle of a scan lets the statement finish") {
            connected { producer ->
                connected { consumer ->
                    val source = producer.stream("SELECT range AS i FROM range(1000000)")
                    val registration = consumer.register("v", source)
                    consumer.stream("FROM v").use { stream ->
                        var rows = 0L
                        stream.forEachBatch { batch ->
                            registration.close()
                            rows += batch.rowCount
                        }
                        rows shouldBe 1_000_000
                    }
                }
            }
        }

        test("an interrupted statement fails with DuckDB's text, and all batches that it had read are released") {
            connected { consumer ->
                val pulling = CountDownLatch(3)
                val endless = endless { pulling.countDown() }
                consumer.register("v", endless.stream).use {
                    val interrupter =
                        Thread.ofPlatform().start {
                            pulling.await()
                            consumer.interrupt()
                        }
                    consumer.stream("SELECT sum(i) FROM v").use { stream ->
                        shouldThrow<ForeignException> { stream.nextBatch() }.message shouldContain "INTERRUPT"
                    }
                    interrupter.join()
                }
                endless.closed shouldBe true
                consumer.value("SELECT 1") shouldBe 1
            }
        }

        test("closing the connection does not wait for a registered stream, and releases it with the registration") {
            val consumer = database.connect()
            val endless = endless()
            val registration = consumer.register("v", endless.stream)
            consumer.close()
            registration.close()
            endless.closed shouldBe true
        }

        test("connections on many threads exchange at once") {
            val threads = Executors.newFixedThreadPool(8)
            val sums =
                threads.invokeAll(
                    List(32) { n ->
                        Callable {
                            var sum = 0L
                            there("SELECT range + $n AS i FROM range(200000)") {
                                sum =
                                    it.value("SELECT sum(i)::BIGINT FROM v") as Long
                            }
                            sum
                        }
                    },
                )
            threads.shutdown()
            sums.forEachIndexed { n, sum -> withClue("thread $n") { sum.get() shouldBe 19_999_900_000 + 200_000L * n } }
        }
    })

/** SQL values, and what they are in Kotlin. */
private val VALUES: Map<String, Any> =
    mapOf(
        "true" to true,
        "(-1)::TINYINT" to (-1).toByte(),
        "(-300)::SMALLINT" to (-300).toShort(),
        "70000" to 70_000,
        "5000000000" to 5_000_000_000L,
        "200::UTINYINT" to 200.toShort(),
        "60000::USMALLINT" to 60_000,
        "4000000000::UINTEGER" to 4_000_000_000L,
        "18446744073709551615::UBIGINT" to "18446744073709551615".toBigInteger(),
        "1.5::FLOAT" to 1.5f,
        "1e100::DOUBLE" to 1e100,
        "1.25::DECIMAL(4, 2)" to BigDecimal("1.25"),
        "(-12345678.901)::DECIMAL(18, 3)" to BigDecimal("-12345678.901"),
        "12345678901234567890123456.789::DECIMAL(38, 3)" to BigDecimal("12345678901234567890123456.789"),
        "'short'" to "short",
        "'a text of more than twelve bytes: größer'" to "a text of more than twelve bytes: größer",
        "''" to "",
        "DATE '2013-07-04'" to LocalDate.of(2013, 7, 4),
        "TIME '23:59:59.000001'" to LocalTime.of(23, 59, 59, 1_000),
        "TIMESTAMP '2013-07-04 12:34:56.789012'" to LocalDateTime.of(2013, 7, 4, 12, 34, 56, 789_012_000),
        "TIMESTAMP_NS '2013-07-04 12:34:56.789012345'" to LocalDateTime.of(2013, 7, 4, 12, 34, 56, 789_012_345),
        "TIMESTAMP_S '2013-07-04 12:34:56'" to LocalDateTime.of(2013, 7, 4, 12, 34, 56),
        "TIMESTAMPTZ '2013-07-04 12:34:56+00'" to Instant.parse("2013-07-04T12:34:56Z"),
        "INTERVAL '2 months 3 days 4 seconds'" to MonthDayNanoInterval(2, 3, 4_000_000_000),
        "[1, NULL, 3]" to listOf(1, null, 3),
        "[]::INTEGER[]" to emptyList<Int>(),
        "[['deep', NULL], NULL, ['nested and more than twelve']]" to
            listOf(listOf("deep", null), null, listOf("nested and more than twelve")),
        "[1.5, 2.5, NULL]::DOUBLE[3]" to listOf(1.5, 2.5, null),
        "{'name': 'Ada', 'born': 1815, 'tags': ['x']}" to mapOf("name" to "Ada", "born" to 1815, "tags" to listOf("x")),
        "MAP {'one': 1, 'two': NULL}" to listOf(mapEntry("one", 1), mapEntry("two", null)),
        "'sad'::ENUM('happy', 'sad')" to "sad",
    )

private fun mapEntry(
    key: String,
    value: Int?,
): Map.Entry<String, Int?> = java.util.AbstractMap.SimpleImmutableEntry(key, value)

/** How many rows are in the view `v` or in the result of [sql], but not in the other. */
private fun DuckDbConnection.differences(sql: String): Long {
    execute("CREATE OR REPLACE TEMP TABLE got AS FROM v; CREATE OR REPLACE TEMP TABLE expected AS $sql")
    return value(
        "SELECT count(*) FROM ((FROM got EXCEPT ALL FROM expected) UNION ALL (FROM expected EXCEPT ALL FROM got))",
    ) as Long
}

private fun DeviceArrayStream.map(change: (RecordBatch) -> RecordBatch): DeviceArrayStream {
    val source = this
    val batches = generateSequence { source.nextBatch() }.map(change).iterator()
    return DeviceArrayStream.of(source.schema, source.deviceType, batches) { source.close() }
}

/** A stream of the numbers from 0 that has no end to speak of, on a connection of its own. */
private class Endless(
    database: DuckDb,
    onBatch: () -> Unit,
) {
    private val connection = database.connect()
    private val source = connection.stream("SELECT range AS i FROM range(1000000000000)")

    /** Whether the stream's new owner has closed it. */
    var closed = false
        private set

    val stream: DeviceArrayStream =
        DeviceArrayStream.of(
            source.schema,
            source.deviceType,
            generateSequence { source.nextBatch() }.onEach { onBatch() }.iterator(),
        ) {
            closed = true
            source.close()
            connection.close()
        }
}
