package dev.arrowdevice.builder

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.Field
import dev.arrowdevice.TimeUnit
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.math.BigDecimal
import java.math.BigInteger
import java.time.Instant
import java.time.Period
import java.time.ZoneOffset
import java.util.AbstractMap.SimpleEntry
import java.util.UUID

/** Which values are one entry of a dictionary, or one run: those that the type stores alike. */
class EqualValuesTest :
    FunSpec({
        extension(MemoryBalance())

        fun dictionary(type: ArrowType) = ArrowType.dictionary(ArrowType.INT8, type, false)

        fun runs(type: ArrowType) = ArrowType.runEndEncoded(ArrowType.INT32, type)

        val choice =
            ArrowType.denseUnion(
                listOf(0, 1),
                listOf(Field.nullable("name", ArrowType.UTF8), Field.nullable("items", ArrowType.list(ArrowType.UTF8))),
            )
        val id = UUID(1, 2)
        val noon = Instant.parse("2024-05-01T12:00:00Z")

        /** Values that a type stores alike. */
        val same =
            listOf(
                ArrowType.INT64 to listOf(5, 5L, 5.toShort(), BigInteger.valueOf(5)),
                ArrowType.FLOAT32 to listOf(0.1f, 0.1, (0.1f).toDouble()),
                ArrowType.FLOAT64 to listOf(1.0, 1f, 1, 1L, BigInteger.ONE),
                ArrowType.FLOAT16 to listOf(0.1f, 0.1),
                ArrowType.timestamp(TimeUnit.SECOND, "UTC") to
                    listOf(noon, noon.atOffset(ZoneOffset.ofHours(3)), noon.atZone(ZoneOffset.UTC), noon.epochSecond),
                ArrowType.decimal128(5, 2) to listOf(BigDecimal("1"), BigDecimal("1.00"), BigInteger.ONE),
                ArrowType.UTF8 to listOf("a", StringBuilder("a")),
                ArrowType.uuid() to
                    listOf(
                        id,
                        ByteArray(16).also {
                            it[7] = 1
                            it[15] = 2
                        },
                    ),
                ArrowType.INTERVAL_DAY_TIME to listOf(DayTimeInterval(2, 0), Period.ofDays(2)),
                ArrowType.list(ArrowType.FLOAT32) to listOf(listOf(0.1f, null), listOf(0.1, null), arrayOf(0.1, null)),
                ArrowType.struct(Field.nullable("a", ArrowType.INT8), Field.nullable("b", ArrowType.INT8)) to
                    listOf(mapOf("a" to 1, "b" to null), mapOf("a" to 1L), listOf(1, null)),
                ArrowType.map(ArrowType.UTF8, ArrowType.INT8) to
                    listOf(linkedMapOf("a" to 1, "b" to 2), listOf(SimpleEntry("a", 1L), SimpleEntry("b", 2L))),
                choice to listOf(SimpleEntry("name", "x"), SimpleEntry(0, "x")),
            )

        /** Values of which no two are stored alike. */
        val different =
            listOf(
                choice to listOf(SimpleEntry("name", "x"), listOf("name", "x"), SimpleEntry("items", listOf("x"))),
                ArrowType.map(ArrowType.UTF8, ArrowType.INT8) to
                    listOf(linkedMapOf("a" to 1, "b" to 2), linkedMapOf("b" to 2, "a" to 1), mapOf<String, Int>()),
                ArrowType.FLOAT64 to listOf(0.1f, 0.1, 0.0, -0.0),
                ArrowType.UTF8 to listOf("a", "A", ""),
                ArrowType.sparseUnion(
                    listOf(0, 1),
                    listOf(Field.nullable("a", ArrowType.INT64), Field.nullable("b", ArrowType.INT64)),
                ) to listOf(SimpleEntry("a", 1), SimpleEntry("b", 1)),
            )

        test("values that the type stores alike are one entry of a dictionary, and one run") {
            same.forEach { (type, values) ->
                listOf(dictionary(type), runs(type)).forEach { encoded ->
                    build(encoded) {
                        appendAll(values)
                        withClue("$encoded") { storedLength shouldBe 1 }
                    }.use { array -> array.objects().distinct().size shouldBe 1 }
                }
            }
        }

        test("values that the type stores differently are neither one entry nor one run") {
            different.forEach { (type, values) ->
                val expected = arrayOf(type, *values.toTypedArray()).use { array -> array.objects().map { "$it" } }
                listOf(dictionary(type), runs(type)).forEach { encoded ->
                    build(encoded) {
                        appendAll(values)
                        withClue("$encoded") { storedLength shouldBe values.size }
                    }.use { array -> array.objects().map { "$it" } shouldBe expected }
                }
            }
        }

        test("a dictionary that was given takes a value in each class that the type takes") {
            same.filter { (type, _) -> type != choice }.forEach { (type, values) ->
                arrayOf(type, values[0]).use { dictionary ->
                    build(dictionary(type)) {
                        useDictionary(dictionary)
                        withClue("$type") { appendAll(values) }
                    }.use { it.length shouldBe values.size }
                }
            }
        }

        test("a value that a type refuses is refused also where an entry looks like it") {
            build(dictionary(ArrowType.FLOAT32)) {
                append(16777216f)
                messageOf { append(16777217) }
                messageOf { append(1e300) }
                append(16777216)
                storedLength shouldBe 1
            }.close()
        }

        test("a union takes a value with the next child where one refuses it, and names the first refusal") {
            val numbers = listOf(Field.nullable("a", ArrowType.INT8), Field.nullable("b", ArrowType.INT64))
            listOf(
                ArrowType.sparseUnion(listOf(0, 1), numbers),
                ArrowType.denseUnion(listOf(0, 1), numbers),
            ).forEach { type ->
                build(type) {
                    appendAll(listOf(3, 300L, -129))
                    messageOf { append(BigInteger.TWO.pow(70)) }
                    append(4)
                }.use { it.objects() shouldBe listOf(3.toByte(), 300L, -129L, 4.toByte()) }
            }
        }

        test("sorted keys of several classes are refused, since no order is known") {
            build(ArrowType.map(Field.notNull("key", ArrowType.INT64), Field.nullable("value", ArrowType.INT8), true)) {
                messageOf { append(mapOf<Any, Int>(3L to 1, 2 to 2)) }
                append(mapOf(3L to 1, 2L to 2))
            }.use { it.objects() shouldBe listOf(listOf(2L to 2.toByte(), 3L to 1.toByte())) }
        }
    })
