package dev.arrowdevice.builder

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.OwnedArrays
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.AbstractMap.SimpleEntry

/** A new array of the values of another, which a builder takes from its reader. */
private fun rebuilt(array: ArrayView): DeviceArray =
    build(array.type) { array.borrow { reader -> for (i in 0 until reader.length) append(reader, i) } }

/** A float16 array of every bit pattern, in order. */
private fun allHalves(): DeviceArray {
    val values = CpuRuntime.INSTANCE.allocate(2L * HALVES)
    for (i in 0 until HALVES) values.memory().putShort(2L * i, i.toShort())
    val data =
        ArrayData(ArrowType.FLOAT16, Device.CPU, HALVES.toLong(), 0, 0, arrayOf(null, values), arrayOf(), null)
    return OwnedArrays.of(data, values.owner)
}

private const val HALVES = 65_536

class SameValueTest :
    FunSpec({
        extension(MemoryBalance())

        test("every float16 comes back from an object with its own bits, the payload of a NaN too") {
            allHalves().use { halves ->
                build(ArrowType.FLOAT16) { for (i in 0L until HALVES) append(halves.getObject(i)) }.use { again ->
                    val bits = again.data.buffer(1)!!.memory()
                    List(HALVES) { bits.getShort(2L * it) } shouldBe List(HALVES) { it.toShort() }
                }
            }
        }

        typeSamples.forEach { sample ->
            test("${sample.type} is the same in an array of its reader's values") {
                arrayOf(sample.type, *sample.manyValues.toTypedArray()).use { array ->
                    rebuilt(array).use { it.valuesEqual(array) shouldBe true }
                    array.slice(3, 17).use { slice -> rebuilt(slice).use { it.valuesEqual(slice) shouldBe true } }
                }
            }
        }

        context("the child of a union is kept") {
            val texts = listOf(Field.nullable("a", ArrowType.UTF8), Field.nullable("b", ArrowType.UTF8))
            val chosen = listOf(SimpleEntry(1, "x"), SimpleEntry(0, "x"), SimpleEntry(1, null), null)
            val unions = listOf(ArrowType.sparseUnion(listOf(4, 9), texts), ArrowType.denseUnion(listOf(4, 9), texts))
            for (union in unions) {
                test("by $union, alone and within lists, structs, maps, dictionaries and runs") {
                    val within =
                        mapOf(
                            union to chosen,
                            ArrowType.list(union) to listOf(chosen, null),
                            ArrowType.struct(Field.nullable("u", union)) to chosen.map { listOf(it) },
                            ArrowType.map(ArrowType.UTF8, union) to listOf(mapOf("k" to SimpleEntry(1, "x"))),
                            ArrowType.dictionary(ArrowType.INT8, union, false) to chosen,
                            ArrowType.runEndEncoded(ArrowType.INT16, union) to chosen,
                            ArrowType.extension("acme.union", union, ByteArray(0)) to chosen,
                        )
                    for ((type, values) in within) {
                        withClue(type) {
                            arrayOf(type, *values.toTypedArray()).use { array ->
                                rebuilt(array).use { it.valuesEqual(array) shouldBe true }
                            }
                        }
                    }
                }

                test("by $union, of nulls too, where an object is the value alone") {
                    arrayOf(union, *chosen.toTypedArray()).use { array ->
                        rebuilt(array).use { again ->
                            again.borrow { reader -> List(4) { reader.unionChild(it.toLong()) } } shouldBe
                                listOf(1, 0, 1, 0)
                        }
                        array.getObject(0) shouldBe "x"
                        arrayOf(union, array.getObject(0)).use { lost ->
                            lost.borrow { it.unionChild(0) } shouldBe 0
                        }
                    }
                }
            }
        }

        test("fields of a struct with one name keep their own values") {
            val twins = ArrowType.struct(Field.nullable("x", ArrowType.INT8), Field.nullable("x", ArrowType.INT8))
            arrayOf(twins, listOf(1, 2), null, listOf(null, 3)).use { array ->
                rebuilt(array).use { it.valuesEqual(array) shouldBe true }
            }
        }

        test("a timestamp that java.time can't express is kept, and its error tells how to read it") {
            for (type in listOf(
                ArrowType.timestamp(TimeUnit.SECOND, null),
                ArrowType.timestamp(TimeUnit.SECOND, "Z"),
            )) {
                build(type) { append(Long.MAX_VALUE) }.use { array ->
                    val failure = shouldThrow<IllegalStateException> { array.getObject(0) }
                    failure.message shouldContain "the value ${Long.MAX_VALUE} at index 0 is outside the range"
                    failure.message shouldContain "getLong reads it raw"
                    array.getLong(0) shouldBe Long.MAX_VALUE
                    array.toString() shouldContain "getLong reads it raw"
                    rebuilt(array).use { it.valuesEqual(array) shouldBe true }
                }
            }
        }

        test("arrow.bool8 keeps its byte") {
            val bool8 = ArrowType.extension("arrow.bool8", ArrowType.INT8, ByteArray(0))
            arrayOf(bool8, 2, 1, 0, null).use { array -> rebuilt(array).use { it.valuesEqual(array) shouldBe true } }
        }

        test("a value of another type, a null that the field refuses and an index outside are refused") {
            arrayOf(ArrowType.INT32, 1, null).use { array ->
                array.borrow { reader ->
                    messageOf { build(ArrowType.INT64) { append(reader, 0) } } shouldContain "int32 where int64"
                    messageOf { build(Field.notNull("n", ArrowType.INT32)) { append(reader, 1) } } shouldContain "null"
                    shouldThrow<IndexOutOfBoundsException> { build(ArrowType.INT32) { append(reader, 2) }.close() }
                }
            }
        }
    })
