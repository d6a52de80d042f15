package dev.arrowdevice.builder

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.Field
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.TimeUnit
import java.math.BigDecimal
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.util.UUID

/** A type and values of it, as a reader gives them back. */
class TypeSample(
    val type: ArrowType,
    vararg val values: Any?,
) {
    /** The values, one of them null, often enough that slices at any offset have some of each. */
    val manyValues: List<Any?> get() = List(23) { values[it % values.size] }
}

private fun bytes(vararg bytes: Int) = ByteArray(bytes.size) { bytes[it].toByte() }

private val uuid = UUID.fromString("01234567-89ab-cdef-8123-456789abcdef")

private fun dec(text: String) = BigDecimal(text)

private val person = ArrowType.struct(Field.nullable("name", ArrowType.UTF8), Field.notNull("age", ArrowType.UINT8))

private val flat =
    listOf(
        TypeSample(ArrowType.BOOL, true, null, false, true),
        TypeSample(ArrowType.INT8, Byte.MIN_VALUE, null, Byte.MAX_VALUE),
        TypeSample(ArrowType.UINT8, 0.toShort(), null, 255.toShort()),
        TypeSample(ArrowType.INT16, Short.MIN_VALUE, null, Short.MAX_VALUE),
        TypeSample(ArrowType.UINT16, 0, null, 65535),
        TypeSample(ArrowType.INT32, Int.MIN_VALUE, null, Int.MAX_VALUE),
        TypeSample(ArrowType.UINT32, 0L, null, 4294967295L),
        TypeSample(ArrowType.INT64, Long.MIN_VALUE, null, Long.MAX_VALUE),
        TypeSample(ArrowType.UINT64, BigInteger.ZERO, null, BigInteger("18446744073709551615")),
        TypeSample(ArrowType.FLOAT16, 0.5f, null, -65504f, Float.POSITIVE_INFINITY, Float.NaN),
        TypeSample(ArrowType.FLOAT32, 0.1f, null, -Float.MAX_VALUE, Float.NaN),
        TypeSample(ArrowType.FLOAT64, 0.1, null, Double.MIN_VALUE, Double.NEGATIVE_INFINITY),
        TypeSample(ArrowType.decimal32(9, 2), dec("-9999999.99"), null, dec("0.01")),
        TypeSample(ArrowType.decimal64(18, 0), dec("-999999999999999999"), null, dec("1")),
        TypeSample(ArrowType.decimal128(38, 4), dec("-9".padEnd(35, '9') + ".9999"), null, dec("1.0000")),
        TypeSample(ArrowType.decimal256(76, -2), dec("-9".padEnd(77, '9') + "E+2"), null, dec("7E+2")),
        TypeSample(ArrowType.UTF8, "", null, "Ada", "Grüße, 世界 \uD83D\uDE80"),
        TypeSample(ArrowType.LARGE_UTF8, "", null, "Ada", "é".repeat(300)),
        TypeSample(ArrowType.UTF8_VIEW, "", null, "twelve bytes", "thirteen byte", "long ".repeat(900)),
        TypeSample(ArrowType.BINARY, bytes(), null, bytes(0, 255)),
        TypeSample(ArrowType.LARGE_BINARY, bytes(1), null, ByteArray(300) { it.toByte() }),
        TypeSample(ArrowType.BINARY_VIEW, bytes(1), null, ByteArray(13) { it.toByte() }),
        TypeSample(ArrowType.fixedSizeBinary(3), bytes(1, 2, 3), null, bytes(0, 0, 255)),
        TypeSample(ArrowType.fixedSizeBinary(0), bytes(), null, bytes()),
        TypeSample(ArrowType.DATE32, LocalDate.of(1969, 12, 31), null, LocalDate.of(9999, 12, 31)),
        TypeSample(ArrowType.DATE64, LocalDate.of(1969, 12, 31), null, LocalDate.of(2024, 2, 29)),
        TypeSample(ArrowType.time32(TimeUnit.SECOND), LocalTime.of(23, 59, 59), null, LocalTime.MIDNIGHT),
        TypeSample(ArrowType.time32(TimeUnit.MILLISECOND), LocalTime.ofNanoOfDay(1_000_000), null),
        TypeSample(ArrowType.time64(TimeUnit.MICROSECOND), LocalTime.ofNanoOfDay(1_000), null),
        TypeSample(ArrowType.time64(TimeUnit.NANOSECOND), LocalTime.MAX, null, LocalTime.MIN),
        TypeSample(ArrowType.timestamp(TimeUnit.SECOND), LocalDateTime.of(1, 1, 1, 0, 0), null),
        TypeSample(ArrowType.timestamp(TimeUnit.MILLISECOND), LocalDateTime.of(2024, 5, 6, 7, 8, 9, 10_000_000), null),
        TypeSample(ArrowType.timestamp(TimeUnit.MICROSECOND, "UTC"), Instant.ofEpochSecond(-1, 1000), null),
        TypeSample(
            ArrowType.timestamp(TimeUnit.NANOSECOND, "Europe/Berlin"),
            Instant.ofEpochSecond(0, Long.MIN_VALUE),
            null,
            Instant.ofEpochSecond(0, Long.MAX_VALUE),
        ),
        TypeSample(ArrowType.duration(TimeUnit.SECOND), Duration.ofSeconds(Long.MIN_VALUE), null, Duration.ZERO),
        TypeSample(
            ArrowType.duration(TimeUnit.NANOSECOND),
            Duration.ofNanos(Long.MIN_VALUE),
            null,
            Duration.ofNanos(1),
        ),
        TypeSample(ArrowType.INTERVAL_MONTHS, Period.ofMonths(-14), null, Period.ofMonths(Int.MAX_VALUE)),
        TypeSample(ArrowType.INTERVAL_DAY_TIME, DayTimeInterval(-1, 2), null, DayTimeInterval(3, Int.MIN_VALUE)),
        TypeSample(ArrowType.INTERVAL_MONTH_DAY_NANO, MonthDayNanoInterval(-1, 2, Long.MIN_VALUE), null),
        TypeSample(ArrowType.NULL, null, null),
        TypeSample(ArrowType.uuid(), uuid, null, UUID(0, -1)),
        TypeSample(ArrowType.bool8(), true, null, false),
        TypeSample(ArrowType.json(), """{"a":1}""", null, "[]"),
        TypeSample(ArrowType.extension("acme.money", ArrowType.INT64, "EUR".toByteArray()), 5L, null, -5L),
    )

private val lists =
    listOf(
        ArrowType.list(ArrowType.INT32),
        ArrowType.largeList(ArrowType.INT32),
        ArrowType.listView(ArrowType.INT32),
        ArrowType.largeListView(ArrowType.INT32),
    ).map { TypeSample(it, listOf(1, null, 3), null, listOf<Int>(), listOf(4)) }

private val nested =
    lists +
        listOf(
            TypeSample(ArrowType.fixedSizeList(ArrowType.FLOAT64, 2), listOf(1.0, null), null, listOf(3.0, 4.0)),
            TypeSample(ArrowType.fixedSizeList(ArrowType.FLOAT64, 0), listOf<Double>(), null),
            TypeSample(ArrowType.list(ArrowType.list(ArrowType.UTF8)), listOf(listOf("a", null), null), null),
            TypeSample(
                person,
                mapOf("name" to "Ada", "age" to 36.toShort()),
                null,
                mapOf(
                    "name" to null,
                    "age" to 0.toShort(),
                ),
            ),
            TypeSample(ArrowType.list(person), listOf(mapOf("name" to "Ada", "age" to 36.toShort()), null), null),
            TypeSample(
                ArrowType.map(ArrowType.UTF8, ArrowType.INT32),
                listOf("b" to 1, "a" to null).map { java.util.AbstractMap.SimpleImmutableEntry(it.first, it.second) },
                null,
                emptyList<Any>(),
            ),
            TypeSample(
                ArrowType.sparseUnion(
                    listOf(5, 7),
                    listOf(Field.nullable("i", ArrowType.INT32), Field.nullable("s", ArrowType.UTF8)),
                ),
                1,
                null,
                "two",
            ),
            TypeSample(
                ArrowType.denseUnion(
                    listOf(5, 7),
                    listOf(Field.notNull("i", ArrowType.INT32), Field.nullable("s", ArrowType.UTF8)),
                ),
                1,
                null,
                "two",
            ),
            TypeSample(ArrowType.runEndEncoded(ArrowType.INT16, ArrowType.UTF8), "a", "a", null, null, "b"),
            TypeSample(ArrowType.runEndEncoded(ArrowType.INT64, ArrowType.FLOAT32), 1f, 1f, null, Float.NaN),
            TypeSample(ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, false), "x", null, "y", "x"),
            TypeSample(ArrowType.dictionary(ArrowType.UINT32, ArrowType.decimal128(5, 1), true), dec("1.0"), null),
            TypeSample(
                ArrowType.list(ArrowType.dictionary(ArrowType.INT32, ArrowType.BINARY, false)),
                listOf(bytes(1), null),
            ),
            TypeSample(ArrowType.fixedShapeTensor(ArrowType.INT16, listOf(2, 2)), List(4) { it.toShort() }, null),
        )

/** One sample per type and variant. */
val typeSamples: List<TypeSample> = flat + nested
