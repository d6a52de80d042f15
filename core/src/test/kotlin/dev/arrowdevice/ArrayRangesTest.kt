package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.arrayOf
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.time.LocalDate

class ArrayRangesTest :
    FunSpec({
        extension(MemoryBalance())

        test("a range of a slice is copied to the requested place, and nothing else is changed") {
            arrayOf(ArrowType.INT64, *Array(20) { it.toLong() }).use { array ->
                array.slice(5, 10).use { slice ->
                    val target = LongArray(6) { -1 }
                    slice.getLongs(2, target, 1, 4)
                    target.toList() shouldBe listOf(-1L, 7, 8, 9, 10, -1)
                }
            }
        }

        test("a range outside of the array or of the target is refused") {
            arrayOf(ArrowType.INT32, 1, 2, 3).use { array ->
                array.slice(0, 2).use { slice ->
                    shouldThrow<IndexOutOfBoundsException> { slice.getInts(1, IntArray(8), 0, 2) }
                    shouldThrow<IndexOutOfBoundsException> { slice.getInts(0, IntArray(1), 0, 2) }
                    shouldThrow<IndexOutOfBoundsException> { slice.getInts(-1, IntArray(8), 0, 1) }
                }
            }
        }

        test("nulls are refused, or replaced by a value") {
            arrayOf(ArrowType.INT32, 1, null, 3).use { array ->
                shouldThrow<IllegalStateException> { array.toIntArray() }.message shouldContain "index 1 is null"
                array.toIntArray(-1).toList() shouldBe listOf(1, -1, 3)
                array.toValidityArray().toList() shouldBe listOf(true, false, true)
                array.toLongArray(-1).toList() shouldBe listOf(1L, -1, 3)
            }
        }

        test("narrower values are widened, unsigned ones as unsigned") {
            arrayOf(ArrowType.UINT8, 255, 1).use { it.toIntArray().toList() shouldBe listOf(255, 1) }
            arrayOf(ArrowType.INT16, -2, 1).use { it.toLongArray().toList() shouldBe listOf(-2L, 1) }
            arrayOf(ArrowType.UINT32, 4294967295L).use { it.toLongArray().toList() shouldBe listOf(4294967295L) }
            arrayOf(ArrowType.FLOAT32, 0.5f).use { it.toDoubleArray().toList() shouldBe listOf(0.5) }
        }

        test("values of dictionary-encoded and run-end-encoded arrays are read") {
            arrayOf(ArrowType.dictionary(ArrowType.INT8, ArrowType.INT32, false), 7, null, 7, 9).use {
                it.toIntArray(0).toList() shouldBe listOf(7, 0, 7, 9)
            }
            arrayOf(ArrowType.runEndEncoded(ArrowType.INT16, ArrowType.FLOAT64), 1.5, 1.5, 2.5).use { array ->
                array.slice(1, 2).use { it.toDoubleArray().toList() shouldBe listOf(1.5, 2.5) }
            }
        }

        test("dates and timestamps are read as their raw numbers") {
            arrayOf(
                ArrowType.DATE32,
                LocalDate.ofEpochDay(3),
            ).use { it.toIntArray().toList() shouldBe listOf(3) }
            arrayOf(ArrowType.timestamp(TimeUnit.SECOND, "UTC"), java.time.Instant.ofEpochSecond(5)).use {
                it.toLongArray().toList() shouldBe listOf(5L)
            }
        }

        test("the error for a wrong type names the values that it has") {
            arrayOf(ArrowType.UTF8, "a").use { array ->
                shouldThrow<UnsupportedOperationException> { array.toIntArray() }.message shouldBe
                    "an array of type utf8 has no int values; getString reads its values"
            }
        }

        test("booleans and bytes are read at any offset") {
            arrayOf(ArrowType.BOOL, *Array(21) { it % 3 == 0 }).use { array ->
                array.slice(7, 11).use {
                    it.toBooleanArray().toList() shouldBe List(11) { i -> (i + 7) % 3 == 0 }
                }
            }
            arrayOf(ArrowType.INT8, 1, -1).use { it.toByteArray().toList() shouldBe listOf<Byte>(1, -1) }
        }
    })
