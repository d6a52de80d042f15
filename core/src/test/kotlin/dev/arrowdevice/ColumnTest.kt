package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.math.BigDecimal
import java.math.BigInteger
import java.time.LocalDate
import java.time.LocalDateTime

class ColumnTest :
    FunSpec({
        extension(MemoryBalance())

        val numbers = {
            recordBatch {
                column<Int>("int") { addAll(listOf(3, null, -1, 7)) }
                column<Long>("long") { addAll(listOf(3L, null, -1L, 7L)) }
                column<Float>("float") { addAll(listOf(3f, null, -1f, 7f)) }
                column<Double>("double") { addAll(listOf(3.0, null, -1.0, 7.0)) }
            }
        }

        test("sums, means and extremes skip nulls") {
            numbers().use { batch ->
                batch.values<Int>("int").sum() shouldBe 9
                batch.values<Int>("int").minOrNull() shouldBe -1
                batch.values<Int>("int").maxOrNull() shouldBe 7
                batch.values<Int>("int").average() shouldBe 3.0
                batch.values<Long>("long").sum() shouldBe 9L
                batch.values<Long>("long").average() shouldBe 3.0
                batch.values<Long>("long").minOrNull() shouldBe -1L
                batch.values<Long>("long").maxOrNull() shouldBe 7L
                batch.values<Float>("float").sum() shouldBe 9f
                batch.values<Float>("float").average() shouldBe 3.0
                batch.values<Float>("float").minOrNull() shouldBe -1f
                batch.values<Float>("float").maxOrNull() shouldBe 7f
                batch.values<Double>("double").sum() shouldBe 9.0
                batch.values<Double>("double").average() shouldBe 3.0
                batch.values<Double>("double").minOrNull() shouldBe -1.0
                batch.values<Double>("double").maxOrNull() shouldBe 7.0
            }
        }

        test("without values the sum is zero, the mean is NaN, and the extremes are null") {
            recordBatch {
                column<Int>("int") { addAll(listOf(null, null)) }
                column<ULong>("ulong") { addAll(listOf(null, null)) }
                column<Float>("float") { addAll(listOf(null, null)) }
                column<Double>("double") { addAll(listOf(null, null)) }
                decimal("decimal", 10, 2) { addAll(listOf(null, null)) }
            }.use { batch ->
                batch.values<Int>("int").sum() shouldBe 0
                batch.values<ULong>("ulong").sum() shouldBe 0UL
                batch.values<Float>("float").sum() shouldBe 0f
                batch.values<Double>("double").sum() shouldBe 0.0
                batch.values<BigDecimal>("decimal").sum() shouldBe BigDecimal.ZERO
                val columns =
                    listOf(
                        batch.values<Int>("int"),
                        batch.values<ULong>("ulong"),
                        batch.values<Float>("float"),
                        batch.values<Double>("double"),
                        batch.values<BigDecimal>("decimal"),
                    )
                for (column in columns) {
                    column.average().isNaN() shouldBe true
                    column.minOrNull() shouldBe null
                    column.maxOrNull() shouldBe null
                }
            }
        }

        test("every number type has a sum of its own type, a mean and extremes") {
            fun <T : Any> Column<T>.shouldHave(
                sum: T,
                average: Double,
                min: T,
                max: T,
            ) {
                this.sum() shouldBe sum
                average() shouldBe average
                minOrNull() shouldBe min
                maxOrNull() shouldBe max
            }
            val top = ULong.MAX_VALUE - 10UL
            recordBatch {
                column<Byte>("byte") { addAll(listOf<Byte?>(-3, null, 1, 5)) }
                column<Short>("short") { addAll(listOf<Short?>(-300, null, 100, 500)) }
                column<UByte>("ubyte") { addAll(listOf<UByte?>(200u, null, 3u, 52u)) }
                column<UShort>("ushort") { addAll(listOf<UShort?>(60_000u, null, 3u, 0u)) }
                column<UInt>("uint") { addAll(listOf(4_000_000_000u, null, 3u, 2u)) }
                column<ULong>("ulong") { addAll(listOf(top, null, 3UL, 4UL)) }
                decimal("decimal", 10, 2) { addAll(listOf("1.10", null, "-2.05", "7").map { it?.toBigDecimal() }) }
                column<Float>("half", ArrowType.FLOAT16) { addAll(listOf(1.5f, null, -2f, 2f)) }
            }.use { batch ->
                batch.values<Byte>("byte").shouldHave(3, 1.0, -3, 5)
                batch.values<Int>("byte").shouldHave(3, 1.0, -3, 5)
                batch.values<Short>("short").shouldHave(300, 100.0, -300, 500)
                batch.values<UByte>("ubyte").shouldHave(255u, 85.0, 3u, 200u)
                batch.values<ULong>("ubyte").shouldHave(255UL, 85.0, 3UL, 200UL)
                batch.values<UShort>("ushort").shouldHave(60_003u, 20_001.0, 0u, 60_000u)
                batch.values<UInt>("uint").shouldHave(4_000_000_005u, 4_000_000_005.0 / 3, 2u, 4_000_000_000u)
                batch.values<Long>("uint").shouldHave(4_000_000_005L, 4_000_000_005.0 / 3, 2L, 4_000_000_000L)
                batch.values<ULong>("ulong").shouldHave(top + 7UL, (top + 7UL).toDouble() / 3, 3UL, top)
                batch
                    .values<BigDecimal>("decimal")
                    .shouldHave(BigDecimal("6.05"), 6.05 / 3, BigDecimal("-2.05"), BigDecimal("7.00"))
                batch.values<Float>("half").shouldHave(1.5f, 0.5, -2f, 2f)
                batch.values<BigInteger>("ulong").sum() shouldBe BigInteger("18446744073709551612")
            }
        }

        test("a sum that does not fit its type throws and names a type that it fits") {
            fun tooLarge(
                sum: () -> Any,
                wider: String,
            ) = shouldThrow<ArithmeticException> { sum() }.message shouldContain wider
            recordBatch {
                column<Byte>("byte") { addAll(listOf<Byte>(127, 1)) }
                column<Int>("int") { addAll(listOf(Int.MAX_VALUE, Int.MAX_VALUE)) }
                column<Long>("long") { addAll(listOf(Long.MIN_VALUE, -1L)) }
                column<UByte>("ubyte") { addAll(listOf<UByte>(200u, 200u)) }
                column<ULong>("ulong") { addAll(listOf(ULong.MAX_VALUE, 1UL)) }
                timestamp("at", TimeUnit.SECOND) { addAll(List(2) { LocalDateTime.of(2000, 1, 1, 0, 0) }) }
            }.use { batch ->
                tooLarge({ batch.values<Byte>("byte").sum() }, "values<Long>(\"byte\")")
                tooLarge({ batch.values<Int>("int").sum() }, "values<Long>(\"int\")")
                tooLarge({ batch.column("int").values<Int>().sum() }, "values<Long>()")
                tooLarge({ batch.values<Long>("long").sum() }, "values<BigInteger>(\"long\")")
                tooLarge({ batch.values<UByte>("ubyte").sum() }, "values<ULong>(\"ubyte\")")
                tooLarge({ batch.values<ULong>("ulong").sum() }, "values<BigInteger>(\"ulong\")")
                batch.values<Long>("int").sum() shouldBe 4294967294L
                batch.values<BigInteger>("long").sum() shouldBe BigInteger("-9223372036854775809")
                batch.values<Int>("int").average() shouldBe Int.MAX_VALUE.toDouble()
                batch.values<Long>("long").average() shouldBe Long.MIN_VALUE / 2.0
                batch.values<Long>("at").sum() shouldBe 2 * 946_684_800L
            }
        }

        test("a sum that fits is right even if a partial sum does not fit, with and without nulls") {
            for (values in listOf(
                listOf(Long.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE, 5L),
                listOf(Long.MIN_VALUE, -1L, null, 1L),
                listOf(Long.MAX_VALUE),
                listOf(Long.MIN_VALUE),
                listOf(-1L, -1L, 0xFFFF_FFFFL, null),
            )) {
                val exact = values.filterNotNull().fold(BigInteger.ZERO) { sum, it -> sum + it.toBigInteger() }
                values.toDeviceArray().use { it.values<Long>().sum() shouldBe exact.toLong() }
            }
        }

        test("floats are added as doubles and rounded once, and NaN and infinities stay") {
            val values = List(1000) { 0.1f }
            values.toDeviceArray().use { it.values<Float>().sum() shouldBe values.sumOf { it.toDouble() }.toFloat() }
            for (values in listOf(listOf(1.0, Double.NaN, 2.0), listOf(Double.NaN, null))) {
                values.toDeviceArray().use {
                    it.values<Double>().sum().isNaN() shouldBe true
                    it.values<Double>().minOrNull()!!.isNaN() shouldBe true
                    it.values<Double>().maxOrNull()!!.isNaN() shouldBe true
                }
            }
            listOf(Double.POSITIVE_INFINITY, null).toDeviceArray().use {
                it.values<Double>().minOrNull() shouldBe Double.POSITIVE_INFINITY
            }
        }

        test("values with an order have extremes, values that are not numbers have no sum, and the error says so") {
            recordBatch {
                column<String>("name") { addAll(listOf("b", null, "a")) }
                column<LocalDate>("day") { addAll(listOf(LocalDate.EPOCH, null, LocalDate.EPOCH.plusDays(1))) }
                column<ByteArray>("bytes") { addAll(listOf(byteArrayOf(1), null, byteArrayOf(2))) }
            }.use { batch ->
                batch.values<String>("name").minOrNull() shouldBe "a"
                batch.values<String>("name").maxOrNull() shouldBe "b"
                batch.values<LocalDate>("day").maxOrNull() shouldBe LocalDate.EPOCH.plusDays(1)
                shouldThrow<UnsupportedOperationException> { batch.values<String>("name").sum() }.message shouldContain
                    "column \"name\""
                shouldThrow<UnsupportedOperationException> { batch.values<String>("name").average() }
                shouldThrow<UnsupportedOperationException> { batch.values<ByteArray>("bytes").minOrNull() }
                    .message shouldContain "order"
            }
        }

        test("values are visited with their indexes, without nulls, also in a slice") {
            numbers().use { batch ->
                batch.slice(1, 3).use { slice ->
                    val seen = mutableListOf<Pair<Long, Int>>()
                    slice.values<Int>("int").forEachValueIndexed { row, value -> seen += row to value }
                    seen shouldBe listOf(1L to -1, 2L to 7)
                    slice.values<Int>("int").toIntArray(0).toList() shouldBe listOf(0, -1, 7)
                    slice.values<Int>("int").asSequence().toList() shouldBe listOf(null, -1, 7)
                }
            }
        }

        test(
            "a sum without nulls is right for slices, narrower integers and encoded arrays",
        ) {
            val rows = 0 until 3000
            recordBatch {
                column<Int>("int") { addAll(rows) }
                column<Long>("long") { addAll(rows.map { it + (1L shl 40) }) }
                column<Float>("float") { addAll(rows.map { it / 2f }) }
                column<Double>("double") { addAll(rows.map { it / 4.0 }) }
                column<Short>("short") { addAll(rows.map { it.toShort() }) }
                dictionary<Int>("dictionary") { addAll(rows.map { it % 7 }) }
                runEndEncoded<Int>("runs", ArrowType.INT32) { addAll(rows.map { if (it < 10) null else 1 }) }
            }.use { batch ->
                batch.slice(5, 2500).use { slice ->
                    val sum = (5L until 2505).sum()
                    slice.values<Int>("int").sum() shouldBe sum.toInt()
                    slice.values<Long>("int").sum() shouldBe sum
                    slice.values<Int>("short").sum() shouldBe sum.toInt()
                    slice.values<Long>("long").sum() shouldBe sum + (2500L shl 40)
                    slice.values<Float>("float").sum() shouldBe (sum / 2.0).toFloat()
                    slice.values<Double>("double").sum() shouldBe sum / 4.0
                    slice.values<Int>("dictionary").sum() shouldBe (5 until 2505).sumOf { it % 7 }
                    slice.values<Int>("runs").sum() shouldBe 2495
                }
            }
        }

        test("encoded lists and maps are read, also within lists") {
            val lists = listOf(listOf(1, 2), null, listOf(3), listOf(3), emptyList(), listOf(1, 2))
            val maps = lists.map { list -> list?.associate { "k$it" to it } }
            val encoded =
                listOf<(ArrowType) -> ArrowType>(
                    { ArrowType.dictionary(ArrowType.INT8, it, false) },
                    { ArrowType.runEndEncoded(ArrowType.INT16, it) },
                )
            for (encode in encoded) {
                val list = encode(ArrowType.list(ArrowType.INT32))
                deviceArray<List<Int>>(list) { addAll(lists) }.use { array ->
                    array.values<List<Int>>().toList() shouldBe lists
                    array.slice(2, 4).use { slice ->
                        slice.values<List<Int>>().asSequence().toList() shouldBe lists.drop(2)
                        slice.values<List<Int>>()[3] shouldBe listOf(1, 2)
                    }
                }
                deviceArray<Map<String, Int>>(encode(ArrowType.map(ArrowType.UTF8, ArrowType.INT32))) {
                    addAll(maps)
                }.use { array ->
                    array.values<Map<String, Int>>().toList() shouldBe maps
                    array.slice(2, 4).use { it.values<Map<String, Int>>().toList() shouldBe maps.drop(2) }
                }
                deviceArray<List<List<Int>?>>(ArrowType.list(list)) { add(lists) }.use { array ->
                    array.values<List<List<Int>?>>().toList() shouldBe listOf(lists)
                }
            }
        }

        test("each batch of a stream is closed after its block, even if the block throws") {
            val schema = schema { field<Int>("n") }
            val batches = { generateSequence { recordBatch(schema) { row(1) } }.take(3) }
            batches().toDeviceArrayStream(schema).use { stream ->
                var rows = 0L
                stream.forEachBatch { rows += it.rowCount }
                rows shouldBe 3L
            }
            val buffers = ArrowCounters.now().hostBuffers()
            batches().toDeviceArrayStream(schema).use { stream ->
                shouldThrow<IllegalStateException> { stream.forEachBatch { error("enough") } }.message shouldBe "enough"
                stream.asSequence().map { it.values<Int>("n").sum() }.toList() shouldBe listOf(1, 1)
            }
            ArrowCounters.now().hostBuffers() shouldBe buffers
        }
    })
