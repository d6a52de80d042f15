package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

private fun words(vararg values: String?): DeviceArray =
    deviceArray<String>(ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8)) { addAll(values.toList()) }

class ArrayOperationsTest :
    FunSpec({
        extension(MemoryBalance())

        test("a mask of the wrong type or length is refused") {
            deviceArrayOf(1, 2, 3).use { array ->
                deviceArrayOf(true, false).use { mask ->
                    shouldThrow<IllegalArgumentException> { array.filter(mask) }.message shouldBe
                        "filter: a mask of length 2 for 3 elements"
                }
                shouldThrow<IllegalArgumentException> { array.filter(array) }.message shouldBe
                    "filter: a mask is an array of type bool, not int32"
            }
        }

        test("an index that is out of range is named with its position, for every integer type") {
            deviceArrayOf(1, 2, 3).use { array ->
                listOf(ArrowType.INT8, ArrowType.UINT16, ArrowType.INT32, ArrowType.UINT32, ArrowType.INT64)
                    .forEach { type ->
                        deviceArray<Any>(type) { addAll(listOf(0, null, 3)) }.use { indices ->
                            shouldThrow<IndexOutOfBoundsException> { array.take(indices) }.message shouldBe
                                "take: index 3 at position 2 of the indices is outside of an array of length 3"
                        }
                    }
                deviceArrayOf(2L, -1L).use { indices ->
                    shouldThrow<IndexOutOfBoundsException> { array.take(indices) }.message shouldBe
                        "take: index -1 at position 1 of the indices is outside of an array of length 3"
                }
                deviceArrayOf(-1L, null).use { indices ->
                    shouldThrow<IndexOutOfBoundsException> { array.take(indices) }.message shouldContain "index -1"
                }
                deviceArray<Any>(ArrowType.UINT64) { add("18446744073709551615".toBigInteger()) }.use { indices ->
                    shouldThrow<IndexOutOfBoundsException> { array.take(indices) }.message shouldContain
                        "index 18446744073709551615 at position 0"
                }
                shouldThrow<IndexOutOfBoundsException> { array.take(0, 3) }.message shouldContain
                    "index 3 at position 1"
                deviceArrayOf(1.0).use { indices ->
                    shouldThrow<IllegalArgumentException> { array.take(indices) }.message shouldBe
                        "take: indices are an array of integers, not float64"
                }
            }
        }

        test("indices are checked also for values that take no memory") {
            val none = ArrowType.struct(listOf())
            val types =
                listOf(ArrowType.NULL, none, ArrowType.fixedSizeBinary(0), ArrowType.fixedSizeList(ArrowType.NULL, 0))
            types.forEach { type ->
                deviceArray<Any>(type) { addNull() }.use { array ->
                    deviceArrayOf(0, 1).use { indices ->
                        shouldThrow<IndexOutOfBoundsException> { array.take(indices) }.message shouldContain "index 1 "
                    }
                }
            }
        }

        test("an index under a null is not looked at") {
            deviceArrayOf(1, 2, 3).use { array ->
                deviceArrayOf(2, 77).use { plain ->
                    deviceArrayOf(2, null).use { nulls ->
                        val buffers = arrayOf<DeviceBuffer?>(nulls.data.buffer(0), plain.data.buffer(1))
                        val data = ArrayData(ArrowType.INT32, Device.CPU, 2, 0, 1, buffers, arrayOf(), null)
                        OwnedArrays.of(data, ReferenceCounted.nothing()).use { indices ->
                            array.take(indices).use { it.getObjects() shouldBe listOf(3, null) }
                        }
                    }
                }
            }
        }

        test("concat of unequal types names both") {
            deviceArrayOf(1, 2).use { ints ->
                deviceArrayOf(1L).use { longs ->
                    shouldThrow<IllegalArgumentException> { DeviceArray.concat(listOf(ints, longs)) }.message shouldBe
                        "concat: array 1 is int64, and array 0 is int32; types, with the names and nullability of " +
                        "fields, must be equal"
                }
            }
        }

        test("concat unifies dictionaries: that of the first array, and behind it what others add") {
            words("a", "b", null).use { first ->
                words("b", "c", "a").use { second ->
                    DeviceArray.concat(listOf(first, second)).use { both ->
                        both.getObjects() shouldBe listOf("a", "b", null, "b", "c", "a")
                        both.dictionary.getObjects() shouldBe listOf("a", "b", "c")
                    }
                }
            }
        }

        test("concat shares a dictionary that all arrays have, or that others add nothing to") {
            words("a", "b").use { array ->
                val before = ArrowCounters.now().hostBuffers()
                array.slice(1, 1).use { slice ->
                    DeviceArray
                        .concat(
                            listOf(array, slice),
                        ).use { ArrowCounters.now().hostBuffers() - before shouldBe 1 }
                }
                words("b").use { other ->
                    val then = ArrowCounters.now().hostBuffers()
                    DeviceArray.concat(listOf(array, other)).use {
                        ArrowCounters.now().hostBuffers() - then shouldBe 1
                        it.getObjects() shouldBe listOf("a", "b", "b")
                    }
                }
            }
        }

        test("what is shared lives as long as the result") {
            val result =
                words("a", "b").use { array -> array.filter { it == 1L } }
            result.use { it.getObjects() shouldBe listOf("b") }
            val views = deviceArray<String>(ArrowType.UTF8_VIEW) { add("a text that is longer than twelve bytes") }
            val both = views.use { DeviceArray.concat(listOf(it, it)) }
            both.use { it.getObjects().toSet().size shouldBe 1 }
        }

        test("more values than the index type counts are refused, and so are orders that don't agree") {
            words(*Array(100) { "a$it" }).use { first ->
                words(*Array(100) { "b$it" }).use { second ->
                    shouldThrow<IllegalArgumentException> { DeviceArray.concat(listOf(first, second)) }.message shouldBe
                        "concat: the dictionaries have 200 different values together, more than indices of int8 can " +
                        "count; cast to a wider index type first"
                }
            }
            val ordered = ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, true)
            deviceArray<String>(ordered) { addAll(listOf("low", "high")) }.use { first ->
                deviceArray<String>(ordered) { addAll(listOf("high", "low")) }.use { second ->
                    shouldThrow<IllegalArgumentException> {
                        DeviceArray.concat(
                            listOf(first, second),
                        )
                    }.message shouldContain
                        "ordered dictionaries have values in different orders"
                }
                deviceArray<String>(ordered) { addAll(listOf("high", "highest")) }.use { second ->
                    DeviceArray.concat(listOf(first, second)).use {
                        it.dictionary.getObjects() shouldBe listOf("low", "high", "highest")
                    }
                }
            }
        }

        test("a result that run ends can't count is refused") {
            deviceArray<Int>(ArrowType.runEndEncoded(ArrowType.INT16, ArrowType.INT32)) { repeat(20_000) { add(7) } }
                .use { array ->
                    shouldThrow<IllegalArgumentException> {
                        DeviceArray.concat(
                            listOf(array, array),
                        )
                    }.message shouldContain
                        "the result has 40000 elements, more than"
                    shouldThrow<IllegalArgumentException> { array.take(*LongArray(40_000)) }.message shouldContain
                        "take: "
                }
        }

        test("a null index is refused for a type that has no nulls") {
            val union = ArrowType.denseUnion(listOf(0), listOf(Field.notNull("a", ArrowType.INT32)))
            deviceArray<Int>(union) { add(1) }.use { array ->
                deviceArrayOf<Int>(0, null).use { indices ->
                    shouldThrow<IllegalArgumentException> { array.take(indices) }.message shouldContain
                        "take: a null index makes a null, which dense_union"
                }
            }
        }

        test("dictionaryEncode has the values in the order of their first occurrence, and nulls as null indices") {
            deviceArrayOf("b", null, "a", "b").use { array ->
                array.dictionaryEncode().use {
                    it.type shouldBe ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8)
                    it.getObjects() shouldBe listOf("b", null, "a", "b")
                    it.dictionary.getObjects() shouldBe listOf("b", "a")
                    it.decode().use { plain -> plain.valuesEqual(array) shouldBe true }
                }
            }
            deviceArrayOf(Double.NaN, 0.0, -0.0, Double.NaN).use { array ->
                array.dictionaryEncode(ArrowType.UINT8).use { it.dictionary.length shouldBe 3 }
            }
        }

        test("what is encoded, or is not, is shared where that is asked for") {
            words("a", "b").use { array ->
                val buffers = ArrowCounters.now().hostBuffers()
                array.dictionaryEncode(ArrowType.INT8).use { ArrowCounters.now().hostBuffers() shouldBe buffers }
                array.dictionaryEncode(ArrowType.INT64).use {
                    ArrowCounters.now().hostBuffers() - buffers shouldBe 1
                    it.getObjects() shouldBe listOf("a", "b")
                }
                array.dictionary.decode().use { ArrowCounters.now().hostBuffers() shouldBe buffers }
            }
        }

        test("dictionaryEncode refuses an index type that can't count the values") {
            (0..128).toDeviceArray().use { array ->
                shouldThrow<IllegalArgumentException> { array.dictionaryEncode(ArrowType.INT8) }.message shouldBe
                    "dictionaryEncode: there are more different values than indices of int8 can count; " +
                    "choose a wider index type"
                shouldThrow<IllegalArgumentException> { array.dictionaryEncode(ArrowType.UTF8) }.message shouldBe
                    "dictionaryEncode: the index of a dictionary is an integer, not utf8"
                array.dictionaryEncode().use { encoded ->
                    shouldThrow<IllegalArgumentException> { encoded.dictionaryEncode(ArrowType.INT8) }
                }
            }
        }

        test("columns of a batch are encoded and decoded by name, and the others are shared") {
            recordBatch {
                column<Int>("a") { addAll(listOf(1, 2)) }
                column<String>("b") { addAll(listOf("x", "x")) }
            }.use { batch ->
                batch.dictionaryEncode("b").use { encoded ->
                    encoded.schema.field("b").type() shouldBe ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8)
                    encoded.schema.field("a") shouldBe batch.schema.field("a")
                    encoded.decode("b").use { it.valuesEqual(batch) shouldBe true }
                }
                shouldThrow<IllegalArgumentException> { batch.decode("c") }.message shouldContain "decode: no column"
            }
        }

        test("an array may be its own mask or its own indices") {
            deviceArrayOf(true, false, null).use {
                it.filter(it).use { kept ->
                    kept.getObjects() shouldBe listOf(true)
                }
            }
            deviceArrayOf(2, 0, 1).use { it.take(it).use { taken -> taken.getObjects() shouldBe listOf(1, 2, 0) } }
        }
    })

private fun ArrayView.getObjects(): List<Any?> =
    borrow { reader ->
        List(reader.length.toInt()) {
            reader.getObject(it.toLong())
        }
    }
