package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.InvalidSchemaException
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Schemas over the C interface: what is right comes back as it was, what is wrong is refused and released. */
class BadSchemaTest :
    FunSpec({
        extension(PeerBalance)

        fun roundTrip(
            field: PeerField,
            vararg quirks: PeerQuirk,
        ) = withStructs {
            val imported = ArrowImport.importField(CStruct.schemaAt(produceSchema(field, *quirks).address))
            val out = schema()
            ArrowExport.exportField(imported, CStruct.schemaAt(out))
            peer.renderSchema(out).also { peer.releaseSchema(out) }
        }

        context("an imported schema is exported unchanged") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                roundTrip(field) shouldBe field.toString()
                roundTrip(field.notNull(), PeerQuirk.GUARD_BEHIND, PeerQuirk.MISALIGNED) shouldBe
                    field.notNull().toString()
            }
        }

        test("metadata keeps its order and its duplicate keys") {
            val field = Fields.int32.withMetadata("b", "1", "a", "2", "b", "3", "", "", "ключ", "значение")
            roundTrip(field, PeerQuirk.GUARD_BEHIND) shouldBe field.toString()
        }

        test("metadata may be binary, keys too") {
            val field =
                Fields.int32.withEncodedMetadata(
                    byteArrayOf(1, 0, 0, 0, 2, 0, 0, 0, -1, 0, 3, 0, 0, 0, 0, -2, 0),
                )
            roundTrip(field) shouldBe field.toString()
        }

        test("an unknown extension keeps its name and its metadata") {
            val field =
                Fields.int32.withMetadata(
                    "ARROW:extension:name",
                    "acme.unknown",
                    "ARROW:extension:metadata",
                    "{}",
                    "k",
                    "v",
                )
            roundTrip(field) shouldBe field.toString()
        }

        test("unknown flags are ignored") {
            roundTrip(Fields.int32.withFlags(2 or 1024)) shouldBe Fields.int32.toString()
            roundTrip(Fields.int32.withFlags(8 or 1 or 4)) shouldBe Fields.int32.notNull().toString()
        }

        test("a NULL name is an empty name") {
            roundTrip(Fields.int32.named(null)) shouldBe
                Fields.int32.named("").toString()
        }

        test("names and metadata may be any UTF-8 text") {
            val field = PeerField.of("größe|\\n\n🚀", "i")
            roundTrip(field) shouldBe field.toString()
        }

        class Case(
            val name: String,
            val field: PeerField,
            val message: String,
            val spoil: Structs.(SchemaStruct) -> Unit = {},
        )

        fun metadata(vararg bytes: Int) = Fields.int32.withEncodedMetadata(ByteArray(bytes.size) { bytes[it].toByte() })

        val spoiled =
            listOf(
                Case("a format that is NULL", Fields.int32, "format is NULL") { it.format(0) },
                Case("a format that is empty", Fields.int32, "format") { it.format(bytes(0)) },
                Case("a format that is not UTF-8", Fields.int32, "format is not UTF-8") { it.format(bytes(0xFF, 0)) },
                Case(
                    "a name that is not UTF-8",
                    Fields.int32,
                    "name is not UTF-8",
                ) { it.name(bytes('a'.code, 0xC3, 0)) },
                Case("a name that never ends", Fields.int32, "name does not end") { schema ->
                    val endless = zeroed(1 shl 21)
                    for (i in 0L until (1 shl 21)) NativeMemory.putByte(endless + i, 'a'.code.toByte())
                    schema.name(endless)
                },
                Case("a name of a child that is not UTF-8", Fields.struct, "name is not UTF-8") {
                    it.child(1).name(bytes(0x80, 0))
                },
                Case("a negative number of children", Fields.struct, "n_children is -1") { it.childCount(-1) },
                Case("a huge number of children", Fields.struct, "n_children") { it.childCount(Long.MAX_VALUE) },
                Case("no children member", Fields.struct, "children is NULL") { it.children(0) },
                Case("a wild child where the format has none", Fields.int32, "expected 0 children, got 1") {
                    it.childCount(1)
                    it.children(wildPointers())
                },
                Case("a wild child behind the one of a list", Fields.list, "expected 1 child, got 2") {
                    it.childCount(2)
                    it.children(wildPointers())
                },
                Case("wild children of a union with one type id", Fields.sparse, "expected 1 child, got 2") {
                    it.format(bytes('+'.code, 'u'.code, 's'.code, ':'.code, '5'.code, 0))
                    it.children(wildPointers())
                },
                Case("a wild dictionary where the format is no index", Fields.utf8, "index of the dictionary") {
                    it.dictionary(0xDEAD_0000)
                },
                Case("a child that is NULL", Fields.struct, "child 1 is NULL") { it.child(1, 0) },
                Case("a child that is released", Fields.struct, "released") { peer.releaseSchema(it.child(0).address) },
                Case("a schema that is its own child", Fields.nestedStruct, "64 levels") {
                    it.child(0).child(0, it.child(0).address)
                },
                Case("a schema that is its own dictionary", Fields.int32, "64 levels") { it.dictionary(it.address) },
            )
        val malformed =
            listOf(
                Case("a list without a child", PeerField.of("x", "+l"), "child"),
                Case("a list of two", PeerField.of("x", "+l", Fields.int32, Fields.utf8), "child"),
                Case("an int32 with a child", PeerField.of("x", "i", Fields.int32), "child"),
                Case("a map of one", PeerField.of("x", "+m", PeerField.of("entries", "+s", Fields.utf8)), "map"),
                Case("a map of no struct", PeerField.of("x", "+m", Fields.int32), "map"),
                Case(
                    "run ends of another type",
                    PeerField.of("x", "+r", PeerField.of("run_ends", "u").notNull(), Fields.utf8),
                    "run",
                ),
                Case("run ends alone", PeerField.of("x", "+r", PeerField.of("run_ends", "i").notNull()), "child"),
                Case("a dictionary of a type that is no index", Fields.utf8.withDictionary(Fields.utf8), "dictionary"),
                Case(
                    "a union with fewer type ids than children",
                    PeerField.of("x", "+us:1", Fields.int32, Fields.utf8),
                    "expected 1 child, got 2",
                ),
                Case(
                    "a union with one type id twice",
                    PeerField.of("x", "+ud:1,1", Fields.int32, Fields.utf8),
                    "type id",
                ),
                Case(
                    "a union with a type id above 127",
                    PeerField.of("x", "+us:1,128", Fields.int32, Fields.utf8),
                    "128",
                ),
                Case(
                    "a union with a negative type id",
                    PeerField.of("x", "+us:-1,2", Fields.int32, Fields.utf8),
                    "format",
                ),
                Case("metadata of negative count", metadata(0xFF, 0xFF, 0xFF, 0xFF), "-1"),
                Case("metadata with a key of negative length", metadata(1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF), "-2"),
                Case(
                    "metadata with a value of negative length",
                    metadata(1, 0, 0, 0, 0, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF),
                    "-2",
                ),
                Case("metadata of huge count", metadata(0xFF, 0xFF, 0xFF, 0x7F), "metadata"),
                Case("metadata with a key of huge length", metadata(1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F), "metadata"),
            ) +
                listOf(
                    "cc",
                    "w",
                    "w:",
                    "w:three",
                    "w:3,5",
                    "w:-1",
                    "d:15",
                    "d:15.4",
                    "d:15,z",
                    "d:0,0",
                    "d:39,0",
                    "d:10,2,64,1",
                    "d:10,2,48",
                    "t",
                    "td",
                    "tz",
                    "tdd",
                    "tdDd",
                    "tss",
                    "tss;UTC",
                    "tDx",
                    "tix",
                    "+",
                    "+mm",
                    "+u",
                    "+uz",
                    "+uz:",
                    "+us:1.2",
                    "+w",
                    "+w:",
                    "+w:x",
                    "v",
                    "vx",
                    "+v",
                    "+vx",
                    " i",
                    "i ",
                    "ü",
                    "d:99999999999999999999,1",
                    "w:99999999999999999999",
                ).map { format -> Case("the format '$format'", PeerField.of("x", format), "format") }

        context("refused, and released:") {
            withData(nameFn = { it.name }, spoiled + malformed) { case ->
                withStructs {
                    val schema = produceSchema(case.field)
                    case.spoil(this, schema)
                    val failure =
                        shouldThrow<InvalidSchemaException> {
                            ArrowImport.importField(
                                CStruct.schemaAt(schema.address),
                            )
                        }
                    failure.message!! shouldContain case.message
                    withClue("consumed") { schema.released() shouldBe true }
                }
            }
        }

        context("an array whose schema is refused is released too:") {
            withData(nameFn = { it.name }, spoiled) { case ->
                withStructs {
                    val schema = produceSchema(case.field)
                    val array = produceArray(schema, PeerOptions.rows(3))
                    case.spoil(this, schema)
                    shouldThrow<InvalidSchemaException> {
                        ArrowImport.importArray(
                            CStruct.arrayAt(array.address),
                            CStruct.schemaAt(schema.address),
                        )
                    }
                    array.released() shouldBe true
                    schema.released() shouldBe true
                }
            }
        }

        test("a record batch needs a struct") {
            withStructs {
                val schema = produceSchema(Fields.int32)
                shouldThrow<InvalidSchemaException> { ArrowImport.importSchema(CStruct.schemaAt(schema.address)) }
                val second = produceSchema(Fields.int32)
                val array = produceArray(second, PeerOptions.rows(3))
                shouldThrow<InvalidSchemaException> {
                    ArrowImport.importBatch(CStruct.arrayAt(array.address), CStruct.schemaAt(second.address))
                }
            }
        }

        test("ten thousand levels are refused") {
            withStructs {
                val schema = schema()
                val array = array()
                peer.produceDeep(10_000, schema, array)
                shouldThrow<InvalidSchemaException> {
                    ArrowImport.importField(
                        CStruct.schemaAt(schema),
                    )
                }.message!! shouldContain
                    "64 levels"
                peer.releaseArray(array)
            }
        }

        test("sixty levels are accepted") {
            withStructs {
                val schema = schema()
                val array = array()
                peer.produceDeep(60, schema, array)
                ArrowImport.importArray(CStruct.arrayAt(array), CStruct.schemaAt(schema)).use {
                    it.length shouldBe
                        1
                }
            }
        }
    })

/** Addresses that nobody may follow. */
private fun Structs.wildPointers(): Long {
    val pointers = zeroed(16)
    NativeMemory.putLong(pointers, 0xDEAD_0000)
    NativeMemory.putLong(pointers + 8, 0xDEAD_0000)
    return pointers
}
