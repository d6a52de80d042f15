package dev.arrowdevice.peers

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.Validation
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs

/** Structs of a thousand fields and more: an import keeps numbers for them and makes a field when it is first asked for. */
class WideStructTest :
    FunSpec({
        extension(PeerBalance)

        val rest = listOf("b", "c", "d", "e").map { PeerField.of(it, "i") }

        fun wide(field: PeerField) = PeerField.of("wide", "+s", field, *rest.toTypedArray())

        fun Structs.import(
            schema: SchemaStruct,
            array: ArrayStruct,
            validation: Validation,
        ) = ArrowImport.importArray(CStruct.arrayAt(array.address), CStruct.schemaAt(schema.address), validation)

        val cases = (SpoiledArrays.all + SpoiledData.all).groupBy { it.lowest }
        Validation.entries.forEach { lowest ->
            context("in a field, no level below $lowest refuses, and $lowest and all above do:") {
                withData(nameFn = { it.name }, cases.getValue(lowest)) { case ->
                    for (level in Validation.entries) {
                        withClue(level) {
                            withStructs {
                                val schema = produceSchema(wide(case.field))
                                val array = produceArray(schema, case.options)
                                case.spoil(this, schema.child(0), array.child(0))
                                if (level < lowest) {
                                    import(schema, array, level).close()
                                } else {
                                    val failure =
                                        shouldThrow<InvalidArrayException> { import(schema, array, level).close() }
                                    failure.message!! shouldContain case.message
                                }
                                array.released() shouldBe true
                                schema.released() shouldBe true
                            }
                        }
                    }
                }
            }
        }

        test("a field is made once") {
            withStructs {
                imported(wide(Fields.utf8), PeerOptions.rows(7)).use {
                    it.data.child(0) shouldBeSameInstanceAs it.data.child(0)
                    it.data.child(4) shouldBeSameInstanceAs it.data.child(4)
                }
            }
        }

        test("a null_count of 0 is believed, unless a field is validated in full") {
            for (field in listOf(Fields.int32, Fields.utf8, Fields.list)) {
                fun <T> imported(
                    validation: Validation,
                    look: (nullCount: Long, isNull: Boolean) -> T,
                ): T =
                    withStructs {
                        val schema = produceSchema(wide(field))
                        val array = produceArray(schema, PeerOptions.rows(7).withNullEvery(3))
                        array.child(0).nullCount(0)
                        import(schema, array, validation).use { struct ->
                            struct.child(0).let { look(it.nullCount, (0 until it.length).any(it::isNull)) }
                        }
                    }
                for (level in listOf(Validation.NONE, Validation.STRUCTURE)) {
                    imported(level) { count, isNull -> count to isNull } shouldBe (0L to false)
                }
                shouldThrow<InvalidArrayException> { imported(Validation.FULL) { _, _ -> } }.message!! shouldContain
                    "null_count is 0, the bitmap has"
            }
        }
    })
