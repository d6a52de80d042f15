package dev.arrowdevice.benchmarks.measure

import dev.arrowdevice.benchmarks.Ratio
import dev.arrowdevice.benchmarks.Task
import org.apache.commons.math3.distribution.TDistribution
import org.apache.commons.math3.stat.StatUtils
import kotlin.math.exp
import kotlin.math.ln
import kotlin.math.sqrt

/**
 * A ratio and its confidence interval of 95 %.
 *
 * @property low 0 if there is only one sample
 * @property high infinite if there is only one sample
 */
internal data class Estimate(
    val ratio: Double,
    val low: Double,
    val high: Double,
) {
    operator fun contains(budget: Double): Boolean = budget in low..high
}

/**
 * The greatest ratio that is reported. An operation that uses 3 of 1,000 allowed bytes would have a ratio beyond it.
 */
internal const val MOST_TIMES_BELOW: Double = 100.0

/**
 * The ratio of the middle sample. Its error comes from the differences between samples, by Student's distribution. The
 * times within a JVM are alike; between JVMs they differ by what the compiler did.
 *
 * @return null if the task has no ratio
 */
internal fun estimate(
    task: Task,
    samples: List<Sample>,
): Estimate? {
    if (!task.hasRatio) return null
    val values = samples.map { task.ratio.valueOf(it) }
    val middle = median(values)
    if (values.size < 2) return Estimate(task.ratio.ofValue(middle), 0.0, Double.POSITIVE_INFINITY)
    val deviation = sqrt(StatUtils.variance(values.toDoubleArray()))
    val error =
        TDistribution(values.size - 1.0).inverseCumulativeProbability(0.975) * deviation / sqrt(values.size.toDouble())
    val ends = listOf(task.ratio.ofValue(middle - error), task.ratio.ofValue(middle + error))
    return Estimate(task.ratio.ofValue(middle), ends.min(), ends.max())
}

/** The figure of a sample for which differences mean the same everywhere: for times as fast, the logarithm. */
private fun Ratio.valueOf(sample: Sample): Double =
    when (this) {
        Ratio.TimesAsFast -> ln(sample.peer!!.nanos / sample.ours.nanos)
        is Ratio.Allowance -> sample.ours.nanos - sample.peer!!.nanos
        is Ratio.Garbage -> checkNotNull(sample.ours.heapBytes) { "no bytes of heap were measured" }
        is Ratio.Growth -> checkNotNull(sample.ours.nativeBytes) { "no bytes of native memory were measured" }
    }

private fun Ratio.ofValue(value: Double): Double =
    when (this) {
        Ratio.TimesAsFast -> exp(value)
        is Ratio.Allowance -> timesBelow(nanos, value)
        is Ratio.Garbage -> timesBelow(bytes, value)
        is Ratio.Growth -> timesBelow(bytes, value)
    }

private fun timesBelow(
    allowed: Double,
    seen: Double,
): Double = if (seen * MOST_TIMES_BELOW <= allowed) MOST_TIMES_BELOW else allowed / seen
