package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.add
import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.internal.abi.CArrayStream
import dev.arrowdevice.internal.abi.CDeviceArrayStream
import dev.arrowdevice.internal.abi.ForeignCallbacks
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

private const val DEVICE_ARRAY_SIZE = 128

private fun int32(vararg values: Int): DeviceArray =
    ArrayBuilder.of(ArrowType.INT32).use {
        it.appendAll(values)
        it.finish()
    }

/** Copies a struct as Rust's moves and C++'s vectors do: its old place keeps the bytes. */
private fun moveBitwise(
    from: Long,
    to: Long,
    byteSize: Int,
) = (0L until byteSize).forEach { NativeMemory.putByte(to + it, NativeMemory.getByte(from + it)) }

/** What is in the memory that an export fills is nobody's business, unless the memory is ours. */
class StaleTargetTest :
    FunSpec({
        extension(PeerBalance)

        /** Exports to an address, moves the struct away bitwise, and exports to the same address again. */
        fun Structs.exportTwice(
            byteSize: Int,
            target: Long,
            export: (DeviceArray, Long) -> Unit,
        ) {
            val moved = zeroed(byteSize)
            export(int32(1), target)
            moveBitwise(target, moved, byteSize)
            export(int32(2), target)
            ArrowImport.importArray(CStruct.arrayAt(moved), ArrowType.INT32).use { it.getInt(0) shouldBe 1 }
            ArrowImport.importArray(CStruct.arrayAt(target), ArrowType.INT32).use { it.getInt(0) shouldBe 2 }
        }

        test("memory that an array was moved out of bitwise takes the next one") {
            withStructs {
                exportTwice(ArrayStruct.SIZE, array()) { array, out ->
                    ArrowExport.exportArray(array, CStruct.arrayAt(out))
                }
            }
        }

        test("at its end and at a failure a stream leaves no array in the struct, whatever its bytes were") {
            val schema = Schema.of(Field.nullable("n", ArrowType.INT32))
            for (batches in listOf({ emptySequence() }, { generateSequence<RecordBatch> { error("no more") } })) {
                withStructs {
                    val (plain, device) = stream() to deviceStream()
                    val stale = List(DEVICE_ARRAY_SIZE) { 0x55 }.toIntArray()
                    ArrowExport.exportStream(
                        DeviceArrayStream.of(schema, batches().iterator()),
                        CStruct.arrayStreamAt(plain),
                    )
                    val ofPlain = ArrayStruct(bytes(*stale))
                    ForeignCallbacks.getInto(CArrayStream.getNext(plain), plain, ofPlain.address)
                    ofPlain.released() shouldBe true
                    ArrowImport.importStream(CStruct.arrayStreamAt(plain)).close()
                    ArrowExport.exportDeviceStream(
                        DeviceArrayStream.of(schema, batches().iterator()),
                        CStruct.deviceArrayStreamAt(device),
                    )
                    val ofDevice = ArrayStruct(bytes(*stale))
                    ForeignCallbacks.getInto(CDeviceArrayStream.getNext(device), device, ofDevice.address)
                    ofDevice.released() shouldBe true
                    ArrowImport.importDeviceStream(CStruct.deviceArrayStreamAt(device)).close()
                }
            }
        }

        test("memory that a device array was moved out of bitwise takes the next one") {
            withStructs {
                exportTwice(DEVICE_ARRAY_SIZE, deviceArray()) { array, out ->
                    ArrowExport.exportDeviceArray(array, CStruct.deviceArrayAt(out))
                }
            }
        }

        test("memory that a batch and its schema were moved out of bitwise takes the next ones") {
            withStructs {
                val out = array()
                val outSchema = schema()
                val moved = array()
                val movedSchema = schema()

                fun export(value: Int) =
                    ArrowExport.exportBatch(
                        recordBatch { column<Int>("n") { add(value) } },
                        CStruct.arrayAt(out),
                        CStruct.schemaAt(outSchema),
                    )
                export(1)
                moveBitwise(out, moved, ArrayStruct.SIZE)
                moveBitwise(outSchema, movedSchema, SchemaStruct.SIZE)
                export(2)
                for ((value, structs) in listOf(1 to (moved to movedSchema), 2 to (out to outSchema))) {
                    val (array, schema) = structs
                    ArrowImport.importBatch(CStruct.arrayAt(array), CStruct.schemaAt(schema)).use {
                        it.column(0).getInt(0) shouldBe value
                    }
                }
            }
        }

        test("memory with the bytes of a struct whose copy was released takes the next array") {
            withStructs {
                val out = array()
                val copy = array()
                ArrowExport.exportArray(int32(1), CStruct.arrayAt(out))
                moveBitwise(out, copy, ArrayStruct.SIZE)
                peer.releaseArray(copy)
                ArrowExport.exportArray(int32(2), CStruct.arrayAt(out))
                ArrowImport.importArray(CStruct.arrayAt(out), ArrowType.INT32).use { it.getInt(0) shouldBe 2 }
            }
        }

        test("memory that was never written takes an array") {
            withStructs {
                val out = array()
                for (i in 0L until ArrayStruct.SIZE) NativeMemory.putByte(out + i, 0xCD.toByte())
                ArrowExport.exportArray(int32(1), CStruct.arrayAt(out))
                ArrowImport.importArray(CStruct.arrayAt(out), ArrowType.INT32).use { it.getInt(0) shouldBe 1 }
            }
        }

        test("a struct of ours refuses an array while it has another that nobody took, and the caller keeps it") {
            CStruct.deviceArray().use { struct ->
                ArrowExport.exportDeviceArray(int32(1), struct)
                int32(2).use { second ->
                    shouldThrow<IllegalStateException> {
                        ArrowExport.exportDeviceArray(second, struct)
                    }.message shouldContain "exportDeviceArray: the struct still contains an exported array"
                    second.isLive shouldBe true
                }
                ArrowImport.importDeviceArray(struct, ArrowType.INT32).use { it.getInt(0) shouldBe 1 }
            }
        }

        test("a struct of ours takes an array when a bitwise copy of the last one was released") {
            withStructs {
                CStruct.array().use { struct ->
                    val copy = array()
                    ArrowExport.exportArray(int32(1), struct)
                    moveBitwise(struct.address, copy, ArrayStruct.SIZE)
                    peer.releaseArray(copy)
                    ArrowExport.exportArray(int32(2), struct)
                    ArrowImport.importArray(struct, ArrowType.INT32).use { it.getInt(0) shouldBe 2 }
                }
            }
        }
    })
