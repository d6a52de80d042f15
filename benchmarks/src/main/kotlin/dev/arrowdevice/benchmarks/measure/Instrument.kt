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

/**
 * How long a JVM runs a benchmark.
 *
 * @property warmUp what is left out of the figures, until the compilers are done
 */
internal data class Effort(
    val warmUp: Duration,
    val measured: Duration,
) {
    companion object {
        /** What a JVM and JMH in it take to start and end. */
        private val START = 800.milliseconds

        private val LEAST = 2600.milliseconds
        private val MOST = 6.seconds

        /** Calls through JNI, as Arrow Java's, take long until they are compiled, the more so on two cores. */
        private const val WARM_UP = 0.65

        /** Of a time for everything, a JVM's start included. */
        fun within(time: Duration): Effort {
            val running = (time - START).coerceIn(LEAST, MOST)
            return Effort(running * WARM_UP, running * (1 - WARM_UP))
        }
    }
}

/** Runs JMH benchmarks and programs in JVMs of their own, with this JVM's options and class path. */
internal class Jvms(
    effort: Effort,
    logs: Path,
) : Instrument {
    private val jmh = JmhJvm(effort, logs)
    private val programs = ProgramJvm(logs)

    override fun fork(measured: Measured): Fork =
        when (measured) {
            is Jmh -> jmh.fork(measured)
            is Program -> programs.fork(measured)
        }
}
