package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.math.BigDecimal

private val integers =
    listOf(
        ArrowType.INT8,
        ArrowType.UINT8,
        ArrowType.INT16,
        ArrowType.UINT16,
        ArrowType.INT32,
        ArrowType.UINT32,
        ArrowType.INT64,
        ArrowType.UINT64,
    )

private val flat =
    integers +
        listOf(
            ArrowType.NULL,
            ArrowType.BOOL,
            ArrowType.FLOAT16,
            ArrowType.FLOAT32,
            ArrowType.FLOAT64,
            ArrowType.decimal32(9, 2),
            ArrowType.decimal128(20, 2),
            ArrowType.UTF8,
            ArrowType.LARGE_UTF8,
            ArrowType.UTF8_VIEW,
            ArrowType.BINARY,
            ArrowType.LARGE_BINARY,
            ArrowType.BINARY_VIEW,
            ArrowType.DATE32,
            ArrowType.DATE64,
            ArrowType.time32(TimeUnit.SECOND),
            ArrowType.time64(TimeUnit.NANOSECOND),
            ArrowType.timestamp(TimeUnit.SECOND),
            ArrowType.timestamp(TimeUnit.NANOSECOND),
        )

/** What docs/operations.md promises, for the types of this test. */
private val allowed =
    mapOf(
        "int8" to "int16 int32 int64 float16 float32 float64 decimal32(9, 2) decimal128(20, 2)",
        "uint8" to
            "int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 decimal32(9, 2) decimal128(20, 2)",
        "int16" to "int32 int64 float32 float64 decimal32(9, 2) decimal128(20, 2)",
        "uint16" to "int32 uint32 int64 uint64 float32 float64 decimal32(9, 2) decimal128(20, 2)",
        "int32" to "int64 float64 decimal128(20, 2)",
        "uint32" to "int64 uint64 float64 decimal128(20, 2)",
        "float16" to "float32 float64",
        "float32" to "float64",
        "decimal32(9, 2)" to "decimal128(20, 2)",
        "utf8" to "large_utf8 utf8_view binary large_binary binary_view",
        "large_utf8" to "large_binary",
        "utf8_view" to "binary_view",
        "binary" to "large_binary binary_view",
        "date32[day]" to "date64[ms]",
        "time32[s]" to "time64[ns]",
    )

class WideningCastTest :
    FunSpec({
        extension(MemoryBalance())

        test("of two flat types, one is cast to the other where no value can change, and else refused") {
            for (from in flat) {
                deviceArray<Any>(from) { repeat(3) { addNull() } }.use { array ->
                    val taken =
                        flat.filter { to ->
                            try {
                                array.cast(to).use { it.type == to }
                            } catch (e: IllegalArgumentException) {
                                e.message shouldBe
                                    "cast: $from as $to could change a value; a cast is made only where it can't, " +
                                    "whatever the values are"
                                false
                            }
                        }
                    val expected = if (from == ArrowType.NULL) flat.map { "$it" } else listOf("$from") + words(from)
                    withClue("$from") { taken.map { "$it" }.toSet() shouldBe expected.toSet() }
                }
            }
        }

        test("the largest and smallest numbers keep their value") {
            deviceArrayOf(Long.MIN_VALUE, null, Long.MAX_VALUE, -1L).use { array ->
                array.slice(1, 3).use { slice ->
                    slice.cast(ArrowType.decimal256(60, 30)).use {
                        it.getDecimal(1) shouldBe BigDecimal(Long.MAX_VALUE).setScale(30)
                        it.getDecimal(2) shouldBe BigDecimal(-1).setScale(30)
                        it.isNull(0) shouldBe true
                        it.nullCount shouldBe 1
                    }
                }
                array.cast(ArrowType.decimal128(19, 0)).use { it.getDecimal(0) shouldBe BigDecimal(Long.MIN_VALUE) }
            }
            val most = "18446744073709551615".toBigInteger()
            deviceArray<Any>(ArrowType.UINT64) { add(most) }.use { array ->
                array.cast(ArrowType.decimal128(22, 2)).use { it.getDecimal(0) shouldBe BigDecimal(most).setScale(2) }
            }
        }

        test("texts share their bytes with their views, and with texts of wider offsets") {
            deviceArrayOf("short", null, "a text that is longer than a view").use { array ->
                val before = ArrowCounters.now().hostBuffers()
                val views = array.cast(ArrowType.UTF8_VIEW)
                ArrowCounters.now().hostBuffers() - before shouldBe 1
                array.cast(ArrowType.LARGE_UTF8).use { it.getString(2) shouldBe "a text that is longer than a view" }
                array.close()
                views.use { it.getString(2) shouldBe "a text that is longer than a view" }
            }
        }

        test("fields are widened by position, and must have the same names and be no less nullable") {
            val point = ArrowType.struct(Field.notNull("x", ArrowType.INT32), Field.nullable("y", ArrowType.FLOAT32))
            val wide = ArrowType.struct(Field.nullable("x", ArrowType.INT64), Field.nullable("y", ArrowType.FLOAT64))
            deviceArray<Map<String, Any>>(point) { add(mapOf("x" to 1, "y" to 2.5f)) }.use { array ->
                array.cast(wide).use { it.child("x").getLong(0) shouldBe 1 }
            }
            listOf(
                ArrowType.struct(Field.notNull("x", ArrowType.INT32), Field.notNull("y", ArrowType.FLOAT32)),
                ArrowType.struct(Field.notNull("a", ArrowType.INT32), Field.nullable("y", ArrowType.FLOAT32)),
                ArrowType.struct(Field.notNull("x", ArrowType.INT32)),
            ).forEach { other ->
                deviceArray<Any>(point) {}.use { array ->
                    shouldThrow<IllegalArgumentException> { array.cast(other) }.message shouldContain
                        "could change a value"
                }
            }
        }

        test("a batch is cast to a schema of the same names, and shares what does not change") {
            recordBatch {
                column<Int>("a") { addAll(listOf(1, 2)) }
                column<String>("b") { addAll(listOf("x", null)) }
            }.use { batch ->
                val schema = Schema.of(Field.notNull("a", ArrowType.INT64), Field.nullable("b", ArrowType.UTF8))
                val before = ArrowCounters.now().hostBuffers()
                batch.cast(schema).use {
                    it.schema shouldBe schema
                    it.values<Long>("a").toList() shouldBe listOf(1L, 2L)
                    ArrowCounters.now().hostBuffers() - before shouldBe 1
                }
                batch.cast("a", ArrowType.FLOAT64).use { it.values<Double>("a").toList() shouldBe listOf(1.0, 2.0) }
                shouldThrow<IllegalArgumentException> { batch.cast("b", ArrowType.INT64) }.message shouldContain
                    "cast: utf8 as int64 could change a value"
                shouldThrow<IllegalArgumentException> { batch.cast(Schema.of()) }.message shouldContain
                    "cast: columns []"
                val strict = Schema.of(Field.nullable("a", ArrowType.INT32), Field.notNull("b", ArrowType.UTF8))
                shouldThrow<IllegalArgumentException> { batch.cast(strict) }.message shouldBe
                    "column \"b\" is declared not nullable and has 1 nulls"
                batch.column("a").isLive shouldBe true
            }
        }
    })

private fun words(from: ArrowType): List<String> =
    allowed["$from"].orEmpty().split(Regex(" (?!\\d)")).filter(String::isNotEmpty)
