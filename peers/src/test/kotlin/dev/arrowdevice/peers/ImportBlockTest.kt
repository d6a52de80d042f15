package dev.arrowdevice.peers

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation
import dev.arrowdevice.importArray
import dev.arrowdevice.importBatch
import dev.arrowdevice.importColumn
import dev.arrowdevice.importDeviceArray
import dev.arrowdevice.importDeviceBatch
import dev.arrowdevice.importDeviceColumn
import dev.arrowdevice.importDeviceStream
import dev.arrowdevice.importField
import dev.arrowdevice.importSchema
import dev.arrowdevice.importStream
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException

/** Imports of what a block lets the C peer put into structs. */
class ImportBlockTest :
    FunSpec({
        extension(PeerBalance)

        val rows = PeerOptions.rows(2)
        val batchText = "[{\"id\":11000033,\"name\":\"\"},{\"id\":48000144,\"name\":\"é48\"}]"

        /** One way to import. The block gets the addresses; the schema's is 0 if there is none. */
        class Form(
            val name: String,
            val what: String,
            val import: ((Long, Long) -> Unit) -> AutoCloseable,
        )

        val arrays =
            listOf(
                Form("importArray", "array") { fill -> importArray { a, s -> fill(a.address, s.address) } },
                Form("importColumn", "array") { fill -> importColumn { a, s -> fill(a.address, s.address) } },
                Form("importBatch", "array") { fill -> importBatch { a, s -> fill(a.address, s.address) } },
                Form("importDeviceArray", "device array") { fill ->
                    importDeviceArray { a, s -> fill(a.address, s.address) }
                },
                Form("importDeviceColumn", "device array") { fill ->
                    importDeviceColumn { a, s -> fill(a.address, s.address) }
                },
                Form("importDeviceBatch", "device array") { fill ->
                    importDeviceBatch { a, s -> fill(a.address, s.address) }
                },
                Form("importArray in Java", "array") { BlocksInJava.importArray(false, it) },
                Form("importDeviceArray in Java", "device array") { BlocksInJava.importArray(true, it) },
                Form("importBatch in Java", "array") { BlocksInJava.importBatch(false, it) },
                Form("importDeviceBatch in Java", "device array") { BlocksInJava.importBatch(true, it) },
                Form("importBatch of Java, by structure", "array") { fill ->
                    ArrowImport.importBatch(arrayBlock { a, s -> fill(a.address, s.address) })
                },
                Form("importArray of Java, in full", "array") { fill ->
                    ArrowImport.importArray(Validation.FULL, arrayBlock { a, s -> fill(a.address, s.address) })
                },
            )

        val streams =
            listOf(
                Form("importStream", "array stream") { fill -> importStream { fill(it.address, 0) } },
                Form(
                    "importDeviceStream",
                    "device array stream",
                ) { fill -> importDeviceStream { fill(it.address, 0) } },
                Form("importStream in Java", "array stream") { BlocksInJava.importStream(false, it) },
                Form("importDeviceStream in Java", "device array stream") { BlocksInJava.importStream(true, it) },
                Form("importStream of Java, by structure", "array stream") { fill ->
                    ArrowImport.importStream(streamBlock { fill(it.address, 0) })
                },
            )

        fun AutoCloseable.text(): String =
            use {
                when (it) {
                    is DeviceArray -> it.canonical()
                    is RecordBatch -> it.asStruct().canonical()
                    is DeviceArrayStream -> it.nextBatch()!!.use { batch -> batch.asStruct().canonical() }
                    else -> error("$it")
                }
            }

        fun Structs.fill(
            form: Form,
            struct: Long,
            schema: Long,
        ) {
            peer.produceSchema(Fields.batch, schema)
            if (form.what == "device array") {
                peer.produceDeviceArray(schema, rows, struct)
            } else {
                peer.produceArray(schema, rows, struct)
            }
        }

        fun Structs.fillStream(
            form: Form,
            struct: Long,
        ) {
            val one = PeerStreamOptions.batches(1)
            if (form.what == "array stream") {
                peer.produceStream(Fields.batch, rows, one, struct)
            } else {
                peer.produceDeviceStream(Fields.batch, rows, one, struct)
            }
        }

        context("what the block has filled is imported even if the block closes the structs") {
            test("an array") {
                withStructs {
                    importBatch { array, schema ->
                        fill(arrays[2], array.address, schema.address)
                        array.close()
                        schema.close()
                    }.text() shouldBe batchText
                }
            }
            test("a stream") {
                withStructs {
                    importStream { stream ->
                        fillStream(streams[0], stream.address)
                        stream.close()
                    }.text() shouldBe batchText
                }
            }
        }

        context("the array that the block writes is imported") {
            withData(nameFn = { it.name }, arrays) { form ->
                withStructs {
                    val text = form.import { struct, schema -> fill(form, struct, schema) }.text()
                    text.replace("{\"\":", "").replace("}}", "}") shouldBe batchText
                }
            }
            withData(nameFn = { it.name }, streams) { form ->
                withStructs { form.import { struct, _ -> fillStream(form, struct) }.text() shouldBe batchText }
            }
        }

        context("the array that the block writes before it throws is released") {
            withData(nameFn = { it.name }, arrays) { form ->
                withStructs {
                    shouldThrow<IOException> {
                        form.import { struct, schema ->
                            fill(form, struct, schema)
                            throw IOException("the query failed")
                        }
                    }.message shouldBe "the query failed"
                }
            }
            withData(nameFn = { it.name }, streams) { form ->
                withStructs {
                    shouldThrow<IOException> {
                        form.import { struct, _ ->
                            fillStream(form, struct)
                            throw IOException("the query failed")
                        }
                    }.message shouldBe "the query failed"
                }
            }
        }

        context("a block that writes nothing is reported") {
            withData(nameFn = { it.name }, arrays + streams) { form ->
                shouldThrow<IllegalStateException> { form.import { _, _ -> } }.message!! shouldContain
                    "the block ended without filling the struct of the ${form.what}"
            }
        }

        context("an array without its schema is released, and so is a schema without its array") {
            withData(nameFn = { it.name }, arrays) { form ->
                withStructs {
                    shouldThrow<IllegalStateException> {
                        form.import { struct, schema ->
                            fill(form, struct, schema)
                            peer.releaseSchema(schema)
                        }
                    }.message!! shouldContain "without filling the struct of the schema"
                    shouldThrow<IllegalStateException> {
                        form.import { _, schema -> peer.produceSchema(Fields.batch, schema) }
                    }.message!! shouldContain "without filling the struct of the ${form.what}"
                }
            }
        }

        context("an array that breaks the specification is released") {
            withData(nameFn = { it.name }, arrays) { form ->
                withStructs {
                    shouldThrow<InvalidArrayException> {
                        form.import { struct, schema ->
                            fill(form, struct, schema)
                            ArrayStruct(struct).length(-1)
                        }
                    }
                }
            }
        }

        test("the block needs no schema for an array or a batch of a known type") {
            withStructs {
                val schema = produceSchema(Fields.int32)
                importArray(ArrowType.INT32) { peer.produceArray(schema.address, rows, it.address) }
                    .use { it.canonical() shouldBe "[11,48]" }
                importDeviceArray(ArrowType.INT32, Validation.FULL) {
                    peer.produceDeviceArray(schema.address, rows, it.address)
                }.use { it.canonical() shouldBe "[11,48]" }
                val batchSchema = produceSchema(Fields.batch)
                val known = importedBatch(Fields.batch, rows).use { it.schema }
                importBatch(known) { peer.produceArray(batchSchema.address, rows, it.address) }.text() shouldBe
                    batchText
                importDeviceBatch(known) { peer.produceDeviceArray(batchSchema.address, rows, it.address) }
                    .text() shouldBe batchText
                CStruct.deviceArray().use { struct ->
                    peer.produceDeviceArray(batchSchema.address, rows, struct.address)
                    ArrowImport.importDeviceBatch(struct, known).text() shouldBe batchText
                }
                CStruct.array().use { struct ->
                    peer.produceArray(batchSchema.address, rows, struct.address)
                    ArrowImport.importBatch(struct, known).text() shouldBe batchText
                }
                shouldThrow<IllegalStateException> { importArray(ArrowType.INT32) { } }.message!! shouldContain
                    "without filling"
                peer.releaseSchema(schema.address)
                peer.releaseSchema(batchSchema.address)
            }
        }

        test("a column keeps its field, and an array only its type") {
            withStructs {
                val field = PeerField.of("price", "i").notNull().withMetadata("unit", "EUR")
                val expected = importField { peer.produceSchema(field, it.address) }
                expected.name() shouldBe "price"
                importColumn { array, schema ->
                    peer.produceSchema(field, schema.address)
                    peer.produceArray(schema.address, rows, array.address)
                }.use { batch ->
                    batch.schema.fields() shouldBe listOf(expected)
                    batch.column("price").canonical() shouldBe "[11,48]"
                }
                val nullable = produceSchema(PeerField.of("price", "i"))
                shouldThrow<IllegalArgumentException> {
                    importColumn { array, schema ->
                        peer.produceSchema(field, schema.address)
                        peer.produceArray(nullable.address, rows.withNullEvery(2), array.address)
                    }
                }.message!! shouldContain "declared not nullable"
                peer.releaseSchema(nullable.address)
            }
        }

        test("a block can write a schema") {
            withStructs {
                val schema = importSchema { peer.produceSchema(Fields.batch, it.address) }
                schema.field(0) shouldBe Field.notNull("id", ArrowType.INT64)
                BlocksInJava.importSchema { _, struct -> peer.produceSchema(Fields.batch, struct) } shouldBe schema
                shouldThrow<IOException> {
                    BlocksInJava.importSchema { _, struct ->
                        peer.produceSchema(Fields.batch, struct)
                        throw IOException("refused")
                    }
                }
                shouldThrow<IllegalStateException> { importField { } }.message!! shouldContain
                    "importField: the block ended without filling the struct of the schema"
            }
        }
    })
