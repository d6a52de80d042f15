package dev.arrowdevice.peers

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.spi.NativeMemory
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlin.concurrent.thread

/** A foreign consumer calls `release`: late, on its own threads, in any order, and of moved parts by themselves. */
class ExportReleaseTest :
    FunSpec({
        extension(PeerBalance)

        test("memory of the SDK lives until the foreign consumer releases it") {
            withStructs {
                val before = ArrowCounters.now().hostBytes()
                val array = own(Fields.utf8, PeerOptions.rows(100))
                val expected = array.canonical()
                val schema = schema()
                val out = array()
                ArrowExport.exportArray(array, CStruct.arrayAt(out), CStruct.schemaAt(schema))
                val held = peer.hold(out)
                array.close()
                System.gc()
                (ArrowCounters.now().hostBytes() > before) shouldBe true
                peer.renderArray(schema, held) shouldBe expected
                peer.releaseHeld(held)
                peer.releaseSchema(schema)
                ArrowCounters.now().hostBytes() shouldBe before
            }
        }

        test("shared memory is freed with its last owner, ours or foreign") {
            withStructs {
                val nodes = peer.counters().liveNodes()
                val array = imported(Fields.utf8, PeerOptions.rows(5))
                val expected = array.canonical()
                val second = array.share()
                val third = array.slice(1, 3)
                val out = array()
                val schema = schema()
                ArrowExport.exportArray(array, CStruct.arrayAt(out), CStruct.schemaAt(schema))
                second.close()
                peer.counters().liveNodes() - nodes shouldBe 1
                third.getString(0) shouldBe "é48"
                third.close()
                peer.renderArray(schema, out) shouldBe expected
                peer.releaseArray(out)
                peer.releaseSchema(schema)
            }
        }

        context("moved children can be released in any order:") {
            val orders =
                listOf(
                    "parent first" to listOf(2, 0, 1),
                    "parent last" to listOf(1, 0, 2),
                    "parent between" to listOf(0, 2, 1),
                )
            withData(nameFn = { it.first }, orders) { (_, order) ->
                withStructs {
                    val out = ArrayStruct(array())
                    val schema = SchemaStruct(schema())
                    val source = own(Fields.struct, PeerOptions.rows(5).withNullEvery(3))
                    val expected = listOf(source.child(0).canonical(), source.child(1).canonical())
                    ArrowExport.exportArray(
                        source,
                        CStruct.arrayAt(out.address),
                        CStruct.schemaAt(schema.address),
                    )
                    val children = listOf(array(), array())
                    val schemas = listOf(schema(), schema())
                    for (i in 0..1) {
                        peer.moveArray(out.child(i).address, children[i])
                        peer.moveSchema(schema.child(i).address, schemas[i])
                    }
                    val arrays = children + out.address
                    val all = schemas + schema.address
                    val whole = ArrowCounters.now()
                    for (next in order) {
                        for (i in 0..1) {
                            if (!ArrayStruct(children[i]).released()) {
                                peer.renderArray(schemas[i], children[i]) shouldBe
                                    expected[i]
                            }
                        }
                        // A reader may not notice that memory was freed too early; the counters do.
                        ArrowCounters.now().hostBytes() shouldBe whole.hostBytes()
                        ArrowCounters.now().unreleasedExports() shouldBe whole.unreleasedExports()
                        peer.releaseArray(arrays[next])
                        peer.releaseSchema(all[next])
                    }
                    ArrowCounters.now().unreleasedExports() shouldBe whole.unreleasedExports() - 1
                }
            }
        }

        test("the children and dictionaries that stay are marked released with their parent") {
            withStructs {
                val out = ArrayStruct(array())
                val leaf = PeerField.of("leaf", "i")
                val field = PeerField.of("x", "+s", leaf, PeerField.of("in", "+s", leaf), Fields.dictionary)
                ArrowExport.exportArray(own(field, PeerOptions.rows(5)), CStruct.arrayAt(out.address))
                val moved = array()
                val inner = out.child(1)
                val encoded = out.child(2)
                val staying = listOf(inner, inner.child(0), encoded, encoded.dictionary())
                peer.moveArray(out.child(0).address, moved)
                peer.releaseArray(out.address)
                // The one that was moved keeps the memory of all structs.
                staying.map { it.released() } shouldBe List(staying.size) { true }
                ArrayStruct(moved).released() shouldBe false
                peer.releaseArray(moved)
            }
        }

        test("a child moved out of a foreign struct can be imported") {
            withStructs {
                val schema = produceSchema(Fields.struct)
                val array = produceArray(schema, PeerOptions.rows(5))
                val child = array()
                val childSchema = schema()
                peer.moveArray(array.child(1).address, child)
                peer.moveSchema(schema.child(1).address, childSchema)
                peer.releaseArray(array.address)
                peer.releaseSchema(schema.address)
                ArrowImport.importArray(CStruct.arrayAt(child), CStruct.schemaAt(childSchema)).use {
                    it.getString(1) shouldBe
                        "é48"
                }
            }
        }

        test("a dictionary moved out of an export can be read") {
            withStructs {
                val out = ArrayStruct(array())
                val schema = SchemaStruct(schema())
                ArrowExport.exportArray(
                    own(Fields.dictionary, PeerOptions.rows(9)),
                    CStruct.arrayAt(out.address),
                    CStruct.schemaAt(schema.address),
                )
                val values = array()
                peer.moveArray(out.dictionary().address, values)
                peer.releaseArray(out.address)
                peer.renderArray(schema.dictionary().address, values) shouldContain "é48"
                peer.releaseArray(values)
                peer.releaseSchema(schema.address)
            }
        }

        test("releasing a copy of a released struct does nothing") {
            withStructs {
                val out = array()
                val stale = array()
                own(Fields.struct, PeerOptions.rows(3)).use { kept ->
                    ArrowExport.exportArray(kept.share(), CStruct.arrayAt(out))
                    for (i in 0 until ArrayStruct.SIZE step 8) {
                        NativeMemory.putLong(
                            stale + i,
                            NativeMemory.getLong(out + i),
                        )
                    }
                    peer.releaseArray(out)
                    peer.releaseArray(stale)
                    kept.canonical() shouldContain "é48"
                }
            }
        }

        test("a foreign thread releases an export later") {
            withStructs {
                for (i in 1..50) {
                    val out = array()
                    ArrowExport.exportArray(own(Fields.utf8, PeerOptions.rows(10)), CStruct.arrayAt(out))
                    peer.releaseSoon(out)
                }
                peer.joinReleases()
            }
        }

        test("a hundred native threads release a thousand arrays at once") {
            withStructs {
                repeat(5) {
                    val arrays =
                        LongArray(1000) {
                            array().also { out ->
                                ArrowExport.exportArray(
                                    own(Fields.struct, PeerOptions.rows(3)),
                                    CStruct.arrayAt(out),
                                )
                            }
                        }
                    peer.releaseOnThreads(arrays, 100)
                    arrays.all { ArrayStruct(it).released() } shouldBe true
                }
            }
        }

        test("a hundred native threads release shares of one array at once") {
            withStructs {
                repeat(20) {
                    val array = imported(Fields.utf8, PeerOptions.rows(3))
                    val arrays =
                        LongArray(200) {
                            array().also { out ->
                                ArrowExport.exportArray(array.share(), CStruct.arrayAt(out))
                            }
                        }
                    array.close()
                    peer.releaseOnThreads(arrays, 100)
                }
            }
        }

        test("a hundred native threads release the moved children of one array at once") {
            withStructs {
                val field = PeerField.of("x", "+s", *Array(100) { PeerField.of("c$it", "i") })
                repeat(20) {
                    val out = ArrayStruct(array())
                    ArrowExport.exportArray(own(field, PeerOptions.rows(3)), CStruct.arrayAt(out.address))
                    val all =
                        LongArray(101) { i ->
                            if (i == 100) out.address else array().also { peer.moveArray(out.child(i).address, it) }
                        }
                    peer.releaseOnThreads(all, 101)
                }
            }
        }
    })
