package dev.arrowdevice.benchmarks.measure

import dev.arrowdevice.benchmarks.Jmh
import dev.arrowdevice.benchmarks.Measured
import dev.arrowdevice.benchmarks.Program
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What runs one side of a task once. */
internal fun interface Instrument {
    /**
     * @throws MeasuringException if it can't be run, or fails
     */
    fun fork(measured: Measured): Fork
}

internal class MeasuringException(
    message: String,
    cause: Throwable? = null,
) : Exception(message, cause)

/** How long a benchmark runs, its warm-up included, where [fork] is the time for a JVM from its start to its end. */
internal fun runningTime(fork: Duration): Duration = (fork - JVM_START).coerceIn(LEAST_RUNNING, MOST_RUNNING)

/** What a JVM and JMH in it take to start and end. */
private val JVM_START = 800.milliseconds

private val LEAST_RUNNING = 2400.milliseconds

private val MOST_RUNNING = 6.seconds

/** What a JVM takes however short the time. */
internal val LEAST_FORK: Duration = JVM_START + LEAST_RUNNING

/** Runs JMH benchmarks and programs in JVMs of their own, with this JVM's options and class path. */
internal class Jvms(
    runningTime: Duration,
    logs: Path,
) : Instrument {
    private val jmh = JmhJvm(runningTime, logs)
    private val programs = ProgramJvm(logs)

    override fun fork(measured: Measured): Fork =
        when (measured) {
            is Jmh -> jmh.fork(measured).each(measured.operations)
            is Program -> programs.fork(measured)
        }
}
