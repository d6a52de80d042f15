package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.io.IOException
import java.io.UncheckedIOException

/** Streams of the SDK, as plain and as device streams, read to the end, to an error or not so far by the C peer. */
class StreamExportTest :
    FunSpec({
        extension(PeerBalance)

        val rows = PeerOptions.rows(2)
        val schemaLine = "schema " + Fields.batch.toString().replace('\n', ';') + "\n"

        fun line(seed: Int) =
            "[{\"id\":${(11 + seed) * 1000003},\"name\":\"\"},{\"id\":${(48 + seed) * 1000003},\"name\":\"é${48 + seed}\"}]\n"

        fun Structs.batches(count: Int): List<RecordBatch> =
            (0 until count).map { importedBatch(Fields.batch, rows.withSeed(it.toLong())) }

        fun Structs.schemaOf(): Schema = ArrowImport.importSchema(CStruct.schemaAt(produceSchema(Fields.batch).address))

        class Kind(
            val name: String,
            val drain: Structs.(DeviceArrayStream, Int, Array<out PeerDrain>) -> String,
        )

        fun Structs.plain(
            stream: DeviceArrayStream,
            limit: Int,
            what: Array<out PeerDrain>,
        ) = stream().let {
            ArrowExport.exportStream(stream, CStruct.arrayStreamAt(it))
            peer.drainStream(it, limit, *what)
        }

        fun Structs.device(
            stream: DeviceArrayStream,
            limit: Int,
            what: Array<out PeerDrain>,
        ) = deviceStream().let {
            ArrowExport.exportDeviceStream(stream, CStruct.deviceArrayStreamAt(it))
            NativeMemory.getInt(it) shouldBe DeviceType.CPU
            peer.drainDeviceStream(it, limit, *what)
        }

        val kinds =
            listOf(
                Kind("a plain stream") { s, l, w -> plain(s, l, w) },
                Kind("a device stream") { s, l, w -> device(s, l, w) },
            )

        context("batches of a list are returned in order, then the end, repeatedly:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    val stream = DeviceArrayStream.of(schemaOf(), batches(3))
                    kind.drain(this, stream, -1, PeerDrain.entries.toTypedArray()) shouldBe
                        schemaLine + "end\n" + line(0) + line(1) + line(2)
                    shouldThrow<IllegalStateException> { stream.nextBatch() }.message!! shouldContain "moved"
                    stream.close()
                }
            }
        }

        context("batches are made when they are requested:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    var made = 0
                    val lazily = generateSequence { importedBatch(Fields.batch, rows.withSeed(made++.toLong())) }
                    val stream = DeviceArrayStream.of(schemaOf(), lazily.iterator())
                    kind.drain(this, stream, 2, arrayOf(PeerDrain.ASK_ERROR)) shouldBe
                        schemaLine + line(0) + line(1) + "closed\n"
                    made shouldBe 2
                }
            }
        }

        context("release of the C stream closes the Java stream:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    var closed = 0
                    val source = batches(2).stream().onClose { closed++ }
                    kind.drain(this, DeviceArrayStream.of(schemaOf(), source), -1, arrayOf()) shouldBe
                        schemaLine + line(0) + line(1) + "end\n"
                    closed shouldBe 1
                }
            }
        }

        context("batches that were not read are closed:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    kind.drain(this, DeviceArrayStream.of(schemaOf(), batches(3)), 1, arrayOf()) shouldBe
                        schemaLine + line(0) + "closed\n"
                }
            }
        }

        context("an exception becomes an error code and a message with its causes:") {
            val failures =
                listOf(
                    IllegalArgumentException("bad") to "error 22 IllegalArgumentException: bad",
                    IllegalStateException("bad", IOException("disk")) to
                        "error 22 IllegalStateException: bad; caused by: IOException: disk",
                    UnsupportedOperationException("not yet") to "error 38 UnsupportedOperationException: not yet",
                    OutOfMemoryError("full") to "error 12 OutOfMemoryError: full",
                    UncheckedIOException("größe\u0000!", IOException("x")) to
                        "error 5 UncheckedIOException: größe !; caused by: IOException: x",
                    StackOverflowError() to "error 5 StackOverflowError: null",
                )
            withData(
                nameFn = { (kind, failure) -> "${kind.name}, ${failure.first}" },
                kinds.flatMap { k ->
                    failures.map {
                        k to
                            it
                    }
                },
            ) {
                val (kind, failure) = it
                withStructs {
                    val first = batches(1)
                    val source = (first.asSequence() + generateSequence<RecordBatch> { throw failure.first }).iterator()
                    kind.drain(
                        this,
                        DeviceArrayStream.of(schemaOf(), source),
                        -1,
                        arrayOf(PeerDrain.ASK_ERROR),
                    ) shouldBe
                        schemaLine + line(0) + failure.second + "\n"
                }
            }
        }

        context("an empty stream has a schema and an end:") {
            withData(nameFn = { it.name }, kinds) { kind ->
                withStructs {
                    val stream = DeviceArrayStream.of(schemaOf(), emptyList<RecordBatch>())
                    kind.drain(this, stream, -1, PeerDrain.entries.toTypedArray()) shouldBe schemaLine + "end\n"
                }
            }
        }

        context("a foreign stream is imported and exported again, in the plain and the device form:") {
            withData(
                nameFn = { (from, to) -> "$from into ${to.name}" },
                listOf("plain", "device").flatMap { f ->
                    kinds.map {
                        f to
                            it
                    }
                },
            ) {
                val (from, to) = it
                withStructs {
                    val streamOptions = PeerStreamOptions.batches(2).failing(2, 12, "no more memory")
                    val stream =
                        if (from == "plain") {
                            stream().let { address ->
                                peer.produceStream(Fields.batch, rows, streamOptions, address)
                                ArrowImport.importStream(CStruct.arrayStreamAt(address))
                            }
                        } else {
                            deviceStream().let { address ->
                                peer.produceDeviceStream(Fields.batch, rows, streamOptions, address)
                                ArrowImport.importDeviceStream(CStruct.deviceArrayStreamAt(address))
                            }
                        }
                    val text = to.drain(this, stream, -1, arrayOf(PeerDrain.ASK_ERROR))
                    text shouldStartWith schemaLine + line(0) + line(1) + "error 12 "
                    text shouldContain "no more memory"
                }
            }
        }

        test("a stream can have every type") {
            withStructs {
                for (field in PeerCatalogue.all()) {
                    val address = stream()
                    peer.produceStream(
                        field,
                        PeerOptions.rows(9).withNullEvery(4).withOffset(2),
                        PeerStreamOptions.batches(2),
                        address,
                    )
                    val out = deviceStream()
                    ArrowExport.exportDeviceStream(
                        ArrowImport.importStream(CStruct.arrayStreamAt(address)),
                        CStruct.deviceArrayStreamAt(out),
                    )
                    val again = stream()
                    ArrowExport.exportStream(
                        ArrowImport.importDeviceStream(CStruct.deviceArrayStreamAt(out)),
                        CStruct.arrayStreamAt(again),
                    )
                    val direct = stream()
                    peer.produceStream(
                        field,
                        PeerOptions.rows(9).withNullEvery(4).withOffset(2),
                        PeerStreamOptions.batches(2),
                        direct,
                    )

                    // Structs with nulls of their own are no record batches, which is all that the peer may say of them.
                    fun lines(text: String) = text.lines().filter { "a record batch with" !in it }
                    lines(peer.drainStream(again, -1)) shouldBe lines(peer.drainStream(direct, -1))
                }
            }
        }

        test("a stream that is not on the CPU is not exported in the plain form and stays open") {
            withStructs {
                val address = deviceStream()
                peer.produceDeviceStream(
                    Fields.batch,
                    rows,
                    PeerStreamOptions.batches(1).onDevice(DeviceType.CUDA),
                    address,
                )
                ArrowImport.importDeviceStream(CStruct.deviceArrayStreamAt(address)).use { stream ->
                    val target = stream()
                    shouldThrow<IllegalArgumentException> {
                        ArrowExport.exportStream(
                            stream,
                            CStruct.arrayStreamAt(target),
                        )
                    }.message!! shouldContain
                        "CUDA"
                    stream.deviceType shouldBe DeviceType.CUDA
                }
            }
        }

        test("a stream that is closed is not exported, and the target is marked released") {
            withStructs {
                val stream = DeviceArrayStream.of(schemaOf(), batches(1))
                stream.close()
                val target = stream()
                NativeMemory.putLong(target + 24, 0x1234)
                shouldThrow<IllegalStateException> {
                    ArrowExport.exportStream(stream, CStruct.arrayStreamAt(target))
                }.message!! shouldContain
                    "closed"
                NativeMemory.getLong(target + 24) shouldBe 0
                shouldThrow<IllegalArgumentException> {
                    ArrowExport.exportStream(
                        stream,
                        CStruct.arrayStreamAt(0L),
                    )
                }
            }
        }

        test("a foreign consumer that reads nothing releases everything") {
            withStructs {
                val target = stream()
                ArrowExport.exportStream(
                    DeviceArrayStream.of(schemaOf(), batches(3)),
                    CStruct.arrayStreamAt(target),
                )
                peer.releaseStream(target)
                val second = deviceStream()
                ArrowExport.exportDeviceStream(
                    DeviceArrayStream.of(schemaOf(), batches(3)),
                    CStruct.deviceArrayStreamAt(second),
                )
                peer.releaseDeviceStream(second)
            }
        }
    })
