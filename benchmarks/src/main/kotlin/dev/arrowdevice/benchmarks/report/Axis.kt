package dev.arrowdevice.benchmarks.report

import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.log10
import kotlin.math.pow

/** The horizontal axis of a picture: maps a value to a share of its width, and has ticks. */
internal class Axis private constructor(
    private val low: Double,
    private val high: Double,
    private val steps: (Double, Double) -> List<Double>,
    private val scale: (Double) -> Double,
) {
    /** The values that have a tick. */
    val ticks: List<Double>
        get() = steps(low, high).filter { it in low..high }

    /** The position of a value: 0 is the left end, 1 the right one. */
    fun position(value: Double): Double = (scale(value) - scale(low)) / (scale(high) - scale(low))

    companion object {
        /** The axis goes beyond the outermost values by this factor. */
        private const val MARGIN = 1.15

        /** If the ratio of its ends is greater, a logarithmic axis has ticks at powers of ten only. */
        private const val WIDE = 1e3

        private const val MOST_TICKS = 10

        /** An axis for ratios, on which 2 is as far from 1 as 0.5. */
        fun logarithmic(values: List<Double>): Axis =
            Axis(values.min() / MARGIN, values.max() * MARGIN, ::powers, ::log10)

        /** An axis for amounts. It starts at 0, or at the lowest amount below. */
        fun linear(values: List<Double>): Axis =
            Axis(minOf(0.0, values.min() * MARGIN), maxOf(1.0, values.max() * MARGIN), ::multiples) { it }

        private fun powers(
            low: Double,
            high: Double,
        ): List<Double> {
            val factors = if (high / low > WIDE) listOf(1) else listOf(1, 2, 5)
            return (floor(log10(low)).toInt()..ceil(log10(high)).toInt()).flatMap { power ->
                factors.map { it * 10.0.pow(power) }
            }
        }

        private fun multiples(
            low: Double,
            high: Double,
        ): List<Double> {
            val power = 10.0.pow(floor(log10((high - low) / MOST_TICKS)))
            val step = listOf(1, 2, 5, 10).map { it * power }.first { (high - low) / it <= MOST_TICKS }
            return (ceil(low / step).toInt()..floor(high / step).toInt()).map { it * step }
        }
    }
}
