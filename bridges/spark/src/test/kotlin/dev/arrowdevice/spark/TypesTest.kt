package dev.arrowdevice.spark

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.Field
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TypeId
import dev.arrowdevice.add
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.deviceArray
import dev.arrowdevice.ipc.ArrowFileWriter
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.apache.spark.sql.Row
import org.apache.spark.sql.types.DataTypes
import org.apache.spark.sql.types.TimeType
import org.apache.spark.unsafe.types.CalendarInterval
import scala.jdk.javaapi.CollectionConverters
import java.math.BigDecimal
import java.math.BigInteger
import java.nio.file.Path
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.util.AbstractMap.SimpleEntry

private val day = LocalDate.of(2024, 2, 29)
private val early = LocalDate.of(1500, 3, 1)
private val local = LocalDateTime.of(2024, 2, 29, 12, 34, 56, 789_000_000)
private val instant = Instant.parse("1969-12-31T23:59:59.500Z")

/** A type, values of it as our builders take them, and the same as Spark's users see them. */
private class Case(
    val type: ArrowType,
    val values: List<Any>,
    val inSpark: List<Any> = values,
)

private val cases =
    listOf(
        Case(ArrowType.BOOL, listOf(true, false)),
        Case(ArrowType.bool8(), listOf(true, false)),
        Case(ArrowType.INT8, listOf(Byte.MIN_VALUE, 7.toByte())),
        Case(ArrowType.INT16, listOf(Short.MIN_VALUE, 7.toShort())),
        Case(ArrowType.INT32, listOf(Int.MIN_VALUE, 7)),
        Case(ArrowType.INT64, listOf(Long.MIN_VALUE, 7L)),
        Case(ArrowType.UINT8, listOf(255.toShort(), 7.toShort())),
        Case(ArrowType.UINT16, listOf(65535, 7)),
        Case(ArrowType.UINT32, listOf(4294967295L, 7L)),
        Case(
            ArrowType.UINT64,
            listOf(BigInteger("18446744073709551615"), BigInteger.TEN),
            listOf(BigDecimal("18446744073709551615"), BigDecimal("10")),
        ),
        Case(ArrowType.FLOAT16, listOf(1.5f, -2f)),
        Case(ArrowType.FLOAT32, listOf(Float.NaN, -2f)),
        Case(ArrowType.FLOAT64, listOf(Double.NEGATIVE_INFINITY, 0.1)),
        Case(ArrowType.decimal32(5, 2), listOf(BigDecimal("-123.45"), BigDecimal("0.01"))),
        Case(ArrowType.decimal64(15, 3), listOf(BigDecimal("123456789012.345"), BigDecimal("-0.001"))),
        Case(
            ArrowType.decimal128(38, 10),
            listOf(BigDecimal("1234567890123456789012345678.0123456789"), BigDecimal("-1.0000000000")),
        ),
        Case(
            ArrowType.decimal256(38, 0),
            listOf(BigDecimal("99999999999999999999999999999999999999"), BigDecimal("-1")),
        ),
        Case(ArrowType.UTF8, listOf("", "grüße 🚀")),
        Case(ArrowType.LARGE_UTF8, listOf("a", "b")),
        Case(ArrowType.UTF8_VIEW, listOf("short", "a text of more than twelve bytes")),
        Case(ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8), listOf("red", "green")),
        Case(ArrowType.dictionary(ArrowType.INT32, ArrowType.INT64), listOf(5L, -5L)),
        Case(ArrowType.runEndEncoded(ArrowType.INT32, ArrowType.INT32), listOf(5, 6)),
        Case(ArrowType.BINARY, listOf(byteArrayOf(1, 2), byteArrayOf())),
        Case(ArrowType.BINARY_VIEW, listOf(byteArrayOf(1, 2), byteArrayOf())),
        Case(ArrowType.fixedSizeBinary(2), listOf(byteArrayOf(1, 2), byteArrayOf(3, 4))),
        Case(ArrowType.DATE32, listOf(day, early)),
        Case(ArrowType.DATE64, listOf(day, early)),
        Case(ArrowType.time32(TimeUnit.SECOND), listOf(LocalTime.of(1, 2, 3), LocalTime.MIDNIGHT)),
        Case(ArrowType.time64(TimeUnit.MICROSECOND), listOf(LocalTime.of(1, 2, 3, 4000), LocalTime.MIDNIGHT)),
        Case(ArrowType.timestamp(TimeUnit.SECOND), listOf(local.withNano(0), early.atStartOfDay())),
        Case(ArrowType.timestamp(TimeUnit.MILLISECOND), listOf(local, early.atStartOfDay())),
        Case(
            ArrowType.timestamp(TimeUnit.NANOSECOND),
            listOf(local, LocalDateTime.of(1960, 1, 1, 0, 0, 0, 999)),
            listOf(local, LocalDateTime.of(1960, 1, 1, 0, 0)),
        ),
        Case(ArrowType.timestamp(TimeUnit.MICROSECOND, "UTC"), listOf(instant, Instant.parse("1500-01-01T00:00:00Z"))),
        Case(ArrowType.timestamp(TimeUnit.MILLISECOND, "Europe/Berlin"), listOf(instant, Instant.EPOCH)),
        Case(ArrowType.duration(TimeUnit.MILLISECOND), listOf(Duration.ofMillis(-5), Duration.ofDays(400))),
        Case(
            ArrowType.INTERVAL_MONTHS,
            listOf(Period.ofMonths(14), Period.ofMonths(-1)),
            listOf(Period.of(1, 2, 0), Period.ofMonths(-1)),
        ),
        Case(ArrowType.list(ArrowType.INT32), listOf(listOf(1, null, 3), listOf<Int>())),
        Case(ArrowType.largeList(ArrowType.UTF8), listOf(listOf("a", null), listOf("b"))),
        Case(ArrowType.listView(ArrowType.INT64), listOf(listOf(1L, 2L), listOf(null))),
        Case(ArrowType.fixedSizeList(ArrowType.FLOAT64, 2), listOf(listOf(1.0, 2.0), listOf(3.0, null))),
        Case(
            ArrowType.map(ArrowType.UTF8, ArrowType.INT32),
            listOf(listOf(SimpleEntry("a", 1), SimpleEntry("b", null)), listOf<Any>()),
            listOf(
                mapOf("a" to 1, "b" to null),
                mapOf<String, Int>(),
            ),
        ),
        Case(
            ArrowType.struct(Field.nullable("x", ArrowType.INT32), Field.nullable("s", ArrowType.list(ArrowType.UTF8))),
            listOf(mapOf("x" to 1, "s" to listOf("a")), mapOf("x" to null, "s" to null)),
            listOf(listOf(1, listOf("a")), listOf(null, null)),
        ),
    )

/** Spark's objects as those that are compared. */
private fun plain(value: Any?): Any? =
    when (value) {
        is Float -> {
            value.toString()
        }

        // NaN too is like itself.
        is ByteArray -> {
            value.toList()
        }

        is Row -> {
            List(value.length()) { plain(value.get(it)) }
        }

        is scala.collection.Map<*, *> -> {
            CollectionConverters.asJava(value).entries.associate {
                plain(it.key) to
                    plain(it.value)
            }
        }

        is scala.collection.Seq<*> -> {
            CollectionConverters.asJava(value).map { plain(it) }
        }

        is List<*> -> {
            value.map { plain(it) }
        }

        is Map<*, *> -> {
            value.entries.associate { plain(it.key) to plain(it.value) }
        }

        else -> {
            value
        }
    }

private val schema =
    Schema.of(
        cases.mapIndexed { i, case -> Field.nullable("c$i", case.type) } + Field.nullable("nothing", ArrowType.NULL),
    )

/** Rows of the first values, of nulls and of the last values, in two batches. */
private val expected: List<List<Any?>> =
    listOf(
        cases.map { plain(it.inSpark[0]) },
        cases.map { null },
        cases.map { plain(it.inSpark[1]) },
        cases.map { plain(it.inSpark[0]) },
    ).map { it + null }

private fun write(file: Path) {
    fun row(values: List<Any?>) = (values + null).toTypedArray()
    RecordBatchBuilder.of(schema).use { builder ->
        ArrowFileWriter.open(file, schema).use { writer ->
            builder.appendRow(*row(cases.map { it.values[0] }))
            builder.appendRow(*row(cases.map { null }))
            builder.finish().use(writer::write)
            // A batch that begins in the middle of its memory.
            repeat(2) { builder.appendRow(*row(cases.map { null })) }
            builder.appendRow(*row(cases.map { it.values[1] }))
            builder.appendRow(*row(cases.map { it.values[0] }))
            builder.finish().use { batch -> batch.slice(2, 2).use(writer::write) }
            writer.finish()
        }
    }
}

class TypesTest :
    FunSpec({
        val session = mapOf("spark.sql.datetime.java8API.enabled" to "true", "spark.sql.timeType.enabled" to "true")
        beforeSpec { session.forEach { (name, value) -> spark.conf().set(name, value) } }
        afterSpec { session.keys.forEach { spark.conf().unset(it) } }

        test("values of every type that Spark has come to its users as they are in the file") {
            inFolder { folder ->
                val file = folder.resolve("all.arrow").also(::write)
                val rows = reader("path" to "$file").load().rows()
                rows.map { row -> plain(row) } shouldBe expected
            }
        }

        test("the same through Spark's rows into files, and back") {
            inFolder { folder ->
                val file = folder.resolve("all.arrow").also(::write)
                val out = folder.resolve("out")
                reader("path" to "$file")
                    .load()
                    .write()
                    .format("arrow-device")
                    .mode("append")
                    .save("$out")
                reader("path" to "$out").load().rows().map { plain(it) } shouldBe expected
            }
        }

        test("the same through mapBatches, with and without java.time") {
            inFolder { folder ->
                val file = folder.resolve("all.arrow").also(::write)
                for (java8 in listOf("true", "false")) {
                    spark.conf().set("spark.sql.datetime.java8API.enabled", java8)
                    try {
                        val mapped = reader("path" to "$file").load().mapBatches { batch -> batch.share() }
                        mapped
                            .write()
                            .format("arrow-device")
                            .mode("append")
                            .save("${folder.resolve(java8)}")
                    } finally {
                        spark.conf().set("spark.sql.datetime.java8API.enabled", "true")
                    }
                    reader("path" to "${folder.resolve(java8)}").load().rows().map { plain(it) } shouldBe expected
                }
            }
        }

        test("generated code, which reads values one by one, finds the same as the file has") {
            inFolder { folder ->
                val file = folder.resolve("all.arrow").also(::write)
                val table = reader("path" to "$file").load()
                cases.indices.filterNot { cases[it].type.id() == TypeId.MAP }.forEach { i ->
                    table.where("c$i is not null").count() shouldBe 3L
                    table.select("c$i").distinct().count() shouldBe 3L
                }
                table.selectExpr("get(c37, 2)", "get(c42.s, 0)").rows().map { plain(it) } shouldBe
                    listOf(listOf(3, "a"), listOf(null, null), listOf(null, null), listOf(3, "a"))
            }
        }

        test("intervals of months, days and less, which Spark takes in no table, are there for its expressions") {
            deviceArray(ArrowType.INTERVAL_DAY_TIME) { add(DayTimeInterval(1, -2)) }.use {
                DeviceColumnVector(it, DataTypes.CalendarIntervalType).getInterval(0) shouldBe
                    CalendarInterval(0, 1, -2000)
            }
            deviceArray(ArrowType.INTERVAL_MONTH_DAY_NANO) { add(MonthDayNanoInterval(1, 2, 3000)) }.use {
                DeviceColumnVector(it, DataTypes.CalendarIntervalType).getInterval(0) shouldBe CalendarInterval(1, 2, 3)
            }
        }

        test("what has no value in Spark is cut off, or an error, not another value") {
            deviceArray(ArrowType.time64(TimeUnit.NANOSECOND)) { add(LocalTime.of(1, 2, 3, 4999)) }.use {
                DeviceColumnVector(it, TimeType(TimeType.MICROS_PRECISION())).getLong(0) shouldBe
                    LocalTime.of(1, 2, 3, 4000).toNanoOfDay()
            }
            deviceArray(ArrowType.INT64) {
                add(1L shl 53)
                add(Long.MAX_VALUE)
            }.use { array ->
                val vector = DeviceColumnVector(array, DataTypes.DoubleType)
                vector.getDouble(0) shouldBe 9007199254740992.0
                shouldThrow<IllegalStateException> { vector.getDouble(1) }.message shouldContain
                    "is no floating point number"
            }
        }

        test("vectors of slices count and read their own values") {
            val type =
                ArrowType.struct(
                    Field.nullable("x", ArrowType.INT32),
                    Field.nullable("l", ArrowType.list(ArrowType.INT32)),
                )
            val all =
                RecordBatchBuilder.of(Schema.of(Field.nullable("s", type))).use { builder ->
                    builder.appendRow(mapOf("x" to null, "l" to listOf(0, null)))
                    builder.appendRow(null)
                    builder.appendRow(mapOf("x" to 1, "l" to listOf(1, null, 3)))
                    builder.finish()
                }
            all.use { batch ->
                batch.column(0).slice(1, 2).use { slice ->
                    val vector = DeviceColumnVector(slice, sparkType("s", type))
                    vector.numNulls() shouldBe 1
                    vector.isNullAt(0) shouldBe true
                    vector.getStruct(1).getInt(0) shouldBe 1
                    val list = vector.getStruct(1).getArray(1).copy()
                    list.numElements() shouldBe 3
                    list.isNullAt(1) shouldBe true
                    list.getInt(2) shouldBe 3
                }
            }
        }

        test("a type that Spark does not have is refused, with the column") {
            val union = ArrowType.denseUnion(listOf(0), listOf(Field.nullable("a", ArrowType.INT32)))
            shouldThrow<UnsupportedOperationException> {
                Schema.of(Field.nullable("u", union)).toSparkSchema()
            }.message shouldContain
                "column \"u\""
            for (values in listOf(
                ArrowType.list(ArrowType.INT32),
                ArrowType.struct(Field.nullable("x", ArrowType.INT32)),
            )) {
                for (encoded in listOf(
                    ArrowType.runEndEncoded(ArrowType.INT32, values),
                    ArrowType.dictionary(ArrowType.INT8, values),
                )) {
                    shouldThrow<UnsupportedOperationException> {
                        Schema.of(Field.nullable("e", ArrowType.list(encoded))).toSparkSchema()
                    }.message shouldContain "column \"e\": Spark reads no lists"
                }
            }
            val wide = ArrowType.decimal256(50, 2)
            shouldThrow<UnsupportedOperationException> {
                Schema.of(Field.nullable("d", wide)).toSparkSchema()
            }.message shouldContain
                "at most 38"
        }
    })
