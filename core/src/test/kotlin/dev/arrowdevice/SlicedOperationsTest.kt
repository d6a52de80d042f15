package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.math.BigDecimal

private const val ROWS = 150

private val point = ArrowType.struct(Field.nullable("x", ArrowType.INT32), Field.nullable("y", ArrowType.UTF8))
private val either = listOf(Field.nullable("i", ArrowType.INT32), Field.nullable("s", ArrowType.UTF8))

/** A value of each layout for a number, so that neighbours differ; some are long enough to be outside of a view. */
private val layouts: Map<ArrowType, (Int) -> Any> =
    mapOf(
        ArrowType.BOOL to { it % 3 == 0 },
        ArrowType.INT8 to { (it % 100).toByte() },
        ArrowType.INT16 to { it.toShort() },
        ArrowType.INT32 to { it },
        ArrowType.INT64 to { it.toLong() shl 33 },
        ArrowType.decimal128(20, 2) to { BigDecimal.valueOf(it.toLong(), 2) },
        ArrowType.decimal256(50, 2) to { BigDecimal.valueOf(it.toLong(), 2) },
        ArrowType.fixedSizeBinary(3) to { byteArrayOf(1, it.toByte(), 2) },
        ArrowType.UTF8 to ::text,
        ArrowType.LARGE_UTF8 to ::text,
        ArrowType.UTF8_VIEW to ::text,
        ArrowType.list(ArrowType.INT32) to ::numbers,
        ArrowType.largeList(ArrowType.INT32) to ::numbers,
        ArrowType.listView(ArrowType.INT32) to ::numbers,
        ArrowType.largeListView(ArrowType.INT32) to ::numbers,
        ArrowType.fixedSizeList(ArrowType.INT32, 2) to { listOf(it, it + 1) },
        point to { mapOf("x" to it, "y" to text(it)) },
        ArrowType.map(ArrowType.UTF8, ArrowType.INT32) to { mapOf(text(it) to it) },
        ArrowType.dictionary(ArrowType.INT16, ArrowType.UTF8) to { text(it % 7) },
        ArrowType.runEndEncoded(ArrowType.INT32, ArrowType.UTF8) to { text(it / 4) },
        ArrowType.sparseUnion(listOf(0, 1), either) to { if (it % 2 == 0) it else text(it) },
        ArrowType.denseUnion(listOf(0, 1), either) to { if (it % 2 == 0) it else text(it) },
    )

private fun text(number: Int): String = if (number % 5 == 0) "a longer text, number $number" else "n$number"

private fun numbers(number: Int): List<Int?> = List(number % 4) { if (it == 2) null else number + it }

/** Every eleventh value is null. */
private fun build(
    type: ArrowType,
    from: Int,
    value: (Int) -> Any,
): DeviceArray = deviceArray<Any>(type) { for (i in from until from + ROWS) add(if (i % 11 == 4) null else value(i)) }

private fun valuesOf(array: ArrayView): List<Any?> =
    List(array.length.toInt()) { i -> array.getObject(i.toLong()).let { if (it is ByteArray) it.toList() else it } }

/** An array that has the nulls of one array, and under them the values of another. */
private fun overlaid(
    nulls: ArrayView,
    values: ArrayView,
    dictionary: ArrayView? = null,
): DeviceArray {
    val data = nulls.data
    val buffers = arrayOf<DeviceBuffer?>(data.validity, values.data.buffer(1))
    val type = if (dictionary == null) data.type else ArrowType.dictionary(ArrowType.INT8, dictionary.type, false)
    val whole = ArrayData(type, Device.CPU, data.length, 0, data.nullCount, buffers, arrayOf(), dictionary?.data)
    return OwnedArrays.of(whole, ReferenceCounted.nothing())
}

/** Operations on slices, against the values of the slice. */
class SlicedOperationsTest :
    FunSpec({
        extension(MemoryBalance())

        test("filter, take and concat of a slice, for each layout") {
            for ((type, value) in layouts) {
                withClue(type.toString()) {
                    build(type, 0, value).use { array ->
                        build(type, 300, value).use { other ->
                            array.slice(5, ROWS - 9L).use { slice ->
                                other.slice(3, 70).use { second -> check(slice, second) }
                            }
                        }
                    }
                }
            }
        }

        test("dictionaryEncode, decode and cast of a slice") {
            build(ArrowType.INT32, 0) { it % 9 }.use { array ->
                array.slice(5, 90).use { slice ->
                    val values = valuesOf(slice)
                    slice.dictionaryEncode().use { encoded ->
                        valuesOf(encoded) shouldBe values
                        encoded.slice(3, 50).use { part ->
                            part.decode().use { valuesOf(it) shouldBe values.subList(3, 53) }
                        }
                    }
                    slice.cast(ArrowType.INT64).use { valuesOf(it) shouldBe values.map { v -> (v as Int?)?.toLong() } }
                }
            }
        }

        test("a mask's null counts as false, whatever bit is under it") {
            deviceArray<Int> { addAll(0 until 4) }.use { array ->
                deviceArrayOf(true, null, false, null).use { nulls ->
                    deviceArrayOf(true, true, false, true).use { bits ->
                        overlaid(nulls, bits).use { mask -> array.filter(mask).use { valuesOf(it) shouldBe listOf(0) } }
                    }
                }
            }
        }

        test("a dictionary's index is checked where dictionaries are joined, and not under a null") {
            val type = ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, false)
            deviceArray<String>(type) { add("c") }.use { first ->
                deviceArrayOf("a", "b").use { words ->
                    for ((nulls, indices) in listOf<Pair<List<Byte?>, List<Byte>>>(
                        listOf<Byte?>(1, null, 0) to listOf<Byte>(1, 99, 0),
                        listOf<Byte?>(0, 0) to listOf<Byte>(0, 2),
                        listOf<Byte?>(0, 0) to listOf<Byte>(0, -1),
                    )) {
                        nulls.toDeviceArray<Byte>().use { bitmap ->
                            indices.toDeviceArray<Byte>().use { values ->
                                overlaid(bitmap, values, words).use { array ->
                                    if (null in nulls) {
                                        DeviceArray.concat(listOf(first, array)).use {
                                            valuesOf(it) shouldBe listOf("c", "b", null, "a")
                                        }
                                    } else {
                                        shouldThrow<IllegalStateException> {
                                            DeviceArray.concat(listOf(first, array))
                                        }.message shouldContain "index 1 has index ${indices[1]} of a dictionary of 2"
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }

        test("run ends count as far as their type does, and no further") {
            val type = ArrowType.runEndEncoded(ArrowType.INT16, ArrowType.INT32)

            fun run(length: Long) = deviceArray<Any>(type) { addRun(7, length) }
            run(Short.MAX_VALUE - 1L).use { long ->
                run(1).use { one ->
                    DeviceArray.concat(listOf(long, one)).use { it.getInt(Short.MAX_VALUE - 1L) shouldBe 7 }
                }
                run(2).use { two ->
                    val said = shouldThrow<IllegalArgumentException> { DeviceArray.concat(listOf(long, two)) }.message
                    said shouldContain "32768 elements"
                }
            }
        }
    })

private fun check(
    slice: DeviceArray,
    second: DeviceArray,
) {
    val values = valuesOf(slice)
    // Single elements, whole words, and a last word that is full and short.
    val kept = values.indices.filter { it in 3..5 || it in 40..100 || it >= 110 || it % 3 == 0 }.toSet()
    slice.filter { it.toInt() in kept }.use { valuesOf(it) shouldBe values.filterIndexed { i, _ -> i in kept } }
    val late = values.indices.toSet() - 0
    slice.filter { it.toInt() in late }.use { valuesOf(it) shouldBe values.drop(1) }
    deviceArray<Boolean> { for (i in -7 until values.size) add(i in kept) }.use { mask ->
        mask.slice(7, values.size.toLong()).use { bits ->
            slice.filter(bits).use { valuesOf(it) shouldBe values.filterIndexed { i, _ -> i in kept } }
        }
    }
    val order = listOf(values.size - 1, 0, 7, 7, 8, 9, 50, values.size - 1)
    slice.take(*order.map { it.toLong() }.toLongArray()).use { valuesOf(it) shouldBe order.map(values::get) }
    deviceArray<Int> { addAll(listOf(-1, null) + order + null) }.use { all ->
        all.slice(1, order.size + 2L).use { indices ->
            slice.take(indices).use { valuesOf(it) shouldBe listOf(null) + order.map(values::get) + null }
        }
    }
    DeviceArray.concat(listOf(slice, second, slice)).use { valuesOf(it) shouldBe values + valuesOf(second) + values }
}
