package dev.arrowdevice.benchmarks.measure

import dev.arrowdevice.benchmarks.Ratio
import dev.arrowdevice.benchmarks.Task
import dev.arrowdevice.benchmarks.madeUp
import dev.arrowdevice.benchmarks.madeUpTask
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import kotlin.math.exp
import kotlin.math.sqrt

class EstimateTest :
    FunSpec({
        test("\"times as fast\" is the peer's time over ours, of the middle iteration") {
            val samples = listOf(Sample(fork(1.0, 2.0, 900.0), fork(18.0, 20.0, 21.0)))
            estimateOf(Ratio.TimesAsFast, samples).ratio shouldBe (10.0 plusOrMinus 1e-12)
        }

        test("the middle ratio of several samples counts, so that a disturbed sample changes little") {
            val samples = listOf(8.0, 9.0, 100.0).map { Sample(fork(1.0), fork(it)) }
            estimateOf(Ratio.TimesAsFast, samples).ratio shouldBe (9.0 plusOrMinus 1e-12)
        }

        test("one sample has an infinite error") {
            val estimate = estimateOf(Ratio.TimesAsFast, listOf(Sample(fork(1.0), fork(8.0))))
            estimate.low shouldBe 0.0
            estimate.high shouldBe Double.POSITIVE_INFINITY
        }

        test("the error of \"times as fast\" is Student's of the logarithms") {
            val samples = listOf(8.0, 8.0 * exp(0.1), 8.0 * exp(-0.1)).map { Sample(fork(1.0), fork(it)) }
            val estimate = estimateOf(Ratio.TimesAsFast, samples)
            // 4.3027 is in every table, for 95 % and two degrees of freedom; the deviation of -0.1, 0 and 0.1 is 0.1.
            val error = 4.3027 * 0.1 / sqrt(3.0)
            estimate.low shouldBe (8.0 * exp(-error) plusOrMinus 1e-3)
            estimate.high shouldBe (8.0 * exp(error) plusOrMinus 1e-3)
        }

        test("samples that agree have no error") {
            val estimate = estimateOf(Ratio.TimesAsFast, List(3) { Sample(fork(2.0), fork(5.0)) })
            (2.5 in estimate) shouldBe true
            (2.51 in estimate) shouldBe false
        }

        test("an allowance is compared with the time that we take longer") {
            val samples = listOf(Sample(fork(1500.0), fork(1000.0)), Sample(fork(1600.0), fork(1100.0)))
            estimateOf(Ratio.Allowance(1000.0), samples) shouldBe Estimate(2.0, 2.0, 2.0)
        }

        test("an unused allowance counts as met a hundred times") {
            listOf(1000.0, 900.0, 1001.0).forEach { ours ->
                estimateOf(Ratio.Allowance(1000.0), listOf(Sample(fork(ours), fork(1000.0)))).ratio shouldBe 100.0
            }
        }

        test("the error of an allowance may reach below zero on one side") {
            val samples = listOf(100.0, 500.0, 900.0).map { Sample(fork(1000.0 + it), fork(1000.0)) }
            val estimate = estimateOf(Ratio.Allowance(1000.0), samples)
            estimate.ratio shouldBe 2.0
            estimate.high shouldBe 100.0
            estimate.low shouldBe (1000.0 / (500.0 + 4.3027 * 400.0 / sqrt(3.0)) plusOrMinus 1e-3)
        }

        test("garbage is compared with the allowed bytes") {
            val samples = listOf(Sample(Fork(listOf(1.0), heapBytes = 250.0), null))
            estimateOf(Ratio.Garbage(1000.0), samples).ratio shouldBe 4.0
        }

        test("growth is compared with the allowed bytes, and a process may shrink") {
            val samples = listOf(Sample(Fork(listOf(1.0), nativeBytes = 32e6), null))
            estimateOf(Ratio.Growth(16e6), samples).ratio shouldBe 0.5
            estimateOf(Ratio.Growth(16e6), listOf(Sample(Fork(listOf(1.0), nativeBytes = -4e3), null))).ratio shouldBe
                100.0
        }

        test("a task without a peer has no \"times as fast\"") {
            val task = Task("a/b", "", madeUp("x"), null)
            estimate(task, listOf(Sample(fork(1.0), null))).shouldBeNull()
        }
    })

private fun fork(vararg nanos: Double) = Fork(nanos.toList())

private fun estimateOf(
    ratio: Ratio,
    samples: List<Sample>,
) = estimate(madeUpTask("a/b", ratio = ratio), samples).shouldNotBeNull()
