package dev.arrowdevice.peers

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.exportTo
import dev.arrowdevice.importStream
import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.spi.ReleaseGate
import dev.arrowdevice.spi.Releases
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread

/** Gates that are entered before memory of the C peer is released. */
class ReleaseGateTest :
    FunSpec({
        extension(PeerBalance)

        test("a gate is entered before the release of an array, and left after it") {
            withStructs {
                val seen = mutableListOf<String>()
                val released = peer.counters().released()
                Releases.install(Recording("gate", seen) { peer.counters().released() - released }).use {
                    val array = imported(Fields.int32, PeerOptions.rows(3))
                    seen.clear() // The schema's.
                    val before = peer.counters().released() - released
                    array.close()
                    seen shouldContainExactly listOf("gate asked at $before", "gate left at ${before + 1}")
                }
            }
        }

        test("a gate is entered before the release of a schema and of a stream") {
            withStructs {
                val seen = mutableListOf<String>()
                Releases.install(Recording("gate", seen)).use {
                    CStruct.schema().use { struct -> peer.produceSchema(Fields.int32, struct.address) }
                    seen shouldContainExactly listOf("gate asked", "gate left")
                    seen.clear()
                    val stream =
                        importStream {
                            peer.produceStream(
                                Fields.batch,
                                rows,
                                PeerStreamOptions.batches(1),
                                it.address,
                            )
                        }
                    seen.clear()
                    stream.close()
                    seen shouldContainExactly listOf("gate asked", "gate left")
                }
            }
        }

        test("a removed gate is not entered") {
            withStructs {
                val seen = mutableListOf<String>()
                val array = imported(Fields.int32, PeerOptions.rows(3))
                val installation = Releases.install(Recording("gate", seen))
                installation.close()
                installation.close()
                array.close()
                seen shouldBe listOf()
            }
        }

        test("memory that a gate refuses is never released, and counts as released") {
            withStructs {
                val counted = ArrowCounters.now().unreleasedImports()
                val (array, copy) = importedAndCopied()
                val released = peer.counters().released()
                Releases.install(Refusing).use { array.close() }
                array.isLive shouldBe false
                ArrowCounters.now().unreleasedImports() shouldBe counted
                peer.counters().released() shouldBe released
                copy.close() // By the bytes that were the array's, so that the test leaves nothing.
                peer.counters().released() shouldBe released + 2 // The schema that this took, too.
            }
        }

        test("a gate is not asked for an export that nobody took, whose memory is ours") {
            withStructs {
                val before = ArrowCounters.now()
                Releases.install(Refusing).use {
                    deviceArrayOf(1, 2).use { array -> array.exportTo { _, _ -> } }
                    CStruct.array().use { struct -> ArrowExport.exportArray(deviceArrayOf(1, 2), struct) }
                }
                val left = ArrowCounters.now().minus(before)
                left.unreleasedExports() shouldBe 0
                left.hostBytes() shouldBe 0
            }
        }

        test("of two gates the second is entered if the first lets in, and both are left") {
            withStructs {
                val seen = mutableListOf<String>()
                val array = imported(Fields.int32, PeerOptions.rows(3))
                Releases.install(Recording("first", seen)).use {
                    Releases.install(Recording("second", seen)).use { array.close() }
                }
                seen shouldContainExactly listOf("first asked", "second asked", "second left", "first left")
            }
        }

        test("the gate before the one that refuses is left") {
            withStructs {
                val seen = mutableListOf<String>()
                val (array, copy) = importedAndCopied()
                Releases.install(Recording("first", seen)).use {
                    Releases.install(Refusing).use { array.close() }
                }
                seen shouldContainExactly listOf("first asked", "first left")
                copy.close()
            }
        }

        test("a release that waits for its gate does not delay others of the same gate") {
            withStructs {
                val (first, second) = List(2) { imported(Fields.int32, PeerOptions.rows(3)) }
                val asked = CountDownLatch(1)
                val opened = CountDownLatch(1)
                val waiting = CompletableFuture<Thread>()
                val gate =
                    object : ReleaseGate {
                        override fun enter(): Boolean {
                            if (Thread.currentThread() == waiting.join()) {
                                asked.countDown()
                                opened.await()
                            }
                            return true
                        }

                        override fun leave() = Unit
                    }
                Releases.install(gate).use {
                    val released = peer.counters().released()
                    val closing = thread { first.close() }
                    waiting.complete(closing)
                    asked.await()
                    second.close()
                    peer.counters().released() shouldBe released + 1
                    opened.countDown()
                    closing.join()
                    peer.counters().released() shouldBe released + 2
                }
            }
        }
    })

private val rows = PeerOptions.rows(3)

/** An imported array, and one that was imported of a copy of its struct: only one of them may be released. */
private fun Structs.importedAndCopied(): Pair<DeviceArray, AutoCloseable> {
    val schema = produceSchema(Fields.int32)
    val struct = produceArray(schema, rows).address
    val copy = array()
    for (i in 0 until ArrayStruct.SIZE) NativeMemory.putByte(copy + i, NativeMemory.getByte(struct + i))

    fun import(
        address: Long,
        of: SchemaStruct,
    ) = ArrowImport.importArray(CStruct.arrayAt(address), CStruct.schemaAt(of.address))
    return import(struct, schema) to AutoCloseable { import(copy, produceSchema(Fields.int32)).close() }
}

private class Recording(
    private val name: String,
    private val seen: MutableList<String>,
    private val count: (() -> Long)? = null,
) : ReleaseGate {
    override fun enter(): Boolean = seen.add("$name asked${at()}")

    override fun leave() {
        seen += "$name left${at()}"
    }

    private fun at() = count?.let { " at ${it()}" }.orEmpty()
}

private object Refusing : ReleaseGate {
    override fun enter() = false

    override fun leave(): Unit = error("nothing was let in")
}
