package dev.arrowdevice.peers.arrowcpp

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
import java.time.ZoneOffset
import java.util.UUID

/** At least one sample for each type that Arrow C++ knows, each with nulls where the type can have them. */
object CppSamples {
    private val int32 = TypeSpec.of("i")
    private val utf8 = TypeSpec.of("u")
    private val item = int32.named("item")

    val all: List<CppSample> =
        numbers() + decimals() + bytes() + times() + moments() + dates() + intervals() + lists() + nested() + unions() +
            dictionaries() + runEnds() + extensions()

    private fun numbers() =
        listOf(
            json("null", TypeSpec.of("n"), "[null, null, null]", ArrowType.NULL, listOf(null, null, null)),
            json(
                "bool",
                TypeSpec.of("b"),
                "[true, null, false, true, true, false, false, true, null, true]",
                ArrowType.BOOL,
                listOf(true, null, false, true, true, false, false, true, null, true),
            ),
            integers("c", ArrowType.INT8, Byte.MIN_VALUE, Byte.MAX_VALUE),
            integers("C", ArrowType.UINT8, 0.toShort(), 255.toShort()),
            integers("s", ArrowType.INT16, Short.MIN_VALUE, Short.MAX_VALUE),
            integers("S", ArrowType.UINT16, 0, 65_535),
            integers("i", ArrowType.INT32, Int.MIN_VALUE, Int.MAX_VALUE),
            integers("I", ArrowType.UINT32, 0L, 4_294_967_295L),
            integers("l", ArrowType.INT64, Long.MIN_VALUE, Long.MAX_VALUE),
            integers("L", ArrowType.UINT64, BigInteger.ZERO, BigInteger("18446744073709551615")),
            floats("e", ArrowType.FLOAT16, "[1.5, null, -0.25, 65504.0]", listOf("1.5", null, "-0.25", "65504.0")),
            floats(
                "f",
                ArrowType.FLOAT32,
                "[1.5, null, -0.0, NaN, Inf]",
                listOf("1.5", null, "-0.0", "NaN", "Infinity"),
            ),
            floats(
                "g",
                ArrowType.FLOAT64,
                "[1.5, null, -0.0, NaN, -Inf]",
                listOf("1.5", null, "-0.0", "NaN", "-Infinity"),
            ),
        )

    private fun integers(
        format: String,
        type: ArrowType,
        least: Any,
        most: Any,
    ) = json("$type", TypeSpec.of(format), "[$least, null, $most]", type, listOf(least, null, most))

    private fun floats(
        format: String,
        type: ArrowType,
        json: String,
        values: List<String?>,
    ) = json("$type", TypeSpec.of(format), json, type, values)

    private fun decimals(): List<CppSample> {
        val large = "1234567890123456789012345678.9012345678"
        return listOf(
            decimal("d:9,2,32", ArrowType.decimal32(9, 2), "1234567.89", "-0.01"),
            decimal("d:18,3,64", ArrowType.decimal64(18, 3), "123456789012345.678", "-0.001"),
            decimal("d:38,10", ArrowType.decimal128(38, 10), large, "-0.0000000001"),
            decimal("d:76,0,256", ArrowType.decimal256(76, 0), "9".repeat(76), "-1"),
        )
    }

    private fun decimal(
        format: String,
        type: ArrowType,
        first: String,
        last: String,
    ) = json(
        "$type",
        TypeSpec.of(format),
        """["$first", null, "$last"]""",
        type,
        listOf(BigDecimal(first), null, BigDecimal(last)),
    )

    private fun bytes(): List<CppSample> {
        val texts = listOf("", null, "Ada", "Grüße, 世界 🚀, longer than twelve bytes", "twelve bytes")
        val json = texts.joinToString(prefix = "[", postfix = "]") { if (it == null) "null" else "\"$it\"" }
        val bytes = texts.map { it?.encodeToByteArray()?.joinToString(",", "bytes ") }
        val text = listOf("u" to ArrowType.UTF8, "U" to ArrowType.LARGE_UTF8, "vu" to ArrowType.UTF8_VIEW)
        val binary = listOf("z" to ArrowType.BINARY, "Z" to ArrowType.LARGE_BINARY, "vz" to ArrowType.BINARY_VIEW)
        return text.map { (format, type) -> json("$type", TypeSpec.of(format), json, type, texts) } +
            binary.map { (format, type) -> json("$type", TypeSpec.of(format), json, type, bytes) } +
            json(
                "fixed_size_binary",
                TypeSpec.of("w:3"),
                """["abc", null, "xyz"]""",
                ArrowType.fixedSizeBinary(3),
                listOf("bytes 97,98,99", null, "bytes 120,121,122"),
            )
    }

    private fun times(): List<CppSample> {
        val nanos = mapOf('s' to 1_000_000_000L, 'm' to 1_000_000L, 'u' to 1_000L, 'n' to 1L)
        val types =
            mapOf(
                "tts" to ArrowType.time32(TimeUnit.SECOND),
                "ttm" to ArrowType.time32(TimeUnit.MILLISECOND),
                "ttu" to ArrowType.time64(TimeUnit.MICROSECOND),
                "ttn" to ArrowType.time64(TimeUnit.NANOSECOND),
                "tDs" to ArrowType.duration(TimeUnit.SECOND),
                "tDm" to ArrowType.duration(TimeUnit.MILLISECOND),
                "tDu" to ArrowType.duration(TimeUnit.MICROSECOND),
                "tDn" to ArrowType.duration(TimeUnit.NANOSECOND),
            )
        return types.map { (format, type) ->
            val last = 86_399 * nanos.getValue(format.last())
            val values =
                if (format[1] == 't') {
                    listOf(LocalTime.MIDNIGHT, null, LocalTime.ofNanoOfDay(last))
                } else {
                    listOf(Duration.ZERO, null, Duration.ofNanos(last))
                }
            json("$type", TypeSpec.of(format), "[0, null, 86399]", type, values)
        }
    }

    private fun moments(): List<CppSample> {
        val before = Instant.EPOCH
        return listOf(
            json(
                "timestamp without a zone",
                TypeSpec.of("tss:"),
                "[0, null, -1]",
                ArrowType.timestamp(TimeUnit.SECOND),
                listOf(0L, null, -1L).map { it?.let { LocalDateTime.ofEpochSecond(it, 0, ZoneOffset.UTC) } },
            ),
            moment("tsm:Europe/Berlin", TimeUnit.MILLISECOND, "Europe/Berlin", before.minusMillis(1)),
            moment("tsu:+01:00", TimeUnit.MICROSECOND, "+01:00", before.minusNanos(1_000)),
            moment("tsn:UTC", TimeUnit.NANOSECOND, "UTC", before.minusNanos(1)),
        )
    }

    private fun moment(
        format: String,
        unit: TimeUnit,
        zone: String,
        last: Instant,
    ): CppSample {
        val type = ArrowType.timestamp(unit, zone)
        return json("$type", TypeSpec.of(format), "[0, null, -1]", type, listOf(Instant.EPOCH, null, last))
    }

    private fun dates(): List<CppSample> {
        val days = listOf(LocalDate.EPOCH, null, LocalDate.ofEpochDay(-1))
        return listOf(
            json("date32", TypeSpec.of("tdD"), "[0, null, -1]", ArrowType.DATE32, days),
            json("date64", TypeSpec.of("tdm"), "[0, null, -86400000]", ArrowType.DATE64, days),
        )
    }

    private fun intervals() =
        listOf(
            json(
                "months",
                TypeSpec.of("tiM"),
                "[null, -14]",
                ArrowType.INTERVAL_MONTHS,
                listOf(null, Period.ofMonths(-14)),
            ),
            json(
                "days and time",
                TypeSpec.of("tiD"),
                "[[0, 0], null, [-1, 86400000]]",
                ArrowType.INTERVAL_DAY_TIME,
                listOf(DayTimeInterval(0, 0), null, DayTimeInterval(-1, 86_400_000)),
            ),
            json(
                "months, days and nanoseconds",
                TypeSpec.of("tin"),
                "[null, [-1, 2, 999999999]]",
                ArrowType.INTERVAL_MONTH_DAY_NANO,
                listOf(null, MonthDayNanoInterval(-1, 2, 999_999_999)),
            ),
        )

    private fun lists(): List<CppSample> {
        val values = listOf(listOf(1, null, 3), null, listOf<Int>(), listOf(4, 5))
        val types =
            mapOf(
                "+l" to ArrowType.list(ArrowType.INT32),
                "+L" to ArrowType.largeList(ArrowType.INT32),
                "+vl" to ArrowType.listView(ArrowType.INT32),
                "+vL" to ArrowType.largeListView(ArrowType.INT32),
            )
        return types.map { (format, type) ->
            json("$type", TypeSpec.of(format, item), "[[1, null, 3], null, [], [4, 5]]", type, values)
        } +
            json(
                "fixed_size_list",
                TypeSpec.of("+w:2", item),
                "[[1, null], null, [3, 4]]",
                ArrowType.fixedSizeList(ArrowType.INT32, 2),
                listOf(listOf(1, null), null, listOf(3, 4)),
            )
    }

    private fun nested(): List<CppSample> {
        val pair = ArrowType.struct(Field.nullable("a", ArrowType.INT32), Field.nullable("b", ArrowType.UTF8))
        val sorted = TypeSpec.map(utf8, int32).flags(TypeSpec.NULLABLE or TypeSpec.MAP_KEYS_SORTED)
        val key = Field.notNull("key", ArrowType.UTF8)
        val value = Field.nullable("value", ArrowType.INT32)
        val row = ArrowType.struct(Field.nullable("v", ArrowType.listView(ArrowType.INT32)))
        return listOf(
            json(
                "struct",
                TypeSpec.of("+s", int32.named("a"), utf8.named("b")),
                """[{"a": 1, "b": "x"}, null, {"a": null, "b": "z"}]""",
                pair,
                listOf(mapOf("a" to 1, "b" to "x"), null, mapOf("a" to null, "b" to "z")),
            ),
            json(
                "map",
                TypeSpec.map(utf8, int32),
                """[[["k", 1], ["l", null]], null, [], [["m", 3]]]""",
                ArrowType.map(key, value, false),
                listOf(listOf("k" to 1, "l" to null), null, listOf<Any>(), listOf("m" to 3)),
            ),
            json(
                "map with sorted keys",
                sorted,
                """[[["k", 1], ["l", null]], []]""",
                ArrowType.map(key, value, true),
                listOf(listOf("k" to 1, "l" to null), listOf<Any>()),
            ),
            json(
                "list of structs of lists",
                TypeSpec.of("+l", TypeSpec.of("+s", TypeSpec.of("+vl", item).named("v")).named("item")),
                """[[{"v": [1, 2]}, null], [], null, [{"v": null}]]""",
                ArrowType.list(row),
                listOf(listOf(mapOf("v" to listOf(1, 2)), null), listOf<Any>(), null, listOf(mapOf("v" to null))),
            ),
        )
    }

    private fun unions(): List<CppSample> {
        val ids = listOf(5, 7)
        val fields = listOf(Field.nullable("i", ArrowType.INT32), Field.nullable("s", ArrowType.UTF8))
        val types =
            mapOf(
                "+us:5,7" to ArrowType.sparseUnion(ids, fields),
                "+ud:5,7" to ArrowType.denseUnion(ids, fields),
            )
        return types.map { (format, type) ->
            json(
                "$type",
                TypeSpec.of(format, int32.named("i"), utf8.named("s")),
                """[[5, 1], [7, "x"], [5, null], [7, "y"]]""",
                type,
                listOf(1, "x", null, "y"),
            )
        }
    }

    private fun dictionaries(): List<CppSample> {
        val indices =
            mapOf(
                "c" to ArrowType.INT8,
                "C" to ArrowType.UINT8,
                "s" to ArrowType.INT16,
                "S" to ArrowType.UINT16,
                "i" to ArrowType.INT32,
                "I" to ArrowType.UINT32,
                "l" to ArrowType.INT64,
                "L" to ArrowType.UINT64,
            )
        val signs = indices.map { (format, type) -> dictionary(TypeSpec.of(format), TypeSpec.NULLABLE, type) }
        val ordered = TypeSpec.NULLABLE or TypeSpec.DICTIONARY_ORDERED
        return signs + dictionary(TypeSpec.of("c"), ordered, ArrowType.INT8)
    }

    /** Nulls both among the indices and in the dictionary. C++'s JSON parser would choose signed indices by itself. */
    private fun dictionary(
        index: TypeSpec,
        flags: Long,
        indexType: ArrowType,
    ): CppSample {
        val type = ArrowType.dictionary(indexType, ArrowType.UTF8, flags and TypeSpec.DICTIONARY_ORDERED != 0L)
        return CppSample("$type", type, listOf("b", null, "a", null, "b")) {
            closing(
                index.flags(flags).dictionary(utf8).toCpp(),
                CppArrays.fromJson(index, "[1, null, 0, 2, 1]"),
                CppArrays.fromJson(utf8, """["a", "b", null]"""),
            ) { CppArrays.dictionary(it[0] as CppType, it[1] as CppArray, it[2] as CppArray) }
        }
    }

    private fun runEnds(): List<CppSample> =
        mapOf("s" to ArrowType.INT16, "i" to ArrowType.INT32, "l" to ArrowType.INT64).map { (format, runEnd) ->
            val type = ArrowType.runEndEncoded(runEnd, ArrowType.UTF8)
            val values = listOf("a", null, null, null, "b", "c", "c")
            CppSample("run ends of $runEnd, from the middle of a run", type, values) {
                val spec = TypeSpec.of("+r", TypeSpec.of(format).named("run_ends").notNull(), utf8.named("values"))
                closing(
                    spec.toCpp(),
                    CppArrays.fromJson(TypeSpec.of(format), "[2, 5, 6, 9]"),
                    CppArrays.fromJson(utf8, """["a", null, "b", "c"]"""),
                ) { CppArrays.runEndEncoded(it[0] as CppType, 7, it[1] as CppArray, it[2] as CppArray, 1) }
            }
        }

    private fun extensions(): List<CppSample> {
        val uuid = UUID.fromString("30313233-3435-3637-3839-616263646566")
        return listOf(
            extension(ArrowType.uuid(), "", TypeSpec.of("w:16"), """["0123456789abcdef", null]""", listOf(uuid, null)),
            extension(ArrowType.bool8(), "", TypeSpec.of("c"), "[0, null, 1, 5]", listOf(false, null, true, true)),
            extension(ArrowType.json(), "", utf8, """["{\"a\": 1}", null, "[]"]""", listOf("""{"a": 1}""", null, "[]")),
            extension(
                ArrowType.fixedShapeTensor(ArrowType.INT32, listOf(2, 2)),
                """{"shape":[2,2]}""",
                TypeSpec.of("+w:4", item),
                "[[1, 2, 3, 4], null, [5, 6, 7, 8]]",
                listOf(listOf(1, 2, 3, 4), null, listOf(5, 6, 7, 8)),
            ),
        )
    }
}
