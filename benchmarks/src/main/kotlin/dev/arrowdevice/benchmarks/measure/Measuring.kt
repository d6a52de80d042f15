package dev.arrowdevice.benchmarks.measure

import dev.arrowdevice.benchmarks.Ratio
import dev.arrowdevice.benchmarks.Task
import kotlin.math.abs
import kotlin.math.ln
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/** A task and its samples so far. */
internal class Measurement(
    val task: Task,
) {
    private val taken = mutableListOf<Sample>()

    val samples: List<Sample> get() = taken

    /** Why it can't be measured; null if it can. */
    var failure: String? = null
        private set

    var estimate: Estimate? = null
        private set

    /** How far the ratio is from the budget, as a logarithm. */
    val distance: Double
        get() = abs(ln((estimate?.ratio ?: return 0.0) / (task.budget ?: return 0.0)))

    /** The time of the last sample, which decides whether there is time for another one. */
    var cost: Duration = Duration.ZERO
        private set

    /** Whether the budget was missed by a single sample. */
    val isMissedOnce: Boolean
        get() = samples.size == 1 && task.budget?.let { budget -> estimate?.run { ratio < budget } } ?: false

    /** Whether another sample could change the verdict on the budget. */
    val isUnsure: Boolean
        get() = task.budget?.let { budget -> estimate?.contains(budget) } ?: false

    fun add(
        sample: Sample,
        cost: Duration,
    ) {
        taken += sample
        this.cost = cost
        estimate = estimate(task, taken)
    }

    fun fail(reason: String) {
        failure = reason
    }
}

/** Gets the progress of a run. */
internal interface Progress {
    fun begins(measurement: Measurement)

    /** @param left how many samples more, as far as is known: each sample taken may make one more necessary */
    fun ends(
        measurement: Measurement,
        left: Int,
    )
}

/**
 * Measures tasks: all of them once, then all of them once more, so that the samples of one task are far apart in time,
 * and a disturbance affects one sample of many tasks instead of all samples of one. Tasks whose error contains their
 * budget go on after [Extent.samples], up to [Extent.most], the doubtful ones first.
 */
internal class Measuring(
    private val instrument: Instrument,
    private val extent: Extent,
    private val progress: Progress,
    private val clock: TimeSource = TimeSource.Monotonic,
) {
    fun measure(tasks: List<Task>): List<Measurement> {
        val end = clock.markNow() + extent.time
        val all = tasks.map(::Measurement)
        generateSequence { next(all, -end.elapsedNow()) }.forEach { measurement ->
            progress.begins(measurement)
            measurement.takeSample()
            progress.ends(measurement, all.sumOf { samplesLeft(it) })
        }
        return all
    }

    /**
     * The next task that needs a sample and has time for it. Each task gets one sample in any case, and no budget is
     * missed by one.
     */
    private fun next(
        all: List<Measurement>,
        time: Duration,
    ): Measurement? {
        val wanting = all.filter { samplesLeft(it) > 0 }
        val possible = wanting.filter { it.samples.isEmpty() || it.isMissedOnce || it.cost <= time }
        return possible.filter { it.samples.size < samplesOf(it.task) }.minByOrNull { it.samples.size }
            ?: possible.minByOrNull { it.distance * it.samples.size }
    }

    private fun samplesOf(task: Task) = if (task.ratio is Ratio.Growth) 1 else extent.samples

    private fun samplesLeft(measurement: Measurement): Int {
        val taken = measurement.samples.size
        val wanted = samplesOf(measurement.task)
        return when {
            measurement.failure != null -> 0
            taken < wanted -> wanted - taken
            measurement.isMissedOnce -> 1
            wanted > 1 && measurement.isUnsure && taken < extent.most -> 1
            else -> 0
        }
    }

    private fun Measurement.takeSample() {
        val begin = clock.markNow()
        try {
            add(instrument.sample(task), begin.elapsedNow())
        } catch (failure: MeasuringException) {
            fail(checkNotNull(failure.message))
        }
    }
}

/**
 * How much is measured.
 *
 * @property time after which no further sample of a task is started
 * @property samples of each task; one is enough for native memory that must not grow over millions of operations
 * @property most samples of a task whose error contains its budget
 * @property measuring the share of the time that the first [samples] may take, with the starts of their JVMs. In the
 * rest of the time benchmarks that settle late go on, and doubtful tasks are measured again
 */
internal data class Extent(
    val time: Duration,
    val samples: Int,
    val most: Int = 11,
    val measuring: Double = 0.6,
) {
    /** How long a benchmark runs, its warm-up included. A part of the time is left for doubtful tasks. */
    fun runningTime(tasks: List<Task>): Duration {
        val starts = START * tasks.size
        val sides = tasks.sumOf { it.sides.size }.coerceAtLeast(1)
        return ((time * measuring / samples - starts) / sides).coerceIn(LEAST_RUNNING, MOST_RUNNING)
    }

    /** The plan of the run in a sentence. */
    fun plan(tasks: List<Task>): String =
        "${tasks.size} tasks in up to $time: $samples times each, a side running for " +
            "${runningTime(tasks).toString(DurationUnit.SECONDS, 1)}, and more of those that are close to their budget"

    private companion object {
        /** The time that JVMs, and JMH in them, take to start and end. Those of a task do so at the same time. */
        private val START = 1.seconds

        private val LEAST_RUNNING = 2400.milliseconds

        private val MOST_RUNNING = 6.seconds
    }
}
