package dev.arrowdevice.peers

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.exportTo
import dev.arrowdevice.exportToDevice
import dev.arrowdevice.importDeviceStream
import dev.arrowdevice.importStream
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.MemorySegment
import java.lang.foreign.ValueLayout

/** Streams and schemas, exported by a block. */
class StreamExportBlockTest :
    FunSpec({
        extension(PeerBalance)

        /** One way to export a stream; the block gets the address. */
        class Form(
            val name: String,
            val device: Boolean,
            val export: (DeviceArrayStream, (Long) -> Unit) -> Unit,
        ) {
            fun drain(
                structs: Structs,
                address: Long,
            ): List<String> =
                structs.peer
                    .run {
                        if (device) {
                            drainDeviceStream(
                                address,
                                -1,
                            )
                        } else {
                            drainStream(address, -1)
                        }
                    }.trim()
                    .lines()
        }

        val forms =
            listOf(
                Form("stream.exportTo", false) { stream, block -> stream.exportTo { block(it.address) } },
                Form("stream.exportToDevice", true) { stream, block -> stream.exportToDevice { block(it.address) } },
                Form("exportStream in Java", false) { stream, block ->
                    BlocksInJava.export(stream, false) { struct, _ -> block(struct) }
                },
                Form("exportDeviceStream in Java", true) { stream, block ->
                    BlocksInJava.export(stream, true) { struct, _ -> block(struct) }
                },
            )

        /** A stream of two batches that counts how often it was closed. */
        class Source(
            structs: Structs,
        ) {
            var closed = 0
            private val first = structs.importedBatch(Fields.batch, PeerOptions.rows(1))
            val schema: Schema = first.schema
            private val batches: List<RecordBatch> = listOf(first, first.share())
            private val iterator = batches.iterator()
            val stream: DeviceArrayStream =
                DeviceArrayStream.of(schema, DeviceType.CPU, iterator) {
                    closed++
                    iterator.forEachRemaining { it.close() }
                }
        }

        fun formTest(
            name: String,
            test: Structs.(Form, Source) -> Unit,
        ) = context(name) { withData(nameFn = { it.name }, forms) { form -> withStructs { test(form, Source(this)) } } }

        formTest("a stream is moved if the consumer took it, and its release closes it") { form, source ->
            source.stream.use { stream ->
                form.export(stream) { address -> form.drain(this, address).last() shouldBe "end" }
                source.closed shouldBe 1
                shouldThrow<IllegalStateException> { stream.nextBatch() }.message!! shouldContain "has been moved"
                shouldThrow<IllegalStateException> { form.export(stream) { } }.message!! shouldContain "has been moved"
            }
            source.closed shouldBe 1
        }

        formTest("a stream is moved if the consumer took it, even if the block throws") { form, source ->
            source.stream.use { stream ->
                shouldThrow<IOException> {
                    form.export(stream) { address ->
                        form.drain(this, address)
                        throw IOException("after it took")
                    }
                }
                shouldThrow<IllegalStateException> { stream.nextBatch() }.message!! shouldContain "has been moved"
            }
        }

        formTest("a stream that nobody took stays open after the block returned") { form, source ->
            source.stream.use { stream ->
                form.export(stream) { }
                source.closed shouldBe 0
                stream.nextBatch()!!.use { it.rowCount shouldBe 1 }
                shouldThrow<IOException> { form.export(stream) { throw IOException("before it took") } }
                stream.nextBatch()!!.use { it.rowCount shouldBe 1 }
                stream.nextBatch() shouldBe null
            }
            source.closed shouldBe 1
        }

        context("a stream whose struct the block closes stays open") {
            withData(
                mapOf<String, (DeviceArrayStream) -> Unit>(
                    "stream.exportTo" to { stream -> stream.exportTo { it.close() } },
                    "stream.exportToDevice" to { stream -> stream.exportToDevice { it.close() } },
                ),
            ) { export ->
                withStructs {
                    val source = Source(this)
                    source.stream.use { stream ->
                        export(stream)
                        source.closed shouldBe 0
                        stream.nextBatch()!!.use { it.rowCount shouldBe 1 }
                        export(stream)
                        stream.nextBatch()!!.use { it.rowCount shouldBe 1 }
                        stream.nextBatch() shouldBe null
                    }
                    source.closed shouldBe 1
                }
            }
        }

        context("a stream that was read to its end in a block, and not taken, does not ask its source again") {
            withData(nameFn = { it.name }, forms) { form ->
                withStructs {
                    var asked = 0
                    val source =
                        object : Iterator<RecordBatch> by emptyList<RecordBatch>().iterator() {
                            override fun hasNext() = false.also { asked++ }
                        }
                    val schema = ArrowImport.importSchema(CStruct.schemaAt(produceSchema(Fields.batch).address))
                    DeviceArrayStream.of(schema, source).use { stream ->
                        form.export(stream) { getNext(it, form.device, deviceArray()) shouldBe 0 }
                        asked shouldBe 1
                        stream.nextBatch() shouldBe null
                        asked shouldBe 1
                    }
                }
            }
        }

        formTest("a stream that was read and not taken goes on where the consumer stopped") { form, source ->
            source.stream.use { stream ->
                form.export(stream) { address ->
                    val array = deviceArray()
                    getNext(address, form.device, array) shouldBe 0
                    ArrayStruct(array).released() shouldBe false
                    peer.releaseArray(array)
                }
                stream.nextBatch()!!.close()
                stream.nextBatch() shouldBe null
            }
        }

        formTest("in the block the stream can't be read or exported again") { form, source ->
            source.stream.use { stream ->
                form.export(stream) {
                    shouldThrow<IllegalStateException> { stream.nextArray() }.message!! shouldContain
                        "is being exported by a block"
                    shouldThrow<IllegalStateException> { form.export(stream) { } }.message!! shouldContain
                        "is being exported by a block"
                }
                stream.nextBatch()!!.close()
            }
        }

        formTest("a stream closed in the block is closed at its end, if nobody took it") { form, source ->
            form.export(source.stream) {
                source.stream.close()
                source.closed shouldBe 0
            }
            source.closed shouldBe 1
            shouldThrow<IllegalStateException> { source.stream.nextBatch() }.message!! shouldContain "has been closed"
        }

        formTest("the consumer can take a stream that is closed in the block") { form, source ->
            val theirs = deviceStream()
            form.export(source.stream) { address ->
                source.stream.close()
                move(address, theirs, if (form.device) 48 else 40)
            }
            source.closed shouldBe 0
            form.drain(this, theirs).last() shouldBe "end"
            source.closed shouldBe 1
        }

        test("a stream on a device can only be exported by the device form") {
            withStructs {
                val source = Source(this)
                val stream =
                    DeviceArrayStream.of(source.schema, DeviceType.CUDA, emptyList<RecordBatch>().iterator()) {
                        source.stream.close()
                    }
                stream.use {
                    shouldThrow<IllegalArgumentException> {
                        stream.exportTo { throw AssertionError("called") }
                    }.message!! shouldContain "exportStream: the memory is on"
                    stream.exportToDevice { it.isLive } shouldBe true
                    stream.nextBatch() shouldBe null
                }
            }
        }

        test("a stream of this process is imported without dereferencing addresses") {
            withStructs {
                val source = Source(this)
                importStream { into -> source.stream.exportTo { move(it.address, into.address, 40) } }.use { back ->
                    back.nextBatch()!!.use { it.rowCount shouldBe 1 }
                }
                source.closed shouldBe 1
                val other = Source(this)
                importDeviceStream { into ->
                    other.stream.exportToDevice { move(it.address, into.address, 48) }
                }.use { back -> back.schema shouldBe other.schema }
                other.closed shouldBe 1
            }
        }

        test("an exported schema is released at the end of the block, unless it was taken") {
            withStructs {
                val schema = importedBatch(Fields.batch, PeerOptions.rows(1)).use { it.schema }
                schema.exportTo { peer.renderSchema(it.address) } shouldBe Fields.batch.toString()
                schema.field(0).exportTo { peer.renderSchema(it.address) } shouldBe Fields.batch.children[0].toString()
                val taken = schema()
                BlocksInJava.export(schema) { _, struct -> peer.moveSchema(struct, taken) }
                peer.renderSchema(taken) shouldBe Fields.batch.toString()
                peer.releaseSchema(taken)
                shouldThrow<IOException> { BlocksInJava.export(schema) { _, _ -> throw IOException("refused") } }
            }
        }
    })

/** Moves a stream, as a consumer does. */
private fun move(
    from: Long,
    to: Long,
    bytes: Long,
) {
    for (i in 0 until bytes step 8) NativeMemory.putLong(to + i, NativeMemory.getLong(from + i))
    NativeMemory.putLong(from + bytes - 16, 0)
}

/** Calls `get_next` and returns its error code. */
private fun getNext(
    stream: Long,
    device: Boolean,
    array: Long,
): Int {
    val callback = NativeMemory.getLong(stream + if (device) 16 else 8)
    val type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG)
    return Linker
        .nativeLinker()
        .downcallHandle(MemorySegment.ofAddress(callback), type)
        .invokeWithArguments(stream, array) as Int
}
