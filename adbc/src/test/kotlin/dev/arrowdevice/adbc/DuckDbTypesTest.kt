package dev.arrowdevice.adbc

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.Validation
import dev.arrowdevice.add
import dev.arrowdevice.asSequence
import dev.arrowdevice.deviceArray
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.math.BigDecimal
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.util.UUID

/**
 * DuckDB as a foreign producer of all its types, and as a foreign consumer of arrays of every type that it reads, many of
 * which it never produces itself.
 */
class DuckDbTypesTest :
    FunSpec({
        fun connected(block: (AdbcConnection, other: AdbcConnection) -> Unit) =
            ReleaseBalance.start().use {
                adbc("duckdb").use { database ->
                    database.connect().use { connection -> database.connect().use { block(connection, it) } }
                }
            }

        context("DuckDB's values are read with their types:") {
            VALUES.forEach { (sql, expected) ->
                test(sql) {
                    connected { duck, _ ->
                        duck.rows("SELECT $sql AS x UNION ALL SELECT NULL") shouldBe
                            listOf(listOf(expected), listOf(null))
                    }
                }
            }
        }

        context("values are unchanged after a way through Kotlin back to DuckDB:") {
            VALUES.keys.forEach { sql ->
                test(sql) {
                    val rows = "SELECT range AS i, CASE WHEN range % 3 > 0 THEN $sql END AS x FROM range(5000)"
                    connected { duck, other ->
                        duck.ingest(IngestTarget.table("whole", IngestMode.CREATE), other.executeQuery(rows))
                        duck.differences("whole", rows) shouldBe 0
                        // The middle of an array has offsets at every level.
                        other.executeQuery(rows).use { result ->
                            result.nextBatch()!!.use { batch ->
                                batch.slice(1003, 1000).use { middle ->
                                    duck.ingest(IngestTarget.table("middle", IngestMode.CREATE), middle)
                                }
                            }
                        }
                        duck.differences("middle", "SELECT * FROM ($rows) WHERE i BETWEEN 1003 AND 2002") shouldBe 0
                    }
                }
            }
        }

        /** One column `x`: [value] with a null at each third place. */
        fun column(
            type: ArrowType,
            value: Any,
        ): RecordBatch {
            val array = deviceArray(type) { for (i in 0 until ROWS) if (i % 3 == 0L) addNull() else add(value) }
            return RecordBatch.of(Schema.of(Field.nullable("x", type)), listOf(array))
        }

        /** DuckDB's type of `x`, the number of rows, of values, of different values, and a value as text. */
        fun AdbcConnection.seen(batch: RecordBatch): List<Any?> {
            batch.use { ingest(IngestTarget.table("v", IngestMode.REPLACE), it) }
            return rows(
                "SELECT typeof(any_value(x)), count(*), count(x), count(DISTINCT x), any_value(x)::VARCHAR FROM v",
            ).single()
        }

        READ_BY_DUCKDB.forEach { (type, value, duckType, text) ->
            test("$type is $duckType, in the middle of an array too: $text") {
                connected { duck, _ ->
                    duck.seen(column(type, value)) shouldBe listOf(duckType, ROWS, ROWS * 2 / 3, 1L, text)
                    duck.seen(column(type, value).use { it.slice(1003, 1500) }) shouldBe
                        listOf(duckType, 1500L, 1000L, 1L, text)
                }
            }
        }
    })

private fun AdbcConnection.rows(sql: String): List<List<Any?>> =
    createStatement().use { statement ->
        statement.setSqlQuery(sql)
        statement.executeQuery(Validation.FULL).use { result ->
            result
                .asSequence()
                .flatMap { batch ->
                    (0 until batch.rowCount).map { row -> List(batch.columnCount) { batch.column(it).getObject(row) } }
                }.toList()
        }
    }

/** How many rows are in the table or in the result of [sql], but not in the other. */
private fun AdbcConnection.differences(
    table: String,
    sql: String,
): Long =
    rows(
        "SELECT count(*) FROM ((FROM $table EXCEPT ALL ($sql)) UNION ALL (($sql) EXCEPT ALL FROM $table))",
    ).single().single() as Long

private const val ROWS = 6000L

private const val LONG_TEXT = "a text of more than twelve bytes"

private data class ReadByDuckDb(
    val type: ArrowType,
    val value: Any,
    val duckType: String,
    val text: String,
)

private val READ_BY_DUCKDB =
    listOf(
        ReadByDuckDb(ArrowType.BOOL, true, "BOOLEAN", "true"),
        ReadByDuckDb(ArrowType.INT8, -1, "TINYINT", "-1"),
        ReadByDuckDb(ArrowType.UINT16, 60_000, "USMALLINT", "60000"),
        ReadByDuckDb(ArrowType.INT64, Long.MIN_VALUE, "BIGINT", "-9223372036854775808"),
        ReadByDuckDb(ArrowType.FLOAT32, 1.5f, "FLOAT", "1.5"),
        ReadByDuckDb(ArrowType.FLOAT64, 1e100, "DOUBLE", "1e+100"),
        ReadByDuckDb(ArrowType.decimal32(9, 2), BigDecimal("-1.25"), "DECIMAL(9,2)", "-1.25"),
        ReadByDuckDb(ArrowType.decimal64(18, 2), BigDecimal("-1.25"), "DECIMAL(18,2)", "-1.25"),
        ReadByDuckDb(ArrowType.decimal128(4, 2), BigDecimal("-1.25"), "DECIMAL(4,2)", "-1.25"),
        ReadByDuckDb(ArrowType.decimal128(38, 2), BigDecimal("-1.25"), "DECIMAL(38,2)", "-1.25"),
        ReadByDuckDb(ArrowType.UTF8, LONG_TEXT, "VARCHAR", LONG_TEXT),
        ReadByDuckDb(ArrowType.LARGE_UTF8, LONG_TEXT, "VARCHAR", LONG_TEXT),
        ReadByDuckDb(ArrowType.UTF8_VIEW, "short", "VARCHAR", "short"),
        ReadByDuckDb(ArrowType.UTF8_VIEW, LONG_TEXT, "VARCHAR", LONG_TEXT),
        ReadByDuckDb(ArrowType.BINARY, byteArrayOf(1, -1), "BLOB", "\\x01\\xFF"),
        ReadByDuckDb(ArrowType.LARGE_BINARY, byteArrayOf(1, -1), "BLOB", "\\x01\\xFF"),
        ReadByDuckDb(ArrowType.BINARY_VIEW, byteArrayOf(1, -1), "BLOB", "\\x01\\xFF"),
        ReadByDuckDb(ArrowType.fixedSizeBinary(2), byteArrayOf(1, -1), "BLOB", "\\x01\\xFF"),
        ReadByDuckDb(ArrowType.DATE32, LocalDate.of(2013, 7, 4), "DATE", "2013-07-04"),
        ReadByDuckDb(ArrowType.DATE64, LocalDate.of(2013, 7, 4), "DATE", "2013-07-04"),
        ReadByDuckDb(ArrowType.time32(TimeUnit.SECOND), LocalTime.of(1, 2, 3), "TIME", "01:02:03"),
        ReadByDuckDb(ArrowType.time32(TimeUnit.MILLISECOND), LocalTime.of(1, 2, 3), "TIME", "01:02:03"),
        ReadByDuckDb(ArrowType.time64(TimeUnit.MICROSECOND), LocalTime.of(1, 2, 3), "TIME", "01:02:03"),
        ReadByDuckDb(ArrowType.time64(TimeUnit.NANOSECOND), LocalTime.of(1, 2, 3), "TIME_NS", "01:02:03"),
        ReadByDuckDb(
            ArrowType.timestamp(TimeUnit.SECOND),
            LocalDateTime.of(2013, 7, 4, 1, 2, 3),
            "TIMESTAMP_S",
            "2013-07-04 01:02:03",
        ),
        ReadByDuckDb(
            ArrowType.timestamp(TimeUnit.NANOSECOND),
            LocalDateTime.of(2013, 7, 4, 1, 2, 3, 4),
            "TIMESTAMP_NS",
            "2013-07-04 01:02:03.000000004",
        ),
        ReadByDuckDb(ArrowType.duration(TimeUnit.MILLISECOND), Duration.ofSeconds(5), "INTERVAL", "00:00:05"),
        ReadByDuckDb(ArrowType.INTERVAL_MONTHS, Period.ofMonths(3), "INTERVAL", "3 months"),
        ReadByDuckDb(ArrowType.list(ArrowType.INT32), listOf(1, null), "INTEGER[]", "[1, NULL]"),
        ReadByDuckDb(ArrowType.largeList(ArrowType.UTF8), listOf(LONG_TEXT), "VARCHAR[]", "[$LONG_TEXT]"),
        ReadByDuckDb(ArrowType.listView(ArrowType.INT32), listOf(1, null), "INTEGER[]", "[1, NULL]"),
        ReadByDuckDb(ArrowType.largeListView(ArrowType.INT32), listOf(1, null), "INTEGER[]", "[1, NULL]"),
        ReadByDuckDb(ArrowType.fixedSizeList(ArrowType.INT32, 2), listOf(1, null), "INTEGER[2]", "[1, NULL]"),
        ReadByDuckDb(
            ArrowType.struct(Field.nullable("a", ArrowType.INT32), Field.nullable("b", ArrowType.list(ArrowType.UTF8))),
            listOf(1, listOf("x", null)),
            "STRUCT(a INTEGER, b VARCHAR[])",
            "{'a': 1, 'b': [x, NULL]}",
        ),
        ReadByDuckDb(ArrowType.map(ArrowType.UTF8, ArrowType.INT32), mapOf("k" to 1), "MAP(VARCHAR, INTEGER)", "{k=1}"),
        ReadByDuckDb(ArrowType.dictionary(ArrowType.UINT8, ArrowType.UTF8, false), LONG_TEXT, "VARCHAR", LONG_TEXT),
        ReadByDuckDb(ArrowType.runEndEncoded(ArrowType.INT32, ArrowType.UTF8), LONG_TEXT, "VARCHAR", LONG_TEXT),
        ReadByDuckDb(ArrowType.uuid(), UUID(1, 2), "UUID", "00000000-0000-0001-0000-000000000002"),
        ReadByDuckDb(ArrowType.bool8(), true, "BOOLEAN", "true"),
        ReadByDuckDb(ArrowType.json(), "{\"a\":1}", "JSON", "{\"a\":1}"),
    )

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
