package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.importArray
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe

/** Arrays built value by value from plain objects are, for the C peer's decoder, the arrays that the peer produces itself. */
class BuildExportTest :
    FunSpec({
        extension(PeerBalance)

        // A null in a union could be of either child, so unions come without.
        fun nulls(field: PeerField): Long = if ("+u" in field.toString()) 0 else 3

        context("the C peer reads built arrays") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                for (rows in listOf(0L, 1L, 19L, 600L)) {
                    withStructs {
                        val options = PeerOptions.rows(rows).withNullEvery(nulls(field))
                        val schema = produceSchema(field)
                        val array = produceArray(schema, options)
                        val expected = peer.renderArray(schema.address, array.address)
                        val arrowField = ArrowImport.importField(CStruct.schemaAt(schema.address))
                        val built =
                            importArray(CStruct.arrayAt(array.address), arrowField.type()).use { source ->
                                ArrayBuilder.of(arrowField).use { builder ->
                                    for (row in 0 until source.length) builder.append(source.getObject(row))
                                    builder.finish()
                                }
                            }
                        built.canonical() shouldBe expected
                        val out = array()
                        val outSchema = schema()
                        ArrowExport.exportArray(
                            built,
                            arrowField,
                            CStruct.arrayAt(out),
                            CStruct.schemaAt(outSchema),
                        )
                        peer.renderArray(outSchema, out) shouldBe expected
                        peer.complaints(outSchema, out, true, false).shouldBeEmpty()
                        peer.renderSchema(outSchema) shouldBe field.toString()
                        peer.releaseArray(out)
                        peer.releaseSchema(outSchema)
                    }
                }
            }
        }
    })
