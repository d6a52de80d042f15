package dev.arrowdevice.adbc.validation

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DurationType
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TimestampType
import dev.arrowdevice.adbc.IngestMode
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.ZoneOffset
import java.time.temporal.ChronoUnit

private const val TABLE = "bulk_ingest"

private val TEXTS = listOf(null, "", "", "1234", "例")

private val BYTES =
    listOf(null, byteArrayOf(), byteArrayOf(0, 1), byteArrayOf(1, 2, 3, 4), byteArrayOf(-2, -1))

/** Ingests values of each type, and reads them again. */
internal val ingestTypeCases: List<ValidationCase> =
    listOf(
        typeCase("Bool", ArrowType.BOOL, null, false, true),
        typeCase("Int8", ArrowType.INT8, null, Byte.MIN_VALUE, Byte.MAX_VALUE),
        typeCase("Int16", ArrowType.INT16, null, Short.MIN_VALUE, Short.MAX_VALUE),
        typeCase("Int32", ArrowType.INT32, null, Int.MIN_VALUE, Int.MAX_VALUE),
        typeCase("Int64", ArrowType.INT64, null, Long.MIN_VALUE, Long.MAX_VALUE),
        typeCase("UInt8", ArrowType.UINT8, null, 0, 255),
        typeCase("UInt16", ArrowType.UINT16, null, 0, 65_535),
        typeCase("UInt32", ArrowType.UINT32, null, 0L, 4_294_967_295),
        // SQLite and PostgreSQL have no greater ones.
        typeCase("UInt64", ArrowType.UINT64, null, 0L, Long.MAX_VALUE),
        typeCase("Float16", ArrowType.FLOAT16, null, -1.5f, 1.5f),
        typeCase("Float32", ArrowType.FLOAT32, null, -1.5f, 1.5f),
        typeCase("Float64", ArrowType.FLOAT64, null, -1.5, 1.5),
        typeCase("String", ArrowType.UTF8, *TEXTS.toTypedArray()),
        typeCase("LargeString", ArrowType.LARGE_UTF8, *TEXTS.toTypedArray()),
        typeCase("StringView", ArrowType.UTF8_VIEW, null, "", "", "longer than 12 bytes", "例"),
        typeCase("Binary", ArrowType.BINARY, *BYTES.toTypedArray()),
        typeCase("LargeBinary", ArrowType.LARGE_BINARY, *BYTES.toTypedArray()),
        typeCase("FixedSizeBinary", ArrowType.fixedSizeBinary(4), null, *bytesOf("abcd", "efgh", "ijkl", "mnop")),
        typeCase("BinaryView", ArrowType.BINARY_VIEW, *BYTES.toTypedArray()),
        typeCase("Date32", ArrowType.DATE32, null, LocalDate.EPOCH, LocalDate.EPOCH.plusDays(42)),
        ValidationCase("StatementTest.SqlIngestDuration") {
            TimeUnit.entries.forEach { unit ->
                val values = listOf(-42L, 0L, 42L).map { Duration.of(it, unit.chrono) }
                timeRoundTrip(ArrowType.duration(unit), values, ::ofDuration)
            }
        },
        ValidationCase("StatementTest.SqlIngestTimestamp") {
            TimeUnit.entries.forEach { unit ->
                val values = listOf(-42L, 0L, 42L).map { Instant.EPOCH.plus(it, unit.chrono).atOffset(ZoneOffset.UTC) }
                timeRoundTrip(ArrowType.timestamp(unit), values.map { it.toLocalDateTime() }, ::ofTimestamp)
            }
        },
        ValidationCase("StatementTest.SqlIngestTimestampTz") {
            for (zone in listOf("UTC", "America/Los_Angeles")) {
                TimeUnit.entries.forEach { unit ->
                    val values = listOf(-42L, 0L, 42L).map { Instant.EPOCH.plus(it, unit.chrono) }
                    timeRoundTrip(ArrowType.timestamp(unit, zone), values, ::ofTimestamp)
                }
            }
        },
        typeCase(
            "Interval",
            ArrowType.INTERVAL_MONTH_DAY_NANO,
            null,
            MonthDayNanoInterval(-5, -5, -42_000),
            MonthDayNanoInterval(0, 0, 0),
            MonthDayNanoInterval(5, 5, 42_000),
        ),
        typeCase("StringDictionary", ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8), "", "", "1234", "例"),
        typeCase("ListOfInt32", ArrowType.list(ArrowType.INT32), null, listOf(1, 2, 3), listOf(4, 5)),
        typeCase("ListOfString", ArrowType.list(ArrowType.UTF8), null, listOf("abc", "defg"), listOf("hijk")),
    )

private fun bytesOf(vararg texts: String): Array<ByteArray> = texts.map { it.toByteArray() }.toTypedArray()

private fun typeCase(
    name: String,
    type: ArrowType,
    vararg values: Any?,
) = ValidationCase("StatementTest.SqlIngest$name") {
    val found = roundTrip(type, values.toList())
    // As text, because drivers add metadata to the elements of lists.
    val selected = found.types.single().toString()
    selected shouldBe subject.selected(type).toString()
    // A text for a date would be the database's own.
    if (selected == "$type" || values.all { it == null || plain(it) is Number }) {
        found.column() shouldBe values.map(::plain)
    }
}

private fun CaseRun.roundTrip(
    type: ArrowType,
    values: List<Any?>,
): Rows {
    drop(TABLE)
    ingest(TABLE, IngestMode.CREATE, Values("col", type, values))
    return rows("SELECT * FROM $TABLE ORDER BY col ASC NULLS FIRST").also { it.names shouldBe listOf("col") }
}

/** Times may lose what is less than a microsecond. */
private fun CaseRun.timeRoundTrip(
    type: ArrowType,
    values: List<Any>,
    microseconds: (Any?) -> Long?,
) = withClue("$type") {
    val found = roundTrip(type, listOf(null) + values)
    found.column().map(microseconds) shouldBe listOf(null) + values.map(microseconds)
    found.types.single().javaClass shouldBe subject.selected(type).javaClass
}

private fun ofDuration(value: Any?): Long? =
    when (value) {
        null -> null
        is Duration -> value.toNanos() / 1000
        is MonthDayNanoInterval -> value.nanoseconds() / 1000
        else -> error("$value is no duration")
    }

private fun ofTimestamp(value: Any?): Long? =
    when (value) {
        null -> null
        is Instant -> (value.epochSecond * 1_000_000_000 + value.nano) / 1000
        is LocalDateTime -> ofTimestamp(value.toInstant(ZoneOffset.UTC))
        is String -> ofTimestamp(LocalDateTime.parse(value))
        else -> error("$value is no time")
    }

private val TimeUnit.chrono: ChronoUnit
    get() =
        when (this) {
            TimeUnit.SECOND -> ChronoUnit.SECONDS
            TimeUnit.MILLISECOND -> ChronoUnit.MILLIS
            TimeUnit.MICROSECOND -> ChronoUnit.MICROS
            TimeUnit.NANOSECOND -> ChronoUnit.NANOS
        }

/** Whether a type is a time of any unit. */
internal fun ArrowType.isTimestamp(): Boolean = this is TimestampType

/** Whether a type is a duration of any unit. */
internal fun ArrowType.isDuration(): Boolean = this is DurationType
