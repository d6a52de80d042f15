package dev.arrowdevice.benchmarks.measure

import dev.arrowdevice.benchmarks.Ratio
import dev.arrowdevice.benchmarks.Task
import dev.arrowdevice.benchmarks.instrumentOf
import dev.arrowdevice.benchmarks.madeUp
import dev.arrowdevice.benchmarks.madeUpTask
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.shouldBe
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TestTimeSource

class MeasuringTest :
    FunSpec({
        test("all tasks are measured once before one is measured again") {
            val seen = mutableListOf<String>()
            val instrument = Instrument { task -> sample(1.0).also { seen += task.name } }
            measuring(instrument, samples = 2).measure(listOf(madeUpTask("a/a"), madeUpTask("a/b")))
            seen shouldContainExactly listOf("a/a", "a/b", "a/a", "a/b")
        }

        test("a budget outside of the error is decided at once") {
            val measured =
                measuring(
                    instrumentOf("a/a-ours" to listOf(1.0), "a/a-peer" to listOf(9.0, 9.01, 9.02)),
                ).measure(listOf(madeUpTask("a/a", 8.0)))
            measured.single().samples.size shouldBe 3
        }

        test("a task whose budget is within the error is measured again until it is outside, and all samples count") {
            val peer = listOf(9.0, 7.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0)
            val measured =
                measuring(
                    instrumentOf("a/a-ours" to listOf(1.0), "a/a-peer" to peer),
                ).measure(listOf(madeUpTask("a/a", 8.0))).single()
            measured.isUnsure shouldBe false
            measured.samples.map { it.peer!!.nanos } shouldContainExactly peer.take(measured.samples.size)
            (4..10).contains(measured.samples.size) shouldBe true
        }

        test("if a budget stays within the error, the ratio decides after the maximum of samples") {
            val peer = List(20) { if (it % 2 == 0) 9.0 else 7.0 }
            val measured =
                measuring(
                    instrumentOf("a/a-ours" to listOf(1.0), "a/a-peer" to peer),
                    most = 7,
                ).measure(listOf(madeUpTask("a/a", 8.0)))
            measured.single().samples.size shouldBe 7
            measured.single().isUnsure shouldBe true
        }

        test("the more doubtful of two tasks is measured first, until time runs out") {
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
                Instrument { task ->
                    clock += 20.seconds
                    figures.sample(task).also { seen += task.name }
                }
            val tasks = listOf(madeUpTask("a/far", 4.0), madeUpTask("a/near", 8.0))
            Measuring(instrument, Extent(100.seconds, samples = 2), Silent, clock).measure(tasks)
            seen shouldContainExactly listOf("a/far", "a/near", "a/far", "a/near", "a/near")
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

        test("a task that fails is reported with the reason, and the others go on") {
            val measured =
                measuring(
                    instrumentOf("a/b-ours" to listOf(1.0), "a/b-peer" to listOf(9.0)),
                ).measure(listOf(madeUpTask("a/a", 8.0), madeUpTask("a/b", 8.0)))
            measured[0].failure shouldBe "a/a-ours failed: out of order"
            measured[0].samples.size shouldBe 0
            measured[1].samples.size shouldBe 3
        }

        test("growth over millions of operations is measured once, and again if the budget is missed") {
            fun measured(vararg growths: Double): Measurement {
                val left = growths.toMutableList()
                val instrument = Instrument { sample(1.0, nativeBytes = left.removeFirst()) }
                val task = Task("a/a", "", madeUp("x"), null, Ratio.Growth(16e6), budget = 1.0)
                return measuring(instrument).measure(listOf(task)).single()
            }
            measured(1e6).estimate!!.ratio shouldBe 16.0
            val missed = measured(20e6, 8e6)
            missed.samples.size shouldBe 2
            missed.estimate!!.ratio shouldBeGreaterThan 1.0
        }

        test("the time of a benchmark leaves time for the starts of JVMs and for repetitions") {
            val extent = Extent(60.seconds, samples = 2)
            val (tasks, sides, start) = Triple(2, 4, 1.seconds)
            val rounds = (extent.runningTime(List(tasks) { madeUpTask("a/$it") }) * sides + start * tasks) * 2
            (rounds / 60.seconds).shouldBeBetween(0.5, 0.7, 0.0)
        }

        test("a benchmark runs for at least two seconds") {
            Extent(Duration.ZERO, samples = 2).runningTime(listOf(madeUpTask("a/a"))) shouldBeGreaterThan 2.seconds
        }
    })

private fun sample(
    nanos: Double,
    nativeBytes: Double? = null,
) = Sample(Fork(listOf(nanos), nativeBytes = nativeBytes), Fork(listOf(nanos)))

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
