package dev.arrowdevice.benchmarks.measure

import dev.arrowdevice.benchmarks.Jmh
import dev.arrowdevice.benchmarks.hasUntimedParts
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import org.openjdk.jmh.annotations.Mode
import org.openjdk.jmh.profile.GCProfiler
import org.openjdk.jmh.runner.Runner
import org.openjdk.jmh.runner.RunnerException
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder
import org.openjdk.jmh.runner.options.OptionsBuilder
import org.openjdk.jmh.runner.options.TimeValue
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.math.roundToInt
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * Runs benchmarks in JVMs of their own, with JMH's profiler of allocations. Only the last iterations without a busy
 * compiler count. If there are too few of them, everything is run again for twice as long. Time in which something else
 * had the core is subtracted, because it says nothing about the benchmark.
 *
 * @param time how long a benchmark runs, the warm-up included
 */
internal class JmhJvm(
    private val time: Duration,
    private val logs: Path,
) {
    private val times = mutableMapOf<List<Jmh>, Duration>()

    /**
     * Measures the sides while they take [Turns].
     *
     * @throws MeasuringException with the end of JMH's log, if a benchmark throws or does not exist
     */
    fun forks(sides: List<Jmh>): List<Fork> {
        var time = times[sides] ?: time
        var iterations = inTurn(sides, time)
        while (iterations.any { settled(it).size < LEAST_SETTLED } && time < this.time * MOST_TIMES) {
            time *= 2
            iterations = inTurn(sides, time)
        }
        times[sides] = time
        return sides.zip(iterations, ::forkOf)
    }

    private fun forkOf(
        jmh: Jmh,
        iterations: List<Iteration>,
    ): Fork {
        val counted = settled(iterations).ifEmpty { iterations.dropLast(1).takeLast(LEAST_SETTLED) }
        return Fork(
            iterations = counted.map { it.nanos * (1 - it.waiting) / jmh.threads },
            heapBytes = if (jmh.hasUntimedParts) null else median(counted.map { it.heapBytes }),
            waiting = median(counted.map { it.waiting }),
        ).each(jmh.operations)
    }

    private fun inTurn(
        sides: List<Jmh>,
        time: Duration,
    ): List<List<Iteration>> {
        val turns = Turns(sides.size)
        return runBlocking(Dispatchers.IO) {
            val runs = sides.map { async { run(it, time, turns.port) } }
            try {
                runs.awaitAll()
            } finally {
                turns.close() // If one side has failed, the other one waits for it.
            }
        }
    }

    private fun run(
        jmh: Jmh,
        time: Duration,
        turnsPort: Int,
    ): List<Iteration> {
        val log = Files.createDirectories(logs).resolve("${jmh.label.replace(' ', '.')}.log")
        val options =
            jmh
                .options()
                .forks(1)
                .mode(Mode.AverageTime)
                .warmupIterations(0)
                .measurementIterations((time / ITERATION).roundToInt())
                .measurementTime(TimeValue.milliseconds(ITERATION.inWholeMilliseconds))
                .addProfiler(Turn::class.java, turnsPort.toString())
                .addProfiler(GCProfiler::class.java)
                .addProfiler(Disturbances::class.java)
                .jvmArgsAppend(*HEAP)
                .output(log.toString())
                .build()
        val result =
            try {
                Runner(options).run().singleOrNull()
            } catch (failure: RunnerException) {
                throw MeasuringException("${jmh.label} failed: ${failure.message}\n${tail(log)}", failure)
            } ?: throw MeasuringException("${jmh.label} is not one benchmark: are all of its @Param fields given?")
        return result.benchmarkResults.flatMap { it.iterationResults }.map { iteration ->
            fun secondary(label: String) =
                checkNotNull(iteration.secondaryResults[label]) { "JMH's profiler tells no $label" }.score
            Iteration(
                iteration.primaryResult.score,
                secondary("gc.alloc.rate.norm"),
                secondary(Disturbances.WAITING),
                secondary(Disturbances.COMPILING),
            )
        }
    }

    private companion object {
        private val ITERATION = 200.milliseconds

        /**
         * The same size for all, and touched at the start: the pages that a growing heap touches for the first time
         * cost more than most of what is measured.
         */
        private val HEAP = arrayOf("-Xms$HEAP_SIZE", "-Xmx$HEAP_SIZE", "-XX:+AlwaysPreTouch")

        /** How often a benchmark that does not settle gets twice the time. After that it never will. */
        private const val MOST_TIMES = 4

        private fun tail(log: Path) =
            if (Files.exists(log)) Files.readAllLines(log).takeLast(30).joinToString("\n") else ""
    }
}

/**
 * One of JMH's iterations.
 *
 * @property nanos per call
 * @property heapBytes that a call allocates
 * @property waiting the share of the time in which something else had the core
 * @property compiling the share of the time in which code was compiled
 */
internal data class Iteration(
    val nanos: Double,
    val heapBytes: Double = 0.0,
    val waiting: Double = 0.0,
    val compiling: Double = 0.0,
)

internal const val HEAP_SIZE: String = "1g"

/** A compiler that is busy for less than this share compiles what hardly matters. */
private const val BUSY_COMPILER = 0.1

private const val LEAST_SETTLED = 3

/**
 * The iterations of the second half in which, and after which, no compiler was busy. The last one is left out, because
 * the benchmark's tear-down is compiled in it.
 */
internal fun settled(iterations: List<Iteration>): List<Iteration> =
    iterations.drop(iterations.size / 2).dropLast(1).takeLastWhile {
        it.compiling < BUSY_COMPILER
    }

/** The benchmark's name in messages, and of its log. */
internal val Jmh.label: String
    get() =
        "${type.simpleName}.$method" + parameters.entries.joinToString("") { " ${it.key}=${it.value}" } +
            if (threads == 1) "" else " threads=$threads"

/** Options that run only this benchmark, in nanoseconds, and fail if it fails. */
internal fun Jmh.options(): ChainedOptionsBuilder {
    var options =
        OptionsBuilder()
            .include("^${Regex.escape("${type.canonicalName}.$method")}$")
            .threads(threads)
            .timeUnit(TimeUnit.NANOSECONDS)
            .shouldFailOnError(true)
    parameters.forEach { (name, value) -> options = options.param(name, value) }
    return options
}
