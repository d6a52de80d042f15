package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldNotThrowAny
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Who owns what, before and after: uses after a move or a close, and exports that fail. */
class OwnershipTest :
    FunSpec({
        extension(PeerBalance)

        val uses =
            mapOf<String, (DeviceArray) -> Any?>(
                "isNull" to { it.isNull(0) },
                "getInt" to { it.getInt(0) },
                "getObject" to { it.getObject(0) },
                "borrow" to { array -> array.borrow { it.length } },
                "bulk" to { it.toIntArray() },
                "share" to { it.share() },
                "slice" to { it.slice(0, 1) },
                "copyTo" to { it.copyTo(Device.CPU) },
            )

        context("after close") {
            withData(nameFn = { it.key }, uses.entries) { (_, use) ->
                withStructs {
                    val array = own(Fields.int32, PeerOptions.rows(3))
                    array.close()
                    shouldThrow<IllegalStateException> { use(array) }.message!! shouldContain
                        "the array has been closed"
                    array.isLive shouldBe false
                    shouldNotThrowAny { array.toString() }
                    shouldNotThrowAny { array.close() }
                }
            }
        }

        context("after export") {
            withData(nameFn = { it.key }, uses.entries) { (_, use) ->
                withStructs {
                    val array = imported(Fields.int32, PeerOptions.rows(3))
                    val out = array()
                    ArrowExport.exportArray(array, CStruct.arrayAt(out))
                    shouldThrow<IllegalStateException> { use(array) }.message!! shouldContain "the array has been moved"
                    shouldThrow<IllegalStateException> {
                        ArrowExport.exportArray(
                            array,
                            CStruct.arrayAt(array()),
                        )
                    }.message!! shouldContain
                        "moved"
                    shouldNotThrowAny { array.toString() }
                    array.close()
                    ArrayStruct(out).released() shouldBe false
                    peer.releaseArray(out)
                }
            }
        }

        test("a borrowed array is not exported, stays live, and the target is marked released") {
            withStructs {
                val array = own(Fields.int32, PeerOptions.rows(3))
                val out = array()
                NativeMemory.putLong(out + ARRAY_RELEASE, 0x1234)
                val schema = schema()
                NativeMemory.putLong(schema + SCHEMA_RELEASE, 0x1234)
                array.borrow { reader ->
                    val failure =
                        shouldThrow<IllegalStateException> {
                            ArrowExport.exportArray(array, CStruct.arrayAt(out), CStruct.schemaAt(schema))
                        }
                    failure.message!! shouldContain "borrowed"
                    reader.getInt(1) shouldBe 48
                }
                ArrayStruct(out).released() shouldBe true
                SchemaStruct(schema).released() shouldBe true
                array.canonical() shouldBe "[11,48,85]"
                ArrowExport.exportArray(array, CStruct.arrayAt(out))
                peer.releaseArray(out)
            }
        }

        test("an export to a struct whose memory was freed leaves the array with its owner") {
            withStructs {
                own(Fields.int32, PeerOptions.rows(3)).use { array ->
                    val freed = CStruct.array().also { it.close() }
                    shouldThrow<IllegalStateException> { ArrowExport.exportArray(array, freed) }.message!! shouldContain
                        "the struct's memory has been freed"
                    val freedSchema = CStruct.schema().also { it.close() }
                    shouldThrow<IllegalStateException> {
                        ArrowExport.exportArray(array, CStruct.arrayAt(array()), freedSchema)
                    }
                    array.canonical() shouldBe "[11,48,85]"
                }
            }
        }

        test("an export that fails leaves both structs marked released") {
            withStructs {
                own(Fields.int32, PeerOptions.rows(3)).use { array ->
                    val out = array()
                    val schema = schema()
                    NativeMemory.putLong(out + ARRAY_RELEASE, 0x1234)
                    NativeMemory.putLong(schema + SCHEMA_RELEASE, 0x1234)
                    shouldThrow<IllegalArgumentException> {
                        ArrowExport.exportArray(
                            array,
                            Field.nullable("x", ArrowType.INT64),
                            CStruct.arrayAt(out),
                            CStruct.schemaAt(schema),
                        )
                    }
                    ArrayStruct(out).released() shouldBe true
                    SchemaStruct(schema).released() shouldBe true
                }
            }
        }

        test("an export fails if the values can't be computed, and the array stays live") {
            withStructs {
                var failing = true
                val event = PendingEvent { check(!failing) { "the device is gone" } }
                own(Fields.int32, PeerOptions.rows(3)).readyAfter(event).use { array ->
                    val out = deviceArray()
                    shouldThrow<IllegalStateException> {
                        ArrowExport.exportDeviceArray(
                            array,
                            CStruct.deviceArrayAt(out),
                        )
                    }
                    ArrayStruct(out).released() shouldBe true
                    failing = false
                    array.canonical() shouldBe "[11,48,85]"
                }
            }
        }

        test("an export to a struct without an event waits for the data") {
            withStructs {
                val event = PendingEvent()
                val out = array()
                ArrowExport.exportArray(
                    own(Fields.int32, PeerOptions.rows(3)).readyAfter(event),
                    CStruct.arrayAt(out),
                )
                event.awaited shouldBe true
                peer.releaseArray(out)
            }
        }

        test("the nulls of pending values are counted when the values are complete") {
            withStructs {
                val event = PendingEvent()
                val out = deviceArray()
                val slice = own(Fields.int32, PeerOptions.rows(7).withNullEvery(3)).use { it.slice(1, 5) }
                val nulls = slice.nullCount
                ArrowExport.exportDeviceArray(slice.readyAfter(event), CStruct.deviceArrayAt(out))
                event.awaited shouldBe true
                ArrayStruct(out).nullCount() shouldBe nulls
                peer.releaseArray(out)
            }
        }

        test("a reader throws after its borrow") {
            withStructs {
                own(Fields.utf8, PeerOptions.rows(3)).use { array ->
                    val escaped = array.borrow { it }
                    shouldThrow<IllegalStateException> { escaped.getString(1) }
                }
            }
        }
    }) {
    private companion object {
        /** Where the structs have their release member. */
        const val ARRAY_RELEASE = 64
        const val SCHEMA_RELEASE = 56
    }
}
