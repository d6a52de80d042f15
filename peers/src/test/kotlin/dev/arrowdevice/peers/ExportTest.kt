package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation
import dev.arrowdevice.spi.NativeMemory
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe

/** The C peer reads exports of the SDK, and a strict consumer has no complaints. */
class ExportTest :
    FunSpec({
        extension(PeerBalance)

        /** Imports, exports again what [change] makes of it, and compares what the C peer reads with what the SDK read. */
        fun Structs.passThrough(
            field: PeerField,
            options: PeerOptions,
            built: Boolean,
            change: (dev.arrowdevice.DeviceArray) -> dev.arrowdevice.DeviceArray,
        ): String {
            val schema = produceSchema(field)
            val array = produceArray(schema, options)
            val imported =
                ArrowImport.importArray(
                    CStruct.arrayAt(array.address),
                    CStruct.schemaAt(schema.address),
                    Validation.FULL,
                )
            val changed = change(imported)
            val expected = changed.canonical()
            val out = array()
            val outSchema = schema()
            ArrowExport.exportArray(changed, CStruct.arrayAt(out), CStruct.schemaAt(outSchema))
            imported.close()
            peer.renderArray(outSchema, out) shouldBe expected
            peer.complaints(outSchema, out, built, false).shouldBeEmpty()
            peer.releaseArray(out)
            peer.releaseSchema(outSchema)
            return expected
        }

        context("an imported array can be exported again") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                for (layout in ImportTest.Layouts.all) withStructs { passThrough(field, layout, false) { it } }
            }
        }

        test("a batch is exported without its schema") {
            withStructs {
                val schema = produceSchema(Fields.batch)
                val out = deviceArray()
                val exports =
                    listOf<(RecordBatch) -> Unit>(
                        { ArrowExport.exportBatch(it, CStruct.arrayAt(out)) },
                        { ArrowExport.exportDeviceBatch(it, CStruct.deviceArrayAt(out)) },
                    )
                for (export in exports) {
                    val batch = importedBatch(Fields.batch, PeerOptions.rows(2))
                    val expected = batch.asStruct().canonical()
                    export(batch)
                    peer.renderArray(schema.address, out) shouldBe expected
                    peer.complaints(schema.address, out, false, true).shouldBeEmpty()
                    peer.releaseArray(out)
                }
                peer.releaseSchema(schema.address)
            }
        }

        context("an exported slice has its rows only") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                val rows = PeerOptions.rows(19).withNullEvery(3)
                for (layout in listOf(rows, rows.withOffset(5).withChildOffset(2).with(PeerQuirk.GUARD_BEHIND))) {
                    for ((from, count) in listOf(0L to 19L, 7L to 9L, 8L to 1L, 18L to 1L, 19L to 0L, 4L to 0L)) {
                        withStructs { passThrough(field, layout, false) { it.slice(from, count) } }
                    }
                }
            }
        }

        context("a copy has the layout that every consumer takes") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                for (layout in ImportTest.Layouts.all) {
                    withStructs {
                        passThrough(
                            field,
                            layout,
                            true,
                        ) { it.copyTo(Device.CPU) }
                    }
                }
                val rows = PeerOptions.rows(600).withNullEvery(3).withOffset(3)
                for ((from, count) in listOf(0L to 600L, 7L to 513L, 511L to 2L, 600L to 0L)) {
                    withStructs {
                        passThrough(
                            field,
                            rows,
                            true,
                        ) { array -> array.slice(from, count).use { it.copyTo(Device.CPU) } }
                    }
                }
            }
        }

        context("a record batch is exported at offset 0 without nulls of its own") {
            fun Structs.batch(options: PeerOptions): RecordBatch {
                val schema = produceSchema(Fields.batch.withMetadata("made by", "C"))
                val array = produceArray(schema, options)
                return ArrowImport.importBatch(
                    CStruct.arrayAt(array.address),
                    CStruct.schemaAt(schema.address),
                    Validation.FULL,
                )
            }

            withData(
                mapOf<String, (RecordBatch) -> RecordBatch>(
                    "whole" to { it },
                    "sliced" to { it.slice(3, 5) },
                    "sliced to nothing" to { it.slice(3, 0) },
                    "shared" to { it.share() },
                    "copied" to { it.copyTo(Device.CPU) },
                ),
            ) { change ->
                for (options in listOf(
                    PeerOptions.rows(9),
                    PeerOptions
                        .rows(9)
                        .withOffset(4)
                        .withChildOffset(1)
                        .withTail(2),
                )) {
                    withStructs {
                        val batch = batch(options.withNullEvery(2))
                        val changed = change(batch)
                        val expected = changed.asStruct().canonical()
                        val out = array()
                        val outSchema = schema()
                        ArrowExport.exportBatch(changed, CStruct.arrayAt(out), CStruct.schemaAt(outSchema))
                        batch.close()
                        peer.renderArray(outSchema, out) shouldBe expected
                        peer.complaints(outSchema, out, false, true).shouldBeEmpty()
                        peer.renderSchema(outSchema) shouldBe Fields.batch.withMetadata("made by", "C").toString()
                        peer.releaseArray(out)
                        peer.releaseSchema(outSchema)
                    }
                }
            }
        }

        test("an exported device array on the CPU has id -1, no event and zero reserved bytes") {
            withStructs {
                val schema = produceSchema(Fields.batch)
                val array = produceArray(schema, PeerOptions.rows(9).withNullEvery(2))
                val batch =
                    ArrowImport.importBatch(
                        CStruct.arrayAt(array.address),
                        CStruct.schemaAt(schema.address),
                    )
                val expected = batch.asStruct().canonical()
                val out = deviceArray()
                for (byte in 0..127) NativeMemory.putByte(out + byte, 0xCD.toByte())
                val outSchema = schema()
                ArrowExport.exportDeviceBatch(batch, CStruct.deviceArrayAt(out), CStruct.schemaAt(outSchema))
                peer.deviceComplaints(outSchema, out, false, true).shouldBeEmpty()
                NativeMemory.getInt(out + 88) shouldBe 1
                peer.renderArray(outSchema, out) shouldBe expected
                peer.releaseArray(out)
                peer.releaseSchema(outSchema)
            }
        }
    })
