package dev.arrowdevice.peers

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.InvalidArrayException
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Many rounds leave native memory and heap where they were. The number of rounds is multiplied by the system property
 * `stress`, 1 by default.
 */
class StressTest :
    FunSpec({
        extension(PeerBalance)

        /** Guarded memory takes a hundred times as long. */
        fun rounds(ordinary: Long): Long =
            ordinary * Integer.getInteger("stress", 1) / if (GuardedMemory.isOn) 100 else 1

        fun heapInUse(): Long {
            // Twice: what a cleaner does after the first collection is collectable at the second.
            repeat(2) { System.gc() }
            return Runtime.getRuntime().let { it.totalMemory() - it.freeMemory() }
        }

        /** Measures for 20 seconds, until the growth is below the slack: the JIT compiler's own memory comes and goes, a leak stays. */
        fun leastOf(
            slack: Long,
            growth: () -> Long,
        ): Long {
            val start = TimeSource.Monotonic.markNow()
            return generateSequence(growth)
                .takeWhile { start.elapsedNow() < 20.seconds }
                .firstOrNull { it < slack } ?: growth()
        }

        /** Runs the rounds after a tenth of them to warm up, and compares both memories before and after. */
        fun Structs.keepsMemory(
            rounds: Long,
            round: () -> Unit,
        ) {
            for (i in 0 until rounds / 10) round()
            val heap = heapInUse()
            val native = peer.heap.bytesInUse()
            val own = ArrowCounters.now().hostBytes()
            for (i in 0 until rounds) round()
            withClue("bytes of the SDK") { ArrowCounters.now().hostBytes() shouldBe own }
            // A leak of the smallest block in each round would be more than this.
            val slack = rounds.coerceAtLeast(SLACK)
            val nativeGrowth =
                leastOf(slack) {
                    System.gc()
                    peer.heap.bytesInUse() - native
                }
            withClue("bytes of the C heap") { nativeGrowth shouldBeLessThan slack }
            withClue("bytes of the Java heap") { leastOf(slack) { heapInUse() - heap } shouldBeLessThan slack }
        }

        test("ten million exports with a foreign release") {
            withStructs {
                own(Fields.int32, PeerOptions.rows(3)).use { array ->
                    val out = array()
                    val before = ArrowCounters.now()
                    val rounds = rounds(10_000_000)
                    keepsMemory(rounds) {
                        ArrowExport.exportArray(array.share(), CStruct.arrayAt(out))
                        peer.releaseArray(out)
                    }
                    ArrowCounters.now().exportedArrays() - before.exportedArrays() shouldBe rounds * 11 / 10
                }
            }
        }

        test("a million exports of a batch with its schema, imported again") {
            withStructs {
                val batch = importedBatch(Fields.batch, PeerOptions.rows(3))
                val out = array()
                val schema = schema()
                keepsMemory(rounds(1_000_000)) {
                    ArrowExport.exportBatch(batch.share(), CStruct.arrayAt(out), CStruct.schemaAt(schema))
                    ArrowImport.importBatch(CStruct.arrayAt(out), CStruct.schemaAt(schema)).close()
                }
                batch.close()
            }
        }

        test("a hundred thousand imports that fail") {
            withStructs {
                val schema = produceSchema(Fields.struct)
                val type = ArrowImport.importField(CStruct.schemaAt(schema.address)).type()
                val live = produceSchema(Fields.struct)
                val target = array()
                keepsMemory(rounds(100_000)) {
                    val array = ArrayStruct(target)
                    peer.produceArray(live.address, PeerOptions.rows(2), array.address)
                    array.child(1).length(-1)
                    shouldThrow<InvalidArrayException> {
                        ArrowImport.importArray(
                            CStruct.arrayAt(array.address),
                            type,
                        )
                    }
                }
                peer.releaseSchema(live.address)
            }
        }
    }) {
    private companion object {
        const val SLACK = 8L shl 20
    }
}
