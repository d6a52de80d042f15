package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.Field
import dev.arrowdevice.InvalidSchemaException
import dev.arrowdevice.Metadata
import dev.arrowdevice.StructType
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.property.Arb
import io.kotest.property.arbitrary.choice
import io.kotest.property.arbitrary.constant
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.list
import io.kotest.property.arbitrary.map
import io.kotest.property.checkAll
import java.util.Collections.nCopies

private const val MEGABYTE = 1_000_000

/** Text of characters that some part of the way can't carry, among others. */
private val texts: Arb<String> =
    Arb
        .list(
            Arb.choice(
                Arb.int(0x20..0x7E).map { it.toChar().toString() },
                Arb.int(0..0xFFFF).map { it.toChar().toString() },
                Arb.constant("\u0000"),
                Arb.constant("\uD83D\uDE80"),
                Arb.constant("\uDE80"),
                Arb.constant("é\"\\\n"),
            ),
            0..12,
        ).map { it.joinToString("") }

class SchemaLimitsTest :
    FunSpec({
        extension(PeerBalance)

        /** A text of a foreign library that ends after a number of bytes. */
        fun Structs.longText(byteSize: Int): Long =
            zeroed(byteSize + 1).also { for (i in 0L until byteSize) NativeMemory.putByte(it + i, 'a'.code.toByte()) }

        /** Gives a struct the same child a number of times. */
        fun Structs.repeatChild(
            schema: SchemaStruct,
            count: Int,
        ) {
            val child = schema.child(0).address
            val pointers = zeroed(8 * count)
            for (i in 0L until count) NativeMemory.putLong(pointers + 8 * i, child)
            schema.children(pointers)
            schema.childCount(count.toLong())
        }

        fun Structs.refusal(schema: SchemaStruct): String {
            val failure =
                shouldThrow<InvalidSchemaException> { ArrowImport.importField(CStruct.schemaAt(schema.address)) }
            withClue("consumed") { schema.released() shouldBe true }
            return failure.message.orEmpty()
        }

        test("twenty thousand fields that share a name of a megabyte are refused before they fill the heap") {
            withStructs {
                val schema = produceSchema(Fields.nestedStruct)
                schema.child(0).name(longText(MEGABYTE))
                repeatChild(schema, 20_000)
                refusal(schema) shouldContain
                    "the names, formats and metadata of the schema have more than 67108864 bytes"
            }
        }

        test("fields that share large metadata are refused before they fill the heap") {
            withStructs {
                val schema = produceSchema(Fields.struct)
                val metadata = zeroed(MEGABYTE)
                NativeMemory.putInt(metadata, 1)
                NativeMemory.putInt(metadata + 4, MEGABYTE / 2)
                schema.child(0).metadata(metadata)
                repeatChild(schema, 20_000)
                refusal(schema) shouldContain "more than 67108864 bytes"
            }
        }

        test("fields that share many entries of metadata are refused before they fill the heap") {
            withStructs {
                val schema = produceSchema(Fields.struct)
                val metadata = zeroed(MEGABYTE)
                NativeMemory.putInt(metadata, 100_000)
                schema.child(0).metadata(metadata)
                repeatChild(schema, 100)
                refusal(schema) shouldContain "more than 1048576 entries of metadata"
            }
        }

        test("a message is short, however long the names and the formats are that it quotes") {
            withStructs {
                val levels = (1..60).fold(PeerField.of("x", "i")) { inner, _ -> PeerField.of("x", "+s", inner) }
                val schema = produceSchema(levels)
                val name = longText(100_000)
                var level = schema
                repeat(60) {
                    level = level.child(0)
                    level.name(name)
                }
                level.format(longText(65_000))
                val message = refusal(schema)
                message.length shouldBeLessThan 20_000
                message shouldContain "a".repeat(100) + "… (100000 characters)"
                message shouldContain "a".repeat(100) + "… (65000 characters)"
            }
        }

        test("a message about a type of a million characters is short") {
            withStructs {
                val schema = produceSchema(Fields.map)
                val entries = schema.child(0)
                entries.child(0).name(longText(MEGABYTE))
                repeatChild(entries, 3)
                refusal(schema).length shouldBeLessThan 500
            }
        }

        /** Exports a field and imports it again, or returns null if the export refuses it. */
        fun exchanged(make: () -> Field): Pair<Field, Field>? =
            CStruct.schema().use { schema ->
                try {
                    val field = make()
                    ArrowExport.exportField(field, schema)
                    field to ArrowImport.importField(schema)
                } catch (e: InvalidSchemaException) {
                    // The import consumes what it refuses, so only the export may have failed.
                    withClue(
                        "refused by the import: $e",
                    ) { e.stackTrace.none { "Import" in it.className } shouldBe true }
                    schema.isLive shouldBe false
                    null
                }
            }

        val places =
            mapOf<String, (String) -> Field>(
                "a name" to { Field.nullable(it, ArrowType.INT32) },
                "the name of a child" to { Field.nullable("x", ArrowType.list(Field.nullable(it, ArrowType.INT32))) },
                "a time zone" to { Field.nullable("x", ArrowType.timestamp(TimeUnit.SECOND, it)) },
                "the name of an extension" to {
                    Field.nullable("x", ArrowType.extension(it.ifEmpty { "x" }, ArrowType.INT8, byteArrayOf(1, 0, -1)))
                },
                "a key of metadata" to { Field.nullable("x", ArrowType.INT8).withMetadata(Metadata.of(it, "v")) },
                "a value of metadata" to { Field.nullable("x", ArrowType.INT8).withMetadata(Metadata.of("k", it)) },
                "the name of a dimension" to {
                    Field.nullable(
                        "x",
                        ArrowType.fixedShapeTensor(ArrowType.INT8, listOf(2), listOf(it), listOf()),
                    )
                },
                "a name in a dictionary" to {
                    val values = ArrowType.struct(Field.nullable(it, ArrowType.INT32))
                    Field.nullable("x", ArrowType.dictionary(ArrowType.INT8, values, true))
                },
            )

        context("what an export takes, an import takes, with the same content:") {
            withData(nameFn = { it }, places.keys) { place ->
                val make = places.getValue(place)
                checkAll(300, texts) { text ->
                    exchanged { make(text) }?.let { (sent, received) -> received shouldBe sent }
                }
                withClue("plain text") { (exchanged { make("größe 🚀") } == null) shouldBe false }
                withClue("half a surrogate pair") { exchanged { make("a\uD83Db") } shouldBe null }
            }
        }

        context("what is too long is refused by the export, and the longest is taken by the import:") {
            fun limits(
                longest: Int,
                make: (String) -> Field,
            ) {
                val text = "n".repeat(longest)
                withClue("$longest bytes") {
                    exchanged { make(text) }.let {
                        it?.second shouldBe it?.first
                        it == null
                    } shouldBe false
                }
                withClue("a byte more") { exchanged { make(text + "n") } shouldBe null }
                withClue("a byte more by one character") { exchanged { make(text.drop(1) + "é") } shouldBe null }
            }

            test("a name") { limits((1 shl 20) - 1, places.getValue("a name")) }
            test("a format") { limits((1 shl 16) - 1 - "tss:".length, places.getValue("a time zone")) }
            test("metadata") { limits((1 shl 26) - 13 - 2, places.getValue("a value of metadata")) }

            test("the texts of a schema together") {
                val name = "n".repeat((1 shl 20) - 2) // With its format of one character, less than a 64th of all.
                val most = Field.nullable("", ArrowType.struct(List(64) { Field.nullable(name, ArrowType.INT8) }))
                val (sent, received) = exchanged { most } ?: error("refused")
                (received == sent) shouldBe true
                exchanged { Field.nullable("too many", StructType(most.children() + most.children())) } shouldBe null
            }

            test("the number of fields") {
                fun struct(fields: Int) =
                    Field.nullable("", StructType(nCopies(fields, Field.nullable("", ArrowType.INT8))))
                val (sent, received) = exchanged { struct((1 shl 20) - 1) } ?: error("refused")
                (received == sent) shouldBe true
                exchanged { struct(1 shl 20) } shouldBe null
            }

            test("the entries of metadata") {
                fun entries(count: Int) = Metadata.of(*Array(2 * count) { "" })
                val half = Field.nullable("", ArrowType.INT8).withMetadata(entries(1 shl 19))
                val (sent, received) =
                    exchanged { Field.nullable("", ArrowType.struct(half, half)) }
                        ?: error("refused")
                (received == sent) shouldBe true
                exchanged { Field.nullable("", ArrowType.struct(half, half, half)) } shouldBe null
            }
        }
    })
