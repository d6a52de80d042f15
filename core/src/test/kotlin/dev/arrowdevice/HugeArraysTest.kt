package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.arrayOf
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

private const val HUGE = 1L shl 56

private fun data(
    type: ArrowType,
    length: Long,
    buffers: Array<DeviceBuffer?>,
    vararg children: ArrayData,
) = ArrayData(type, Device.CPU, length, 0, 0, buffers, children, null)

private fun nulls(length: Long) = ArrayData(ArrowType.NULL, Device.CPU, length, 0, length, arrayOf(), arrayOf(), null)

private fun longs(vararg values: Long): DeviceBuffer =
    CpuRuntime.INSTANCE.allocate(8L * values.size).also { buffer ->
        values.forEachIndexed { i, value -> buffer.memory().putLong(8L * i, value) }
    }

private fun array(
    data: ArrayData,
    vararg buffers: DeviceBuffer,
): DeviceArray = OwnedArrays.of(data, ReferenceCounted.all(*buffers.map { it.owner }.toTypedArray()))

/** Runs of int64, which end at the last of these ends. */
private fun runs(
    ends: LongArray,
    values: LongArray,
): DeviceArray {
    val buffers = listOf(longs(*ends), longs(*values))
    val (runEnds, runValues) =
        buffers.map { data(ArrowType.INT64, ends.size.toLong(), arrayOf(null, it)) }
    val type = ArrowType.runEndEncoded(ArrowType.INT64, ArrowType.INT64)
    return array(data(type, ends.last(), arrayOf(), runEnds, runValues), *buffers.toTypedArray())
}

/** What a block returns; fails if that takes longer than any block without a loop over all elements. */
private fun <T> soon(block: () -> T): T = CompletableFuture.supplyAsync(block).get(20, TimeUnit.SECONDS)

/** Arrays of more elements than a loop could visit, which need hardly any memory. */
class HugeArraysTest :
    FunSpec({
        extension(MemoryBalance())

        fun case(
            name: String,
            make: () -> DeviceArray,
        ) = test("$name equals another one at once") {
            make().use { left ->
                make().use { right -> soon { left.valuesEqual(right) } shouldBe true }
                left.slice(5, left.length - 5).use { slice -> soon { slice.valuesEqual(slice) } shouldBe true }
            }
        }

        case("an array of 2⁵⁶ nulls") { array(nulls(HUGE)) }
        case("2⁵⁶ binaries of no bytes") {
            val bytes = longs(0)
            array(data(ArrowType.fixedSizeBinary(0), HUGE, arrayOf(null, bytes)), bytes)
        }
        case("an extension of 2⁵⁶ nulls") {
            array(nulls(HUGE).withType(ArrowType.extension("acme.void", ArrowType.NULL, ByteArray(0))))
        }
        case("a struct of 2⁵⁶ nulls") {
            val type = ArrowType.struct(Field.nullable("a", ArrowType.NULL))
            array(data(type, HUGE, arrayOf(null), nulls(HUGE)))
        }
        case("2⁵⁶ structs without fields") { array(data(ArrowType.struct(), HUGE, arrayOf(null))) }
        case("2⁵⁶ lists of no elements") {
            array(data(ArrowType.fixedSizeList(ArrowType.INT8, 0), HUGE, arrayOf(null), arrayOf(ArrowType.INT8).data()))
        }
        case("2⁵⁴ lists of three nulls") {
            array(data(ArrowType.fixedSizeList(ArrowType.NULL, 3), HUGE / 4, arrayOf(null), nulls(HUGE)))
        }
        case("six lists of 2⁵⁰ nulls") {
            val offsets = longs(*LongArray(7) { it * (1L shl 50) })
            array(data(ArrowType.largeList(ArrowType.NULL), 6, arrayOf(null, offsets), nulls(HUGE)), offsets)
        }
        case("a run of 2⁵⁶ elements") { runs(longArrayOf(3, HUGE), longArrayOf(7, 8)) }

        test("runs are compared by their values, wherever they end") {
            runs(longArrayOf(3, 10, HUGE), longArrayOf(7, 8, 8)).use { left ->
                runs(longArrayOf(1, 3, HUGE), longArrayOf(7, 7, 8)).use { soon { it.valuesEqual(left) } shouldBe true }
                runs(longArrayOf(4, HUGE), longArrayOf(7, 8)).use { soon { it.valuesEqual(left) } shouldBe false }
                runs(longArrayOf(3, HUGE - 1, HUGE), longArrayOf(7, 8, 9)).use {
                    soon { it.valuesEqual(left) } shouldBe
                        false
                }
                left.slice(3, HUGE - 3).use { slice ->
                    slice.borrow { reader -> listOf(0L, 6L, 7L, HUGE - 4).map(reader::runIndex) } shouldBe
                        listOf(1L, 1L, 2L, 2L)
                    slice.borrow { reader -> reader.child(1).getLong(reader.runIndex(0)) } shouldBe 8L
                    shouldThrow<IndexOutOfBoundsException> { slice.borrow { it.runIndex(HUGE - 3) } }
                }
            }
        }

        test("values of other types are compared as before, in slices too") {
            val type = ArrowType.struct(Field.nullable("a", ArrowType.fixedSizeList(ArrowType.INT8, 2)))
            val rows = listOf(listOf(listOf(1, 2)), listOf(listOf(3, 4)), listOf(listOf(1, 2)), listOf(listOf(3, 5)))
            arrayOf(type, *rows.toTypedArray()).use { array ->
                fun same(
                    from: Long,
                    other: Long,
                    count: Long,
                ) = array.slice(from, count).use { left -> array.slice(other, count).use { left.valuesEqual(it) } }
                same(0, 2, 1) shouldBe true
                same(1, 3, 1) shouldBe false
                same(0, 2, 2) shouldBe false
                same(0, 2, 0) shouldBe true
            }
        }
    })

/** The structure of an array without rows, which needs no memory. */
private fun DeviceArray.data(): ArrayData = use { it.data }
