package dev.arrowdevice.peers

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.Validation
import dev.arrowdevice.spi.NativeMemory
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe

/** Arrays of the C peer are imported with the values that the peer's own decoder reads, in every layout. */
class ImportTest :
    FunSpec({
        extension(PeerBalance)

        context("an array of the C peer is read with the values that it wrote") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                for (layout in Layouts.all) {
                    withStructs {
                        val schema = produceSchema(field)
                        val array = produceArray(schema, layout)
                        val expected = peer.renderArray(schema.address, array.address)
                        ArrowImport
                            .importArray(
                                CStruct.arrayAt(array.address),
                                CStruct.schemaAt(schema.address),
                                Validation.FULL,
                            ).use {
                                it.canonical() shouldBe
                                    expected
                            }
                        array.released() shouldBe true
                        schema.released() shouldBe true
                    }
                }
            }
        }

        context("a null count of -1 is computed") {
            withData(nameFn = { it.format }, PeerCatalogue.flat()) { field ->
                withStructs {
                    val schema = produceSchema(field)
                    val array =
                        produceArray(
                            schema,
                            PeerOptions
                                .rows(20)
                                .withOffset(3)
                                .withNullEvery(4)
                                .with(PeerQuirk.UNKNOWN_NULL_COUNT),
                        )
                    ArrowImport
                        .importArray(
                            CStruct.arrayAt(array.address),
                            CStruct.schemaAt(schema.address),
                        ).use {
                            it.nullCount shouldBe if (field.format == "n") 20 else 5
                        }
                }
            }
        }

        context("without validation the same values are read") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                withStructs {
                    val schema = produceSchema(field)
                    val array = produceArray(schema, PeerOptions.rows(9).withOffset(2).withNullEvery(4))
                    val expected = peer.renderArray(schema.address, array.address)
                    ArrowImport
                        .importArray(
                            CStruct.arrayAt(array.address),
                            CStruct.schemaAt(schema.address),
                            Validation.NONE,
                        ).use {
                            it.canonical() shouldBe
                                expected
                        }
                }
            }
        }

        test("an array of a known type needs no schema") {
            withStructs {
                val schema = produceSchema(Fields.utf8)
                val array = produceArray(schema, PeerOptions.rows(4))
                val type = ArrowImport.importField(CStruct.schemaAt(schema.address)).type()
                ArrowImport
                    .importArray(
                        CStruct.arrayAt(array.address),
                        type,
                    ).use { it.getString(3) shouldBe "122" }
            }
        }

        test("a device array on the CPU is read with any reserved bytes, id and event") {
            withStructs {
                val schema = produceSchema(Fields.int32)
                val device = deviceArray()
                peer.produceDeviceArray(schema.address, PeerOptions.rows(3), device)
                NativeMemory.putLong(device + 80, 7) // device_id
                NativeMemory.putLong(device + 96, 0x1234) // sync_event
                for (i in 0..2) NativeMemory.putLong(device + 104 + 8 * i, -1) // reserved
                ArrowImport
                    .importDeviceArray(
                        CStruct.deviceArrayAt(device),
                        CStruct.schemaAt(schema.address),
                        Validation.FULL,
                    ).use {
                        it.canonical() shouldBe "[11,48,85]"
                    }
            }
        }

        test("a producer may free memory late or on another thread") {
            withStructs {
                val schema = produceSchema(Fields.utf8)
                val array = produceArray(schema, PeerOptions.rows(3).with(PeerQuirk.DEFER_FREE))
                ArrowImport
                    .importArray(
                        CStruct.arrayAt(array.address),
                        CStruct.schemaAt(schema.address),
                    ).close()
                peer.freeDeferred()
            }
        }
    }) {
    /** The ways to lay out the same kind of data, all allowed by the format. */
    object Layouts {
        private val rows = PeerOptions.rows(19)
        private val all19 =
            listOf(
                rows,
                rows.with(PeerQuirk.ALL_VALID_BITMAP),
                rows.with(PeerQuirk.UNKNOWN_NULL_COUNT),
                rows.withOffset(5),
                rows.withOffset(9).withChildOffset(3).withTail(2),
                rows.withFirstOffset(4),
                rows.with(PeerQuirk.MISALIGNED),
                rows.withOffset(3).with(PeerQuirk.MISALIGNED, PeerQuirk.UNKNOWN_NULL_COUNT),
                rows.with(PeerQuirk.GUARD_BEHIND),
                rows.withOffset(6).withChildOffset(1).with(PeerQuirk.GUARD_BEHIND, PeerQuirk.GARBAGE_NULLS),
                rows.withOffset(1).with(PeerQuirk.GUARD_BEFORE),
                rows.with(PeerQuirk.GARBAGE_NULLS),
            )
        private val empty =
            listOf(
                PeerOptions.rows(0),
                PeerOptions.rows(0).with(PeerQuirk.EMPTY_IS_NULL, PeerQuirk.NO_EMPTY_OFFSETS),
                PeerOptions.rows(0).with(PeerQuirk.GUARD_BEHIND),
                PeerOptions.rows(0).withOffset(4),
            )
        val all = (all19 + empty).flatMap { listOf(it, it.withNullEvery(3)) }
    }
}
