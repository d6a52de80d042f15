package dev.arrowdevice.peers

import dev.arrowdevice.ArrowType
import dev.arrowdevice.CArrayStruct
import dev.arrowdevice.CSchemaStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.exportTo
import dev.arrowdevice.exportToDevice
import dev.arrowdevice.peers.device.withGpu
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch

/** Arrays and batches, exported by a block: what the consumer does decides who owns the memory, not how the block ends. */
class ExportBlockTest :
    FunSpec({
        extension(PeerBalance)

        /** An owner, and one way to export it; the block gets the addresses. */
        class Form(
            val name: String,
            private val isBatch: Boolean,
            private val exportArray: (DeviceArray, (Long, Long) -> Unit) -> Unit,
            private val exportBatch: (RecordBatch, (Long, Long) -> Unit) -> Unit,
        ) {
            inner class Owner(
                structs: Structs,
            ) : AutoCloseable {
                private val batch = structs.importedBatch(Fields.batch, PeerOptions.rows(3))
                private val array = batch.asStruct().share()

                val live: Boolean get() = if (isBatch) batch.isLive else array.isLive

                fun export(block: (Long, Long) -> Unit) =
                    if (isBatch) exportBatch(batch, block) else exportArray(array, block)

                fun text(): String = if (isBatch) batch.asStruct().canonical() else array.canonical()

                fun <R : Any> borrow(read: () -> R): R =
                    if (isBatch) batch.borrow { read() } else array.borrow { read() }

                /** Closes the one that is exported. */
                fun closeExported() = if (isBatch) batch.close() else array.close()

                override fun close() {
                    array.close()
                    batch.close()
                }
            }

            override fun toString() = name
        }

        fun arrays(
            name: String,
            export: (DeviceArray, (Long, Long) -> Unit) -> Unit,
        ) = Form(name, false, export) { _, _ -> }

        fun batches(
            name: String,
            export: (RecordBatch, (Long, Long) -> Unit) -> Unit,
        ) = Form(name, true, { _, _ -> }, export)

        val forms =
            listOf(
                arrays("array.exportTo") { array, block -> array.exportTo { a, s -> block(a.address, s.address) } },
                arrays("array.exportTo with a field") { array, block ->
                    array.exportTo(Field.nullable("f", array.type)) { a, s -> block(a.address, s.address) }
                },
                arrays("array.exportToDevice") { array, block ->
                    array.exportToDevice { a, s -> block(a.address, s.address) }
                },
                arrays("array.exportToDevice with a field") { array, block ->
                    array.exportToDevice(Field.nullable("f", array.type)) { a, s -> block(a.address, s.address) }
                },
                batches("batch.exportTo") { batch, block -> batch.exportTo { a, s -> block(a.address, s.address) } },
                batches("batch.exportToDevice") { batch, block ->
                    batch.exportToDevice { a, s -> block(a.address, s.address) }
                },
                arrays("exportArray in Java") { array, block -> BlocksInJava.export(array, false, block) },
                arrays("exportDeviceArray in Java") { array, block -> BlocksInJava.export(array, true, block) },
                batches("exportBatch in Java") { batch, block -> BlocksInJava.export(batch, false, block) },
                batches("exportDeviceBatch in Java") { batch, block -> BlocksInJava.export(batch, true, block) },
            )

        fun formTest(
            name: String,
            test: Structs.(Form) -> Unit,
        ) = context(name) { withData(nameFn = { it.name }, forms) { form -> withStructs { test(form) } } }

        formTest("an owner is moved if the consumer took it") { form ->
            form.Owner(this).use { owner ->
                val expected = owner.text()
                val taken = array()
                owner.export { array, schema ->
                    peer.renderArray(schema, array) shouldBe expected
                    peer.complaints(schema, array, false, true) shouldBe emptyList()
                    peer.moveArray(array, taken)
                }
                owner.live shouldBe false
                shouldThrow<IllegalStateException> { owner.export { _, _ -> } }.message!! shouldContain "has been moved"
                ArrayStruct(taken).released() shouldBe false
                peer.releaseArray(taken)
            }
        }

        formTest("an owner is moved if the consumer took it, even if the block throws") { form ->
            form.Owner(this).use { owner ->
                val taken = array()
                val failure =
                    shouldThrow<IOException> {
                        owner.export { array, _ ->
                            peer.moveArray(array, taken)
                            throw IOException("after it took")
                        }
                    }
                failure.message shouldBe "after it took"
                owner.live shouldBe false
                ArrayStruct(taken).released() shouldBe false
                peer.releaseArray(taken)
            }
        }

        formTest("an owner is moved if the consumer released it") { form ->
            form.Owner(this).use { owner ->
                owner.export { array, schema ->
                    peer.releaseArray(array)
                    peer.releaseSchema(schema)
                }
                owner.live shouldBe false
            }
        }

        formTest("an owner that nobody took stays live after the block returned") { form ->
            form.Owner(this).use { owner ->
                val expected = owner.text()
                var address = 0L
                owner.export { array, schema ->
                    address = array
                    peer.renderArray(schema, array) shouldBe expected
                }
                (address != 0L) shouldBe true
                owner.live shouldBe true
                owner.text() shouldBe expected
            }
        }

        formTest("an owner that nobody took stays live if the block throws") { form ->
            form.Owner(this).use { owner ->
                shouldThrow<IOException> { owner.export { _, _ -> throw IOException("before it took") } }
                owner.live shouldBe true
                owner.export { array, _ -> peer.releaseArray(array) }
                owner.live shouldBe false
            }
        }

        formTest("taking only the schema does not move the array") { form ->
            form.Owner(this).use { owner ->
                val taken = schema()
                owner.export { _, schema -> peer.moveSchema(schema, taken) }
                owner.live shouldBe true
                peer.releaseSchema(taken)
            }
        }

        formTest("a borrowed owner is not exported, and the block is not called") { form ->
            form.Owner(this).use { owner ->
                owner.borrow {
                    shouldThrow<IllegalStateException> {
                        owner.export { _, _ -> throw AssertionError("called") }
                    }.message!! shouldContain "is borrowed"
                    true
                }
                owner.live shouldBe true
            }
        }

        formTest("in the block the owner can be read, and not be moved or exported again") { form ->
            form.Owner(this).use { owner ->
                owner.export { _, _ ->
                    owner.text() shouldContain "id"
                    shouldThrow<IllegalStateException> {
                        owner.export { _, _ -> throw AssertionError("called") }
                    }.message!! shouldContain "is being exported by a block"
                }
                owner.live shouldBe true
            }
        }

        formTest("an owner closed in the block is released at its end, if nobody took it") { form ->
            form.Owner(this).use { owner ->
                owner.export { array, schema ->
                    owner.closeExported()
                    owner.live shouldBe false
                    peer.renderArray(schema, array) shouldContain "id"
                }
                owner.live shouldBe false
                shouldThrow<IllegalStateException> { owner.text() }.message!! shouldContain "has been closed"
            }
        }

        formTest("the consumer can take an owner that is closed in the block") { form ->
            form.Owner(this).use { owner ->
                val taken = array()
                val takenSchema = schema()
                val expected = owner.text()
                owner.export { array, schema ->
                    owner.closeExported()
                    peer.moveArray(array, taken)
                    peer.moveSchema(schema, takenSchema)
                }
                peer.renderArray(takenSchema, taken) shouldBe expected
                peer.releaseArray(taken)
                peer.releaseSchema(takenSchema)
            }
        }

        formTest("a read that began in the block goes on after the consumer took and released the array") { form ->
            form.Owner(this).use { owner ->
                val reading = CountDownLatch(1)
                val exported = CountDownLatch(1)
                var read: CompletableFuture<String>? = null
                owner.export { array, _ ->
                    read =
                        CompletableFuture.supplyAsync {
                            owner.borrow {
                                reading.countDown()
                                exported.await()
                                "read"
                            }
                        }
                    reading.await()
                    peer.releaseArray(array)
                }
                owner.live shouldBe false
                exported.countDown()
                read!!.get() shouldBe "read"
            }
        }

        test("the addresses are invalid after the block") {
            withStructs {
                own(Fields.int32, PeerOptions.rows(3)).use { array ->
                    var kept: Pair<CArrayStruct, CSchemaStruct>? = null
                    array.exportTo { struct, schema -> kept = struct to schema }
                    val (struct, schema) = kept!!
                    shouldThrow<IllegalStateException> { struct.address }.message!! shouldContain "has been freed"
                    shouldThrow<IllegalStateException> { schema.isLive }
                }
            }
        }

        test("structs closed in the block stay valid until it ends, and the array stays live") {
            withStructs {
                own(Fields.int32, PeerOptions.rows(3)).use { array ->
                    array.exportTo { struct, schema ->
                        struct.use { schema.use { } }
                        peer.renderArray(schema.address, struct.address) shouldBe "[11,48,85]"
                    }
                    array.canonical() shouldBe "[11,48,85]"
                }
            }
        }

        test("the Kotlin form returns the result of the block") {
            withStructs {
                own(Fields.int32, PeerOptions.rows(3)).use { array ->
                    array.exportTo { struct, schema -> peer.renderArray(schema.address, struct.address) } shouldBe
                        "[11,48,85]"
                    BlocksInJava.isLiveInBlock(array) shouldBe true
                }
            }
        }

        test("a field of another type is refused, and the block is not called") {
            withStructs {
                own(Fields.int32, PeerOptions.rows(3)).use { array ->
                    shouldThrow<IllegalArgumentException> {
                        array.exportTo(Field.nullable("x", ArrowType.INT64)) { _, _ -> throw AssertionError("called") }
                    }.message!! shouldContain "the field is of type int64"
                    array.isLive shouldBe true
                }
            }
        }

        test("memory of a device can only be exported by the device form") {
            withGpu {
                withStructs {
                    own(Fields.int32, PeerOptions.rows(3)).use { it.copyTo(runtime()) }.use { there ->
                        shouldThrow<IllegalArgumentException> {
                            there.exportTo { _, _ -> throw AssertionError("called") }
                        }.message!! shouldContain "exportArray: the memory is on"
                        there.isLive shouldBe true
                        there.copyTo(Device.CPU).use { it.canonical() shouldBe "[11,48,85]" }
                        val taken = deviceArray()
                        there.exportToDevice { array, _ -> peer.moveArray(array.address, taken) }
                        there.isLive shouldBe false
                        peer.releaseArray(taken)
                    }
                }
            }
        }
    })
