package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.peers.arbitrary.comparable
import org.apache.arrow.vector.complex.BaseRepeatedValueVector
import org.apache.arrow.vector.types.Types
import java.math.BigDecimal
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.util.AbstractMap.SimpleImmutableEntry

/** A field that Arrow Java knows, and values for it as builders take them. */
internal class JavaSample(
    val field: Field,
    private val some: List<Any?>,
) {
    constructor(type: ArrowType, vararg some: Any?) : this(Field.nullable("f", type), some.asList())

    /** The values as those of the storage type, if they differ. */
    var asStorage: (Any) -> Any = { it }
        private set

    fun asStorage(convert: (Any) -> Any): JavaSample = apply { asStorage = convert }

    /** The values again and again: more than two bytes of validity bits, and the last one not full. */
    val values: List<Any?> get() = List(ROWS) { some[it % some.size] }

    /** The values that must be read here. */
    val ours: List<Any?> get() = values.map { comparable(read(it)) }

    /** The values that Arrow Java must read. */
    val theirs: List<Any?> get() = stored.map { comparable(read(it)) }

    /** The values as Arrow Java takes them. */
    val stored: List<Any?> get() = values.map { value -> value?.let(asStorage) }

    fun named(name: String): JavaSample = JavaSample(field.withName(name), some).asStorage(asStorage)

    override fun toString(): String = if (field.metadata().isEmpty) "$field" else "$field with metadata"

    private fun read(value: Any?): Any? =
        when (value) {
            // A value for a child of a union; the keys of maps are texts.
            is Map.Entry<*, *> -> if (value.key is Int) read(value.value) else value

            is List<*> -> value.map(::read)

            is Map<*, *> -> value.mapValues { read(it.value) }

            else -> value
        }

    private companion object {
        const val ROWS = 19
    }
}

/**
 * One sample at least of each type that Arrow Java knows: all but decimal32 and decimal64. Names of list elements and type
 * ids of sparse unions are those that its vectors have, whatever their schema says.
 */
internal object JavaSamples {
    private val unionFields = listOf(Field.nullable("i", ArrowType.INT32), Field.nullable("s", ArrowType.UTF8))
    private val sparseTypeIds = listOf(Types.MinorType.INT.ordinal, Types.MinorType.VARCHAR.ordinal)
    private val row = ArrowType.struct(Field.nullable("a", ArrowType.INT32), Field.nullable("b", ArrowType.UTF8))

    val all: List<JavaSample> get() = numbers() + bytes() + times() + lists() + nested() + encoded() + extensions()

    private fun numbers() =
        listOf(
            JavaSample(ArrowType.NULL, null),
            JavaSample(ArrowType.BOOL, true, null, false),
            JavaSample(ArrowType.INT8, Byte.MIN_VALUE, null, Byte.MAX_VALUE),
            JavaSample(ArrowType.UINT8, 0.toShort(), null, 255.toShort()),
            JavaSample(ArrowType.INT16, Short.MIN_VALUE, null, Short.MAX_VALUE),
            JavaSample(ArrowType.UINT16, 0, null, 65_535),
            JavaSample(ArrowType.INT32, Int.MIN_VALUE, null, Int.MAX_VALUE),
            JavaSample(Field.notNull("f", ArrowType.INT32), listOf(1, 2, 3)),
            JavaSample(ArrowType.UINT32, 0L, null, 4_294_967_295L),
            JavaSample(ArrowType.INT64, Long.MIN_VALUE, null, Long.MAX_VALUE),
            JavaSample(ArrowType.UINT64, BigInteger.ZERO, null, BigInteger("18446744073709551615")),
            JavaSample(ArrowType.FLOAT16, 1.5f, null, -65504f),
            JavaSample(ArrowType.FLOAT32, 0.1f, null, -0.0f, Float.NaN),
            JavaSample(ArrowType.FLOAT64, 0.1, null, -0.0, Double.NEGATIVE_INFINITY),
            JavaSample(
                ArrowType.decimal128(38, 4),
                BigDecimal("-9".padEnd(35, '9') + ".9999"),
                null,
                BigDecimal("1.0000"),
            ),
            JavaSample(ArrowType.decimal256(76, 2), BigDecimal("9".repeat(74) + ".99"), null, BigDecimal("-0.01")),
        )

    private fun bytes(): List<JavaSample> {
        val texts = arrayOf("", null, "Ada", "Grüße, 世界 🚀, longer than twelve bytes", "twelve bytes")
        val bytes = texts.map { it?.encodeToByteArray() }.toTypedArray()
        return listOf(ArrowType.UTF8, ArrowType.LARGE_UTF8, ArrowType.UTF8_VIEW).map { JavaSample(it, *texts) } +
            listOf(ArrowType.BINARY, ArrowType.LARGE_BINARY, ArrowType.BINARY_VIEW).map { JavaSample(it, *bytes) } +
            JavaSample(ArrowType.fixedSizeBinary(3), byteArrayOf(1, 2, 3), null, byteArrayOf(0, 0, -1))
    }

    private fun times(): List<JavaSample> {
        val days = arrayOf(LocalDate.EPOCH, null, LocalDate.of(1969, 12, 31))
        val moment = Instant.parse("1969-12-31T23:59:59Z")
        val local = LocalDateTime.of(2024, 2, 29, 23, 59, 59)
        return listOf(
            JavaSample(ArrowType.DATE32, *days),
            JavaSample(ArrowType.DATE64, *days),
            JavaSample(ArrowType.time32(TimeUnit.SECOND), LocalTime.MIDNIGHT, null, LocalTime.of(23, 59, 59)),
            JavaSample(
                ArrowType.time32(TimeUnit.MILLISECOND),
                LocalTime.MIDNIGHT,
                null,
                LocalTime.ofNanoOfDay(1_000_000),
            ),
            JavaSample(ArrowType.time64(TimeUnit.MICROSECOND), LocalTime.MIDNIGHT, null, LocalTime.ofNanoOfDay(1_000)),
            JavaSample(ArrowType.time64(TimeUnit.NANOSECOND), LocalTime.MIDNIGHT, null, LocalTime.MAX),
            JavaSample(ArrowType.INTERVAL_MONTHS, Period.ofMonths(-14), null, Period.ofMonths(3)),
            JavaSample(ArrowType.INTERVAL_DAY_TIME, DayTimeInterval(-1, 2), null, DayTimeInterval(3, Int.MIN_VALUE)),
            JavaSample(ArrowType.INTERVAL_MONTH_DAY_NANO, MonthDayNanoInterval(-1, 2, Long.MIN_VALUE), null),
        ) +
            TimeUnit.entries.flatMap { unit ->
                listOf(
                    JavaSample(ArrowType.timestamp(unit), local, null),
                    JavaSample(ArrowType.timestamp(unit, "Europe/Berlin"), moment, null, Instant.EPOCH),
                    JavaSample(ArrowType.duration(unit), Duration.ofSeconds(-5), null, Duration.ZERO),
                )
            }
    }

    private fun lists(): List<JavaSample> =
        listOf(
            ArrowType.list(element(ArrowType.INT32)),
            ArrowType.largeList(element(ArrowType.INT32)),
            ArrowType.listView(element(ArrowType.INT32)),
            ArrowType.largeListView(element(ArrowType.INT32)),
        ).map { JavaSample(it, listOf(1, null, 3), null, listOf<Int>(), listOf(4, 5)) } +
            listOf(
                JavaSample(ArrowType.fixedSizeList(element(ArrowType.INT32), 2), listOf(1, null), null, listOf(3, 4)),
                JavaSample(
                    ArrowType.list(element(ArrowType.list(element(ArrowType.UTF8)))),
                    listOf(listOf("a", null), null),
                    null,
                ),
            )

    private fun nested(): List<JavaSample> {
        val entries = listOf("k" to 1, "l" to null).map { SimpleImmutableEntry(it.first, it.second) }
        val choices =
            arrayOf(0 to 1, 1 to "x", 0 to null, 1 to null, 1 to "y")
                .map {
                    SimpleImmutableEntry(it.first, it.second)
                }.toTypedArray()
        val key = Field.notNull("key", ArrowType.UTF8)
        val value = Field.nullable("value", ArrowType.INT32)
        return listOf(
            JavaSample(row, mapOf("a" to 1, "b" to "x"), null, mapOf("a" to null, "b" to "z")),
            JavaSample(ArrowType.map(key, value, false), entries, null, listOf<Any>()),
            JavaSample(ArrowType.map(key, value, true), entries, listOf<Any>()),
            JavaSample(ArrowType.list(element(row)), listOf(mapOf("a" to 1, "b" to null), null), listOf<Any>(), null),
            JavaSample(ArrowType.sparseUnion(sparseTypeIds, unionFields), *choices),
            JavaSample(ArrowType.denseUnion(listOf(5, 7), unionFields), *choices),
            JavaSample(
                ArrowType.struct(Field.nullable("u", ArrowType.denseUnion(listOf(0, 1), unionFields))),
                mapOf("u" to choices[0]),
            ),
        )
    }

    private fun encoded(): List<JavaSample> =
        listOf(ArrowType.INT16, ArrowType.INT32, ArrowType.INT64).map {
            JavaSample(ArrowType.runEndEncoded(it, ArrowType.UTF8), "a", "a", null, null, "b")
        } +
            INDICES.map { JavaSample(ArrowType.dictionary(it, ArrowType.UTF8, false), "x", null, "y", "x") } +
            listOf(
                JavaSample(
                    ArrowType.dictionary(ArrowType.INT8, ArrowType.decimal128(5, 1), true),
                    BigDecimal("1.0"),
                    null,
                ),
                JavaSample(
                    ArrowType.list(element(ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8, false))),
                    listOf("a", null, "b"),
                    null,
                ),
            )

    /** Arrow Java has no class for these, or none is registered, so it sees their storage and their two keys. */
    private fun extensions(): List<JavaSample> =
        listOf(
            JavaSample(ArrowType.bool8(), true, null, false).asStorage { (if (it as Boolean) 1 else 0).toByte() },
            JavaSample(ArrowType.json(), """{"a":1}""", null, "[]"),
            JavaSample(tensor(), listOf<Short>(1, 2), null),
            JavaSample(ArrowType.extension("acme.money", ArrowType.INT64, "EUR".toByteArray()), 5L, null, -5L),
            JavaSample(
                Field("f", ArrowType.INT32, true, Metadata.of("key", "value", "größe", "世界", "empty", "")),
                listOf(1, null),
            ),
        )

    private fun tensor() =
        ArrowType.extension(
            ExtensionType.FIXED_SHAPE_TENSOR,
            ArrowType.fixedSizeList(element(ArrowType.INT16), 2),
            """{"shape":[2]}""".toByteArray(),
        )

    private fun element(type: ArrowType) = Field.nullable(BaseRepeatedValueVector.DATA_VECTOR_NAME, type)

    private val INDICES get() =
        listOf(
            ArrowType.INT8,
            ArrowType.UINT8,
            ArrowType.INT16,
            ArrowType.UINT16,
            ArrowType.INT32,
            ArrowType.UINT32,
            ArrowType.INT64,
        )
}
