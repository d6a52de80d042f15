package dev.arrowdevice.benchmarks.measure

import dev.arrowdevice.benchmarks.Jmh
import dev.arrowdevice.benchmarks.Peer
import dev.arrowdevice.benchmarks.Ratio
import dev.arrowdevice.benchmarks.Task
import dev.arrowdevice.benchmarks.instrumentOf
import dev.arrowdevice.benchmarks.madeUp
import dev.arrowdevice.benchmarks.madeUpTask
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TestTimeSource

class MeasuringTest :
    FunSpec({
        test("ours and the peer's take turns, and so do the tasks") {
            val seen = mutableListOf<String>()
            val instrument = Instrument { measured -> Fork(listOf(1.0)).also { seen += (measured as Jmh).method } }
            measuring(instrument, samples = 2).measure(listOf(madeUpTask("a/a"), madeUpTask("a/b")))
            val round = listOf("a/a-ours", "a/a-peer", "a/b-ours", "a/b-peer")
            seen shouldContainExactly round + round
        }

        test("what two tasks have in common is run once a round") {
            val seen = mutableListOf<String>()
            val instrument = Instrument { measured -> Fork(listOf(1.0)).also { seen += (measured as Jmh).method } }
            val tasks = listOf("x", "y").map { Task("a/$it", "", madeUp(it), Peer("them", madeUp("common"))) }
            measuring(instrument, samples = 2).measure(tasks)
            seen shouldContainExactly listOf("x", "common", "y", "x", "common", "y")
        }

        test("tasks with a side in common follow one another, and are told in their own order") {
            val seen = mutableListOf<String>()
            val instrument = Instrument { measured -> Fork(listOf(1.0)).also { seen += (measured as Jmh).method } }
            val tasks =
                listOf("x" to "common", "y" to "other", "z" to "common")
                    .map { (ours, peer) -> Task("a/$ours", "", madeUp(ours), Peer("them", madeUp(peer))) }
            val measured = measuring(instrument, samples = 1).measure(tasks)
            seen shouldContainExactly listOf("x", "common", "z", "y", "other")
            measured.map { it.task } shouldContainExactly tasks
        }

        test("the same call is run once for those that count it as one operation and as many") {
            var calls = 0
            val instrument =
                Instrument { Fork(listOf(100.0), heapBytes = 50.0).also { calls++ } }
            val tasks = listOf(1L, 10L).map { Task("a/$it", "", madeUp("x").copy(operations = it), null) }
            val measured = measuring(instrument, samples = 1).measure(tasks)
            calls shouldBe 1
            measured.map {
                it.samples
                    .single()
                    .ours.nanos
            } shouldContainExactly listOf(100.0, 10.0)
            measured.map {
                it.samples
                    .single()
                    .ours.heapBytes
            } shouldContainExactly listOf(50.0, 5.0)
        }

        test("a budget outside the error is decided at once") {
            val measured =
                measuring(
                    instrumentOf("a/a-ours" to listOf(1.0), "a/a-peer" to listOf(9.0, 9.01, 9.02)),
                ).measure(listOf(madeUpTask("a/a", 8.0)))
            measured.single().samples.size shouldBe 3
        }

        test("a budget inside the error is measured again until it is outside, and all samples count") {
            val peer = listOf(9.0, 7.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0)
            val measured =
                measuring(
                    instrumentOf("a/a-ours" to listOf(1.0), "a/a-peer" to peer),
                ).measure(listOf(madeUpTask("a/a", 8.0))).single()
            measured.isUnsure shouldBe false
            measured.samples.map { it.peer!!.nanos } shouldContainExactly peer.take(measured.samples.size)
            (4..10).contains(measured.samples.size) shouldBe true
        }

        test("a budget that stays inside the error is left after the most samples, and the ratio decides") {
            val peer = List(20) { if (it % 2 == 0) 9.0 else 7.0 }
            val measured =
                measuring(
                    instrumentOf("a/a-ours" to listOf(1.0), "a/a-peer" to peer),
                    most = 7,
                ).measure(listOf(madeUpTask("a/a", 8.0)))
            measured.single().samples.size shouldBe 7
            measured.single().isUnsure shouldBe true
        }

        test("the more doubtful of two goes first, and time ends it") {
            val clock = TestTimeSource()
            val seen = mutableListOf<String>()
            val figures =
                instrumentOf(
                    "a/far-ours" to listOf(1.0),
                    "a/far-peer" to listOf(4.0, 15.0),
                    "a/near-ours" to listOf(1.0),
                    "a/near-peer" to listOf(7.0, 9.1),
                )
            val instrument =
                Instrument { measured ->
                    clock += 10.seconds
                    figures.fork(measured).also { seen += (measured as Jmh).method }
                }
            val tasks = listOf(madeUpTask("a/far", 4.0), madeUpTask("a/near", 8.0))
            Measuring(instrument, Extent(100.seconds, samples = 2), Silent, clock).measure(tasks)
            seen.filter { it.endsWith("ours") } shouldContainExactly
                listOf("a/far-ours", "a/near-ours", "a/far-ours", "a/near-ours", "a/near-ours")
        }

        test("each task is measured once even if there is no time, and no more") {
            val measured =
                measuring(instrumentOf("a/a-ours" to listOf(1.0), "a/a-peer" to listOf(9.0)), time = Duration.ZERO)
                    .measure(listOf(madeUpTask("a/a", 8.0)))
            measured.single().samples.size shouldBe 1
        }

        test("one sample isn't enough to miss a budget, even if there is no time") {
            val figures = instrumentOf("a/a-ours" to listOf(1.0), "a/a-peer" to listOf(7.0, 9.2))
            val measured = measuring(figures, time = Duration.ZERO).measure(listOf(madeUpTask("a/a", 8.0))).single()
            measured.samples.size shouldBe 2
            measured.estimate!!.ratio shouldBeGreaterThan 8.0
        }

        test("a task that fails says why, and the others go on") {
            val measured =
                measuring(
                    instrumentOf("a/b-ours" to listOf(1.0), "a/b-peer" to listOf(9.0)),
                ).measure(listOf(madeUpTask("a/a", 8.0), madeUpTask("a/b", 8.0)))
            measured[0].failure shouldBe "a/a-ours failed: out of order"
            measured[0].samples.size shouldBe 0
            measured[1].samples.size shouldBe 3
        }

        test("growth over millions of operations is measured once") {
            val instrument = Instrument { Fork(listOf(1.0), nativeBytes = 1e6) }
            val task = Task("a/a", "", madeUp("x"), null, Ratio.Growth(16e6), budget = 1.0)
            val measured = measuring(instrument).measure(listOf(task)).single()
            measured.samples.size shouldBe 1
            measured.estimate!!.ratio shouldBe 16.0
        }

        test("the time for one JVM leaves room for second looks, and what is common counts once") {
            val tasks = listOf("x", "y").map { Task("a/$it", "", madeUp(it), Peer("them", madeUp("common"))) }
            val extent = Extent(4.minutes, samples = 2)
            val fork = extent.forkOf(tasks)
            (fork * 6) shouldBeLessThan 4.minutes
            (fork * 8) shouldBe 4.minutes * 0.6 * 8 / 6
        }

        test("a benchmark runs for two seconds at least, however short the time") {
            runningTime(Duration.ZERO) shouldBeGreaterThan 2.seconds
        }
    })

private fun measuring(
    instrument: Instrument,
    samples: Int = 3,
    most: Int = 11,
    time: Duration = 10.minutes,
) = Measuring(instrument, Extent(time, samples, most), Silent)

private object Silent : Progress {
    override fun begins(measurement: Measurement) = Unit

    override fun ends(
        measurement: Measurement,
        left: Int,
    ) = Unit
}
