package dev.arrowdevice.benchmarks.measure

import org.apache.commons.math3.stat.descriptive.rank.Median

/**
 * What one JVM, or several in a row, showed of one side of a task.
 *
 * @property iterations nanoseconds an operation, one figure for each iteration after the warm-up
 * @property waiting the share of the time, taken off of [iterations], in which something else had the core
 * @property heapBytes bytes of heap that an operation allocates
 * @property nativeBytes bytes of native memory by which the program grew
 */
internal data class Fork(
    val iterations: List<Double>,
    val heapBytes: Double? = null,
    val nativeBytes: Double? = null,
    val waiting: Double = 0.0,
) {
    /** The middle one, which an iteration or two that something else disturbed don't move. */
    val nanos: Double = median(iterations)

    /** The same of calls that are so many operations each. */
    fun each(operations: Long): Fork =
        copy(iterations = iterations.map { it / operations }, heapBytes = heapBytes?.let { it / operations })
}

/** Both sides, run in turn, so that what else the machine does hits both. */
internal data class Sample(
    val ours: Fork,
    val peer: Fork?,
)

internal fun median(values: List<Double>): Double = Median().evaluate(values.toDoubleArray())
