package dev.arrowdevice.samples.duckdb

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.add
import dev.arrowdevice.deviceArray
import dev.arrowdevice.samples.EverythingReleased
import dev.arrowdevice.toDeviceArrayStream
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.math.BigDecimal
import java.time.Duration
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.util.UUID

/** Arrays of every type that DuckDB reads, built by the SDK; many of them DuckDB itself never produces. */
class DuckDbTypesTest :
    FunSpec({
        extension(EverythingReleased)

        val database = autoClose(DuckDb.openInMemory())

        /** One column `x`: [value] with a null at each third place. */
        fun column(
            type: ArrowType,
            value: Any,
        ): RecordBatch {
            val array =
                deviceArray(type) {
                    for (i in 0 until ROWS) if (i % 3 == 0L) addNull() else add(value)
                }
            return RecordBatch.of(Schema.of(Field.nullable("x", type)), listOf(array))
        }

        /** DuckDB's type of `x`, the number of rows, of values, of different values, and a value as text. */
        fun seenByDuckDb(batch: RecordBatch): List<Any?> =
            database.connect().use { duck ->
                duck.register("v", listOf(batch).toDeviceArrayStream(batch.schema)).use {
                    duck
                        .rows(
                            "SELECT typeof(any_value(x)), count(*), count(x), count(DISTINCT x), any_value(x)::VARCHAR FROM v",
                        ).single()
                }
            }

        READ_BY_DUCKDB.forEach { (type, value, duckType, text) ->
            test("$type is $duckType: $text") {
                seenByDuckDb(column(type, value)) shouldBe listOf(duckType, ROWS, ROWS * 2 / 3, 1L, text)
            }
            test("$type is $duckType in the middle of an array, too: $text") {
                val middle = column(type, value).use { it.slice(1003, 1500) }
                seenByDuckDb(middle) shouldBe listOf(duckType, 1500L, 1000L, 1L, text)
            }
        }

        listOf(ArrowType.FLOAT16 to 1.5f, ArrowType.decimal256(40, 2) to BigDecimal.ONE).forEach { (type, value) ->
            test("$type, which DuckDB does not read, is refused with its text") {
                shouldThrow<DuckDbException> { seenByDuckDb(column(type, value)) }
                    .message shouldContain "Unsupported Internal Arrow Type"
            }
        }
    })

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
