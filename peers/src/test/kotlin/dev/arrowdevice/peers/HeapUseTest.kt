package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.InvalidSchemaException
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.addAll
import dev.arrowdevice.exportTo
import dev.arrowdevice.importArray
import dev.arrowdevice.importStream
import dev.arrowdevice.peers.async.BatchWork
import dev.arrowdevice.peers.async.batchOf
import dev.arrowdevice.peers.async.export
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.AsyncExport
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.io.IOException

/** So many that the freed structs of async streams, which are kept for a while, are as many as they become. */
private const val WARM_UP = 4_000
private const val MEASUREMENTS = 8
private const val ROUNDS = 1_000
private const val ATTEMPTS = 5

/** Half of the smallest block of the C heap, which is what a leak would take in each round. */
private const val HALF_A_BLOCK = 16L

/**
 * Nothing of an exchange stays on the C heap, neither an array nor the small blocks for structs and metadata that no
 * counter has. The C library counts.
 */
class HeapUseTest :
    FunSpec({
        extension(PeerBalance)

        val described = Fields.struct.withMetadata("key", "value")

        /**
         * Measures until the third smallest change of eight is less than a leak. A leak is there each time. The JVM's own
         * memory comes, most of it in the beginning, and goes, seldom and much at once, which hides a leak for that time.
         */
        fun keepsNothing(
            name: String,
            prepare: Structs.() -> () -> Unit,
        ) = test(name).config(enabledOrReasonIf = GuardedMemory.skipped("the C library doesn't count it")) {
            withStructs {
                val round = prepare()
                repeat(WARM_UP) { round() }
                val kept =
                    generateSequence {
                        val changes =
                            List(MEASUREMENTS) {
                                val before = peer.heap.bytesInUse()
                                repeat(ROUNDS) { round() }
                                peer.heap.bytesInUse() - before
                            }
                        changes.sorted()[2]
                    }
                kept.take(ATTEMPTS).any { it < ROUNDS * HALF_A_BLOCK } shouldBe true
            }
        }

        keepsNothing("an array with its schema that is imported and closed") {
            val schema = schema()
            val array = array();
            {
                peer.produceSchema(described, schema)
                peer.produceArray(schema, PeerOptions.rows(2), array)
                ArrowImport.importArray(CStruct.arrayAt(array), CStruct.schemaAt(schema)).close()
            }
        }

        keepsNothing("an array that is refused") {
            val schema = schema()
            val array = array();
            {
                peer.produceSchema(described, schema)
                peer.produceArray(schema, PeerOptions.rows(2), array)
                ArrayStruct(array).child(1).length(-1)
                shouldThrow<InvalidArrayException> {
                    ArrowImport.importArray(CStruct.arrayAt(array), CStruct.schemaAt(schema))
                }
            }
        }

        keepsNothing("a schema that is refused") {
            val schema = schema()
            val unknown =
                PeerField.of(
                    "x",
                    "+s",
                    PeerField.of("a", "i").withMetadata("k", "v"),
                    PeerField.of("b", "?"),
                )
            ;
            {
                peer.produceSchema(unknown, schema)
                shouldThrow<InvalidSchemaException> { ArrowImport.importField(CStruct.schemaAt(schema)) }
            }
        }

        keepsNothing("a schema that is exported with metadata at all levels, and released by the peer") {
            val child = PeerField.of("a", "i").withMetadata("of", "the child")
            val field =
                ArrowImport.importField(
                    CStruct.schemaAt(
                        produceSchema(PeerField.of("x", "+l", child).withMetadata("of", "the list")).address,
                    ),
                )
            val out = schema();
            {
                ArrowExport.exportField(field, CStruct.schemaAt(out))
                peer.releaseSchema(out)
            }
        }

        keepsNothing("a schema whose export is refused") {
            val child = Field.nullable("a", ArrowType.INT32).withMetadata(Metadata.of("k", "v"))
            val half = Field.nullable("x", ArrowType.struct(child, Field.nullable("half \uD83D", ArrowType.INT32)))
            val out = schema();
            {
                shouldThrow<InvalidSchemaException> { ArrowExport.exportField(half, CStruct.schemaAt(out)) }
            }
        }

        keepsNothing("an array that is exported, and released by the peer") {
            val out = array()
            val schema = schema()
            val outSchema = schema();
            {
                peer.produceSchema(Fields.dictionary, schema)
                peer.produceArray(schema, PeerOptions.rows(2), out)
                val array = ArrowImport.importArray(CStruct.arrayAt(out), CStruct.schemaAt(schema))
                ArrowExport.exportArray(array, CStruct.arrayAt(out), CStruct.schemaAt(outSchema))
                peer.releaseArray(out)
                peer.releaseSchema(outSchema)
            }
        }

        keepsNothing("an array whose children the peer moves out and releases last") {
            val schema = schema()
            val out = array()
            val moved = array();
            {
                peer.produceSchema(Fields.struct, schema)
                peer.produceArray(schema, PeerOptions.rows(2), out)
                val array = ArrowImport.importArray(CStruct.arrayAt(out), CStruct.schemaAt(schema))
                ArrowExport.exportArray(array, CStruct.arrayAt(out))
                peer.moveArray(ArrayStruct(out).child(0).address, moved)
                peer.releaseArray(out)
                peer.releaseArray(moved)
            }
        }

        keepsNothing("a stream that is read to its end, and one that is not") {
            val stream = stream();
            {
                for (limit in listOf(1, 3)) {
                    peer.produceStream(Fields.batch, PeerOptions.rows(2), PeerStreamOptions.batches(2), stream)
                    ArrowImport.importStream(CStruct.arrayStreamAt(stream)).use { imported ->
                        repeat(limit) { imported.nextBatch()?.close() }
                    }
                }
            }
        }

        keepsNothing("a stream that fails, in its schema and in a batch") {
            val stream = stream()
            val options = PeerStreamOptions.batches(2);
            {
                peer.produceStream(Fields.batch, PeerOptions.rows(2), options.failingSchema(22, "no"), stream)
                shouldThrow<ForeignException> { ArrowImport.importStream(CStruct.arrayStreamAt(stream)) }
                peer.produceStream(Fields.batch, PeerOptions.rows(2), options.failing(1, 5, "disk"), stream)
                ArrowImport.importStream(CStruct.arrayStreamAt(stream)).use { imported ->
                    imported.nextBatch()?.close()
                    shouldThrow<ForeignException> { imported.nextBatch() }
                }
            }
        }

        keepsNothing("a stream that is exported and read by the peer, with an error at its end") {
            val schema = ArrowImport.importSchema(CStruct.schemaAt(produceSchema(Fields.batch).address))
            val stream = stream();
            {
                val failing =
                    DeviceArrayStream.of(
                        schema,
                        generateSequence<RecordBatch> { error("no more") }.iterator(),
                    )
                ArrowExport.exportStream(failing, CStruct.arrayStreamAt(stream))
                peer.drainStream(stream, -1)
            }
        }

        keepsNothing("structs of every kind that are closed, with and without content") {
            val schema = schema();
            {
                listOf(
                    CStruct.schema(),
                    CStruct.array(),
                    CStruct.deviceArray(),
                    CStruct.arrayStream(),
                ).forEach { it.close() }
                CStruct.deviceArrayStream().close()
                CStruct.schema().use { struct ->
                    peer.produceSchema(described, schema)
                    ArrowExport.exportField(ArrowImport.importField(CStruct.schemaAt(schema)), struct)
                }
            }
        }

        keepsNothing("imports whose block closes the structs, or fails") {
            fun fill(
                array: CStruct,
                schema: CStruct,
            ) {
                peer.produceSchema(described, schema.address)
                peer.produceArray(schema.address, PeerOptions.rows(2), array.address)
            };
            {
                importArray { array, schema ->
                    fill(array, schema)
                    array.close()
                    schema.close()
                }.close()
                shouldThrow<IOException> {
                    importArray { array, schema ->
                        fill(array, schema)
                        throw IOException("on purpose")
                    }
                }
                shouldThrow<IOException> { importStream { throw IOException("on purpose") } }
            }
        }

        keepsNothing("exports whose block takes all, closes the structs, or fails") {
            fun batch() = recordBatch { column<Int>("i") { addAll(listOf(1)) } }
            val field = Field.nullable("x", ArrowType.list(ArrowType.INT32));
            {
                batch().exportTo { array, schema ->
                    peer.releaseArray(array.address)
                    peer.releaseSchema(schema.address)
                }
                batch().use { batch ->
                    batch.exportTo { array, schema ->
                        array.close()
                        schema.close()
                    }
                    shouldThrow<IOException> { batch.exportTo { _, _ -> throw IOException("on purpose") } }
                }
                field.exportTo { it.close() }
                shouldThrow<IOException> { field.exportTo { throw IOException("on purpose") } }
            }
        }

        keepsNothing("imports by blocks of Java that close the structs, or fail with and without closing them") {
            fun fill(
                array: CStruct,
                schema: CStruct,
            ) {
                peer.produceSchema(described, schema.address)
                peer.produceArray(schema.address, PeerOptions.rows(2), array.address)
            }
            val one = PeerStreamOptions.batches(1)

            fun fill(stream: CStruct) = peer.produceStream(Fields.batch, PeerOptions.rows(2), one, stream.address);
            {
                ArrowImport
                    .importArray(
                        arrayBlock { array, schema ->
                            fill(array, schema)
                            array.close()
                            schema.close()
                        },
                    ).close()
                ArrowImport
                    .importStream(
                        streamBlock {
                            fill(it)
                            it.close()
                        },
                    ).close()
                for (closes in listOf(true, false)) {
                    shouldThrow<IOException> {
                        ArrowImport.importArray(
                            arrayBlock { array, schema ->
                                fill(array, schema)
                                if (closes) listOf(array, schema).forEach(CStruct::close)
                                throw IOException("on purpose")
                            },
                        )
                    }
                    shouldThrow<IOException> {
                        ArrowImport.importStream(
                            streamBlock {
                                fill(it)
                                if (closes) it.close()
                                throw IOException("on purpose")
                            },
                        )
                    }
                }
            }
        }

        keepsNothing("exports by blocks of Java that take all, close the structs, or fail") {
            fun batch() = recordBatch { column<Int>("i") { addAll(listOf(1)) } }
            val field = Field.nullable("x", ArrowType.list(ArrowType.INT32))
            val schema = Schema.of(field)

            fun stream() = DeviceArrayStream.of(schema, listOf());
            {
                val taking =
                    arrayBlock { array, described ->
                        peer.releaseArray(array.address)
                        peer.releaseSchema(described.address)
                    }
                ArrowExport.exportBatch(batch(), taking)
                ArrowExport.exportStream(stream(), streamBlock { peer.drainStream(it.address, -1) })
                ArrowExport.exportSchema(schema, schemaBlock { peer.releaseSchema(it.address) })
                for (closes in listOf(true, false)) {
                    for (fails in listOf(true, false)) {
                        fun end(vararg structs: CStruct) {
                            if (closes) structs.forEach(CStruct::close)
                            if (fails) throw IOException("on purpose")
                        }
                        batch().use {
                            runCatching { ArrowExport.exportBatch(it, arrayBlock { array, s -> end(array, s) }) }
                        }
                        stream().use { runCatching { ArrowExport.exportStream(it, streamBlock { s -> end(s) }) } }
                        runCatching { ArrowExport.exportSchema(schema, schemaBlock { end(it) }) }
                    }
                }
            }
        }

        keepsNothing("an async stream that is exported, with metadata, to its end and to a failure") {
            val ends = listOf<(AsyncExport) -> Unit>(AsyncExport::end, { it.fail(IllegalStateException("no more")) })
            val metadata = Metadata.of("key", "value");
            {
                for (end in ends) {
                    export(PeerAsyncConsumer.Options.requesting(1), metadata) { export, consumer ->
                        export.start()
                        export.offer(BatchWork(batchOf(1)), metadata)
                        consumer.extract(0)
                        end(export)
                    }
                }
            }
        }
    })
