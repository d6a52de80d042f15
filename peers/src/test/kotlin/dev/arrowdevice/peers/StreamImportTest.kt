package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.InvalidSchemaException
import dev.arrowdevice.Schema
import dev.arrowdevice.Validation
import dev.arrowdevice.add
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.atomic.AtomicInteger

/** Streams of the C peer, plain and device ones, read by the SDK. */
class StreamImportTest :
    FunSpec({
        extension(PeerBalance)

        val rows = PeerOptions.rows(3).withNullEvery(3)
        val texts =
            listOf(
                "[{\"id\":11000033,\"name\":\"\"},{\"id\":48000144,\"name\":\"é48\"},{\"id\":85000255,\"name\":null}]",
            )

        class Kind(
            val name: String,
            val open: Structs.(PeerField, PeerOptions, PeerStreamOptions) -> DeviceArrayStream,
        )

        fun Structs.plain(
            field: PeerField,
            options: PeerOptions,
            stream: PeerStreamOptions,
        ) = stream().let {
            peer.produceStream(field, options, stream, it)
            ArrowImport.importStream(CStruct.arrayStreamAt(it), Validation.FULL)
        }

        fun Structs.device(
            field: PeerField,
            options: PeerOptions,
            stream: PeerStreamOptions,
        ) = deviceStream().let {
            peer.produceDeviceStream(field, options, stream, it)
            ArrowImport.importDeviceStream(CStruct.deviceArrayStreamAt(it), Validation.FULL)
        }

        val kinds =
            listOf(
                Kind("a plain stream") { f, o, s -> plain(f, o, s) },
                Kind("a device stream") { f, o, s -> device(f, o, s) },
                Kind("a device stream with a soiled end") { f, o, s -> device(f, o, s.withSoiledEnd()) },
            )

        context("batches are read in order, then the end, repeatedly:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    kind.open(this, Fields.batch, rows, PeerStreamOptions.batches(3)).use { stream ->
                        stream.deviceType shouldBe DeviceType.CPU
                        stream.schema.fields().map { it.name() } shouldBe listOf("id", "name")
                        val seen =
                            generateSequence { stream.nextBatch() }
                                .map {
                                    it.use { b ->
                                        b.asStruct().canonical()
                                    }
                                }.toList()
                        seen shouldHaveSize 3
                        seen.first() shouldBe texts.single()
                        seen.toSet() shouldHaveSize 3
                        repeat(3) { stream.nextArray().shouldBeNull() }
                    }
                }
            }
        }

        context("get_schema is called once:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    val before = peer.counters().schemasAsked()
                    kind.open(this, Fields.batch, rows, PeerStreamOptions.batches(3)).use { stream ->
                        while (true) (stream.nextBatch() ?: break).use { it.schema shouldBe stream.schema }
                    }
                    peer.counters().schemasAsked() - before shouldBe 1
                }
            }
        }

        context("threads that read and close one stream take turns:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    repeat(50) { round ->
                        val stream = kind.open(this, Fields.batch, rows, PeerStreamOptions.batches(40))
                        val taken = AtomicInteger()
                        val reader = {
                            while (true) {
                                (stream.nextArray() ?: break).close()
                                taken.incrementAndGet()
                            }
                        }
                        val closer = { if (round % 2 == 0) stream.close() }
                        val failures = atOnce(listOf(reader, reader, reader, closer))
                        failures.all { it is IllegalStateException && "closed" in it.message.orEmpty() } shouldBe true
                        if (round % 2 == 1) taken.get() shouldBe 40
                        stream.close()
                    }
                }
            }
        }

        context("a producer in Java may close the stream that asks it for a batch, and") {
            withData(nameFn = { if (it) "fail then" else "give the batch then" }, false, true) { fails ->
                withStructs {
                    lateinit var importing: DeviceArrayStream
                    val closing =
                        iterator {
                            importing.close()
                            check(!fails) { "nothing left" }
                            yield(recordBatch { column<Int>("i") { add(1) } })
                        }
                    val struct = stream()
                    val schema = Schema.of(Field.nullable("i", ArrowType.INT32))
                    ArrowExport.exportStream(DeviceArrayStream.of(schema, closing), CStruct.arrayStreamAt(struct))
                    importing = ArrowImport.importStream(CStruct.arrayStreamAt(struct))
                    if (fails) {
                        shouldThrow<ForeignException> { importing.nextBatch() }
                    } else {
                        importing.nextBatch()!!.use { it.rowCount shouldBe 1 }
                    }
                    shouldThrow<IllegalStateException> { importing.nextBatch() }
                }
            }
        }

        context("arrays outlive their stream:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    val stream = kind.open(this, Fields.batch, rows, PeerStreamOptions.batches(2))
                    val kept = generateSequence { stream.nextArray() }.toList()
                    stream.close()
                    kept.first().canonical() shouldBe texts.single()
                    kept.forEach(DeviceArray::close)
                }
            }
        }

        context("a stream can be closed early:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    kind.open(this, Fields.batch, rows, PeerStreamOptions.batches(3)).close()
                    val stream = kind.open(this, Fields.batch, rows, PeerStreamOptions.batches(3))
                    stream.nextBatch()!!.close()
                    stream.close()
                    stream.close()
                    shouldThrow<IllegalStateException> { stream.nextArray() }.message!! shouldContain "closed"
                }
            }
        }

        context("an empty stream has a schema and an end:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    kind.open(this, Fields.batch, rows, PeerStreamOptions.batches(0)).use {
                        it.schema.fields() shouldHaveSize 2
                        it.nextBatch().shouldBeNull()
                    }
                }
            }
        }

        context("a failure of get_next is thrown with its code and text:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                for ((code, name) in listOf(
                    22 to "EINVAL",
                    12 to "ENOMEM",
                    5 to "EIO",
                    38 to "ENOSYS",
                    99 to "errno",
                )) {
                    withStructs {
                        val options = PeerStreamOptions.batches(3).failing(1, code, "the disk is gone: größe")
                        kind.open(this, Fields.batch, rows, options).use { stream ->
                            stream.nextBatch()!!.close()
                            val failure = shouldThrow<ForeignException> { stream.nextArray() }
                            failure.errno shouldBe code
                            failure.message shouldBe "[get_next][$name $code] the disk is gone: größe"
                            // After an error a stream is good for nothing but its release.
                            shouldThrow<IllegalStateException> { stream.nextArray() }
                        }
                    }
                }
            }
        }

        context("a failure without a text is still clear:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    kind.open(this, Fields.batch, rows, PeerStreamOptions.batches(3).failing(0, 5, "")).use { stream ->
                        shouldThrow<ForeignException> { stream.nextArray() }.message shouldBe
                            "[get_next][EIO 5] the producer returned no description"
                    }
                }
            }
        }

        context("a failure of get_schema fails the import and releases the stream:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    val options = PeerStreamOptions.batches(3).failingSchema(22, "no such table")
                    val failure = shouldThrow<ForeignException> { kind.open(this, Fields.batch, rows, options) }
                    failure.message shouldBe "[get_schema][EINVAL 22] no such table"
                    failure.errno shouldBe 22
                }
            }
        }

        context("a schema that is refused fails the import and releases the stream:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    shouldThrow<InvalidSchemaException> {
                        kind.open(this, PeerField.of("x", "w:nonsense"), rows, PeerStreamOptions.batches(1))
                    }
                }
            }
        }

        context("a stream of arrays that are not batches:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    kind.open(this, Fields.utf8, rows, PeerStreamOptions.batches(2)).use { stream ->
                        stream.nextArray()!!.use { it.canonical() shouldBe "[\"\",\"é48\",null]" }
                        shouldThrow<InvalidSchemaException> { stream.nextBatch() }
                    }
                }
            }
        }

        test("a released stream is refused") {
            withStructs {
                shouldThrow<IllegalStateException> {
                    ArrowImport.importStream(CStruct.arrayStreamAt(stream()))
                }.message!! shouldContain
                    "released or moved"
                shouldThrow<IllegalStateException> {
                    ArrowImport.importDeviceStream(
                        CStruct.deviceArrayStreamAt(deviceStream()),
                    )
                }
                val address = stream()
                peer.produceStream(Fields.batch, rows, PeerStreamOptions.batches(1), address)
                ArrowImport.importStream(CStruct.arrayStreamAt(address)).use {
                    shouldThrow<IllegalStateException> { ArrowImport.importStream(CStruct.arrayStreamAt(address)) }
                }
            }
        }

        test("a batch on a device of another type than the stream's is refused and released") {
            withStructs {
                val address = deviceStream()
                peer.produceDeviceStream(
                    Fields.batch,
                    rows,
                    PeerStreamOptions.batches(2).onDevice(DeviceType.ROCM_HOST),
                    address,
                )
                NativeMemory.putInt(address, DeviceType.CPU)
                ArrowImport.importDeviceStream(CStruct.deviceArrayStreamAt(address)).use { stream ->
                    shouldThrow<InvalidArrayException> { stream.nextArray() }.message!! shouldContain "ROCM_HOST"
                }
            }
        }

        test("an array on an unknown device type is exchanged without reading its memory") {
            withStructs {
                val address = deviceStream()
                peer.produceDeviceStream(Fields.batch, rows, PeerStreamOptions.batches(1).onDevice(77), address)
                ArrowImport.importDeviceStream(CStruct.deviceArrayStreamAt(address)).use { stream ->
                    stream.deviceType shouldBe 77
                    stream.nextArray()!!.use { it.device.type shouldBe 77 }
                }
            }
        }

        test("one thousand batches leave nothing behind") {
            withStructs {
                val address = stream()
                peer.produceStream(Fields.batch, rows, PeerStreamOptions.batches(1000), address)
                ArrowImport.importStream(CStruct.arrayStreamAt(address)).use { stream ->
                    generateSequence { stream.nextBatch() }.sumOf { it.use { b -> b.rowCount } } shouldBe 3000
                }
            }
        }
    })
