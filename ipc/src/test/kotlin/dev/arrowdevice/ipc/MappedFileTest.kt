package dev.arrowdevice.ipc

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.exportTo
import dev.arrowdevice.peers.ArrayStruct
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.peers.arrowcpp.ArrowCpp
import dev.arrowdevice.peers.arrowcpp.CppRecordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.io.path.readLines

private val MAPS = Path("/proc/self/maps")

/** A batch of a mapped file goes over the C interface as it lies: foreign code reads the pages of the file. */
class MappedFileTest :
    FunSpec({
        val readable = {
            if (MAPS.exists()) Enabled.enabled else Enabled.disabled("/proc/self/maps says where the file is mapped")
        }

        test("the C peer gets the addresses of the mapping, and reads them after the file object is closed")
            .config(enabledOrReasonIf = { readable() }) {
                val peer = CPeer.load()
                ReleaseBalance.start(peer).use {
                    withFile { path ->
                        val written = List(2, ::numbers)
                        write(path, written)
                        written.forEach { it.close() }
                        val batch = arrowFile(path).use { it.batch(1) }
                        val expected = numbers(1).use { rendered(peer, it) { } }
                        rendered(peer, batch) { struct ->
                            val mapping = mappingOf(path)
                            buffersOf(struct).forEach { it shouldBeInRange mapping }
                            buffersOf(struct).size shouldBe 3 // The numbers, and offsets and bytes of the texts.
                        } shouldBe expected
                        withClue("the last reference unmaps the file") { mappingsOf(path).shouldBeEmpty() }
                    }
                }
            }

        test("Arrow C++ keeps the mapping alive, and finds nothing wrong in it")
            .config(enabledOrReasonIf = { ArrowCpp.whyUnavailable()?.let(Enabled::disabled) ?: readable() }) {
                ReleaseBalance.start().use {
                    withFile { path ->
                        numbers(7).use { write(path, listOf(it)) }
                        val theirs =
                            arrowFile(path).use { file ->
                                file.batch(0).exportTo {
                                    array,
                                    schema,
                                    ->
                                    CppRecordBatch.importFrom(array.address, schema.address)
                                }
                            }
                        theirs.use {
                            it.validateFull()
                            mappingsOf(path).size shouldBe 1
                        }
                        mappingsOf(path).shouldBeEmpty()
                    }
                }
            }
    })

/** The peer's text of a batch, which it releases. */
private fun rendered(
    peer: CPeer,
    batch: RecordBatch,
    look: (ArrayStruct) -> Unit,
): String =
    batch.exportTo { array, schema ->
        look(ArrayStruct(array.address))
        peer.renderArray(schema.address, array.address).also {
            peer.complaints(schema.address, array.address, false, true).shouldBeEmpty()
            peer.releaseArray(array.address)
            peer.releaseSchema(schema.address)
        }
    }

/** The addresses of all buffers of the columns that have bytes. */
private fun buffersOf(struct: ArrayStruct): List<Long> =
    (0 until struct.childCount().toInt()).flatMap { i ->
        val column = struct.child(i)
        (0 until column.bufferCount().toInt()).map { column.buffer(it) }.filter { it != 0L }
    }

private fun mappingOf(file: Path): LongRange = mappingsOf(file).single()

/** Where the file is mapped in this process. */
private fun mappingsOf(file: Path): List<LongRange> =
    MAPS.readLines().filter { it.endsWith("/" + file.name) }.map { line ->
        val (from, to) = line.substringBefore(' ').split('-').map { it.toLong(16) }
        from until to
    }
