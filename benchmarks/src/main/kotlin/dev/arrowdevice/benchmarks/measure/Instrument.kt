package dev.arrowdevice.benchmarks.measure

import dev.arrowdevice.benchmarks.Jmh
import dev.arrowdevice.benchmarks.Measured
import dev.arrowdevice.benchmarks.Program
import dev.arrowdevice.benchmarks.Task
import java.nio.file.Path
import kotlin.time.Duration

/** Takes a sample of a task. */
internal fun interface Instrument {
    /**
     * @throws MeasuringException if a side can't be run, or fails
     */
    fun sample(task: Task): Sample
}

internal class MeasuringException(
    message: String,
    cause: Throwable? = null,
) : Exception(message, cause)

/**
 * Runs JMH benchmarks and programs in JVMs of their own, with this JVM's options and class path.
 *
 * @param runningTime how long a benchmark runs, its warm-up included
 */
internal class Jvms(
    runningTime: Duration,
    logs: Path,
) : Instrument {
    private val jmh = JmhJvm(runningTime, logs)
    private val programs = ProgramJvm(logs)

    /** Runs both sides in turn if both are benchmarks, else one after the other. */
    override fun sample(task: Task): Sample {
        val benchmarks = task.sides.filterIsInstance<Jmh>()
        val forks = if (benchmarks.size == task.sides.size) jmh.forks(benchmarks) else task.sides.map(::fork)
        return Sample(forks.first(), forks.getOrNull(1))
    }

    fun fork(measured: Measured): Fork =
        when (measured) {
            is Jmh -> jmh.forks(listOf(measured)).single()
            is Program -> programs.fork(measured)
        }
}
