package dev.arrowdevice.builder

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.math.BigInteger

/** Values go to memory block by block: what lies on both sides of a border must be the same as what was appended. */
class BlocksTest :
    FunSpec({
        extension(MemoryBalance())

        /** Past the first block, the second and some more, and the border of no byte. */
        val counts = listOf(0, 1, 63, 64, 65, 575, 576, 577, 1100)

        val integers =
            listOf(
                ArrowType.INT8 to (-128L to 127L),
                ArrowType.UINT8 to (0L to 255L),
                ArrowType.INT16 to (-32768L to 32767L),
                ArrowType.UINT16 to (0L to 65535L),
                ArrowType.INT32 to (Int.MIN_VALUE.toLong() to Int.MAX_VALUE.toLong()),
                ArrowType.UINT32 to (0L to 0xFFFF_FFFFL),
                ArrowType.INT64 to (Long.MIN_VALUE to Long.MAX_VALUE),
            )

        integers.forEach { (type, range) ->
            test("$type keeps its smallest and largest values and nulls across blocks") {
                val values = listOf(range.first, null, range.second, 1L)
                counts.forEach { count ->
                    val expected = List(count) { values[it % values.size] }
                    build(type) { expected.forEach { if (it == null) appendNull() else append(it) } }.use { array ->
                        array.nullCount shouldBe expected.count { it == null }.toLong()
                        array.objects().map { (it as Number?)?.toLong() } shouldBe expected
                    }
                }
            }

            test("$type refuses what is out of its range and stays as it was") {
                ArrayBuilder.of(type).use { builder ->
                    builder.append(range.second)
                    val beyond = BigInteger.valueOf(range.second) + BigInteger.ONE
                    messageOf { builder.append(beyond) }
                    messageOf { builder.append(BigInteger.valueOf(range.first) - BigInteger.ONE) }
                    if (range.second < Long.MAX_VALUE) messageOf { builder.append(range.second + 1) }
                    if (range.second < Int.MAX_VALUE) messageOf { builder.append(range.second.toInt() + 1) }
                    builder.length shouldBe 1
                    builder.append(range.first)
                    builder.finish().use {
                        it.objects().map { n -> (n as Number).toLong() } shouldBe listOf(range.second, range.first)
                    }
                }
            }
        }

        test("uint64 takes all 64 bits, one by one and as a BigInteger") {
            val largest = BigInteger.ONE.shiftLeft(64) - BigInteger.ONE
            build(ArrowType.UINT64) {
                appendUnsigned(-1)
                append(largest)
                append(0L)
                messageOf { append(-1L) }
                messageOf { append(largest + BigInteger.ONE) }
            }.use { array -> List(3) { array.getLong(it.toLong()) } shouldBe listOf(-1L, -1L, 0L) }
        }

        test("floating point numbers keep their bits across blocks, and nulls lie where they were") {
            listOf(ArrowType.FLOAT16, ArrowType.FLOAT32, ArrowType.FLOAT64).forEach { type ->
                counts.forEach { count ->
                    val expected = List(count) { if (it % 5 == 4) null else it * 0.5 - 7 }
                    build(type) { expected.forEach { if (it == null) appendNull() else append(it) } }.use { array ->
                        array.objects().map { (it as Number?)?.toDouble() } shouldBe expected
                    }
                }
            }
        }

        test("values in bulk come behind those that were appended one by one before, and in front of those after") {
            counts.forEach { count ->
                val bulk = IntArray(70) { -it }
                val valid = BooleanArray(70) { it % 3 != 0 }
                build(ArrowType.INT32) {
                    repeat(count) { append(it) }
                    appendNull()
                    appendAll(bulk, valid)
                    append(count)
                }.use { array ->
                    array.objects() shouldBe
                        List(count) { it } + null + List(70) { if (valid[it]) bulk[it] else null } + count
                }
            }
        }

        test("flags that say null are refused where none is allowed, and the values before them stay") {
            ArrayBuilder.of(Field.notNull("n", ArrowType.INT64)).use { builder ->
                messageOf { builder.appendAll(longArrayOf(1, 2, 3), booleanArrayOf(true, false, true)) }
                messageOf { builder.appendAll(longArrayOf(1), booleanArrayOf()) }
                builder.finish().use { it.objects() shouldBe listOf(1L) }
            }
        }

        test("a builder that finished starts again from nothing, nulls too") {
            ArrayBuilder.of(ArrowType.INT16).use { builder ->
                repeat(100) { builder.appendNull() }
                builder.finish().use { it.nullCount shouldBe 100 }
                repeat(100) { builder.append(it) }
                builder.finish().use { it.objects() shouldBe List(100) { n -> n.toShort() } }
            }
        }
    })
