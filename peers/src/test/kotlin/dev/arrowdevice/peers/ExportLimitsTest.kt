package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.InvalidSchemaException
import dev.arrowdevice.Validation
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

private fun int32(
    value: Int,
    validity: Byte? = null,
    nullCount: Long = 0,
): DeviceArray {
    val values = CpuRuntime.INSTANCE.allocate(4)
    values.memory().putInt(0, value)
    val bitmap = validity?.let { bits -> CpuRuntime.INSTANCE.allocate(1).also { it.memory().putByte(0, bits) } }
    val owner = ReferenceCounted.all(*listOfNotNull(values.owner, bitmap?.owner).toTypedArray())
    val data = ArrayData(ArrowType.INT32, Device.CPU, 1, 0, nullCount, arrayOf(bitmap, values), arrayOf(), null)
    return OwnedArrays.of(data, owner)
}

/** An empty list array whose type has this many levels. */
private fun nested(levels: Int): DeviceArray {
    var data = ArrayData(ArrowType.NULL, Device.CPU, 0, 0, 0, arrayOf(), arrayOf(), null)
    repeat(levels - 1) {
        data = ArrayData(ArrowType.list(data.type), Device.CPU, 0, 0, 0, arrayOf(null, null), arrayOf(data), null)
    }
    return OwnedArrays.of(data, ReferenceCounted.nothing())
}

/** An empty array whose type has this many levels, each but the last a dictionary. */
private fun nestedDictionaries(levels: Int): DeviceArray {
    var data = ArrayData(ArrowType.NULL, Device.CPU, 0, 0, 0, arrayOf(), arrayOf(), null)
    repeat(levels - 1) {
        val type = ArrowType.dictionary(ArrowType.INT8, data.type, false)
        data = ArrayData(type, Device.CPU, 0, 0, 0, arrayOf(null, null), arrayOf(), data)
    }
    return OwnedArrays.of(data, ReferenceCounted.nothing())
}

class ExportLimitsTest :
    FunSpec({
        extension(PeerBalance)

        test("an export to a struct with an array of ours that nobody took is refused, and both arrays stay") {
            CStruct.array().use { struct ->
                ArrowExport.exportArray(int32(1), struct)
                int32(2).use { second ->
                    shouldThrow<IllegalStateException> {
                        ArrowExport.exportArray(
                            second,
                            struct,
                        )
                    }.message shouldContain
                        "still contains an exported array"
                    second.getInt(0) shouldBe 2
                }
                ArrowImport.importArray(struct, ArrowType.INT32).use { it.getInt(0) shouldBe 1 }
                ArrowExport.exportArray(int32(3), struct)
            }
        }

        fun limitsLevels(nested: (Int) -> DeviceArray) =
            CStruct.array().use { array ->
                CStruct.schema().use { schema ->
                    ArrowExport.exportArray(nested(64), array, schema)
                    ArrowImport.importArray(array, schema).use { it.length shouldBe 0 }
                    nested(65).use { deep ->
                        shouldThrow<IllegalArgumentException> {
                            ArrowExport.exportArray(
                                deep,
                                array,
                            )
                        }.message shouldContain
                            "deeper than 64 levels"
                        array.isLive shouldBe false
                        shouldThrow<InvalidSchemaException> {
                            ArrowExport.exportField(Field.nullable("", deep.type), schema)
                        }.message shouldContain "deeper than 64 levels"
                        schema.isLive shouldBe false
                        deep.isLive shouldBe true
                    }
                }
            }

        test("64 levels of nesting are exchanged, and 65 are refused at export and stay with the caller") {
            limitsLevels(::nested)
        }

        test("dictionaries are levels of nesting, too") { limitsLevels(::nestedDictionaries) }

        test("a field name that C or UTF-8 can't hold is refused") {
            CStruct.schema().use { schema ->
                listOf("a\u0000b", "half \uD83D").forEach { name ->
                    shouldThrow<InvalidSchemaException> {
                        ArrowExport.exportField(Field.nullable(name, ArrowType.INT32), schema)
                    }
                    schema.isLive shouldBe false
                }
            }
        }

        test("FULL finds nulls in an array with null_count 0") {
            CStruct.array().use { struct ->
                ArrowExport.exportArray(int32(7, validity = 0, nullCount = 1), struct)
                ArrayStruct(struct.address).nullCount(0)
                shouldThrow<InvalidArrayException> {
                    ArrowImport.importArray(struct, ArrowType.INT32, Validation.FULL)
                }.message shouldContain "null_count is 0, the bitmap has 1 nulls"
            }
        }

        test("a list of two thousand million nulls prints its first few") {
            val elements = ArrayData(ArrowType.NULL, Device.CPU, Int.MAX_VALUE - 10L, 0, 0, arrayOf(), arrayOf(), null)
            val offsets = CpuRuntime.INSTANCE.allocate(8)
            offsets.memory().putInt(0, 0)
            offsets.memory().putInt(4, Int.MAX_VALUE - 10)
            val list = ArrowType.list(ArrowType.NULL)
            val data = ArrayData(list, Device.CPU, 1, 0, 0, arrayOf(null, offsets), arrayOf(elements), null)
            OwnedArrays.of(data, offsets.owner).use { it.toString() shouldContain "[null, null, null" }
        }
    })
