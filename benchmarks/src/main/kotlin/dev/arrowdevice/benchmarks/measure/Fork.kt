package dev.arrowdevice.benchmarks.measure

import org.apache.commons.math3.stat.descriptive.rank.Median

/**
 * The figures of one side of a task from one JVM, or several in a row.
 *
 * @property iterations nanoseconds per operation, one figure for each iteration after the warm-up
 * @property waiting the share of the time, subtracted from [iterations], in which something else had the core
 * @property heapBytes bytes of heap that an operation allocates
 * @property nativeBytes bytes of native memory by which the program grew
 */
internal data class Fork(
    val iterations: List<Double>,
    val heapBytes: Double? = null,
    val nativeBytes: Double? = null,
    val waiting: Double = 0.0,
) {
    /** The median, which one or two disturbed iterations don't change. */
    val nanos: Double = median(iterations)

    /** The same figures if each call is this many operations. */
    fun each(operations: Long): Fork =
        copy(iterations = iterations.map { it / operations }, heapBytes = heapBytes?.let { it / operations })
}

/** Both sides, run in turn, so that other load of the machine affects both. */
internal data class Sample(
    val ours: Fork,
    val peer: Fork?,
)

internal fun median(values: List<Double>): Double = Median().evaluate(values.toDoubleArray())
