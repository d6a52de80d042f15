package dev.arrowdevice.benchmarks.measure

import dev.arrowdevice.benchmarks.Jmh
import org.openjdk.jmh.annotations.Mode
import org.openjdk.jmh.profile.GCProfiler
import org.openjdk.jmh.results.IterationResult
import org.openjdk.jmh.results.RunResult
import org.openjdk.jmh.runner.Runner
import org.openjdk.jmh.runner.RunnerException
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder
import org.openjdk.jmh.runner.options.OptionsBuilder
import org.openjdk.jmh.runner.options.TimeValue
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * Runs a benchmark once in a JVM of its own, with JMH's profiler of allocations. The time in which something else had the
 * core is taken off, for it says nothing of the benchmark.
 */
internal class JmhJvm(
    private val effort: Effort,
    private val logs: Path,
) {
    /**
     * @throws MeasuringException with the end of JMH's log, if the benchmark throws or there is no such
     */
    fun fork(jmh: Jmh): Fork {
        val log = Files.createDirectories(logs).resolve("${jmh.type.simpleName}.${jmh.method}.log")
        val options =
            jmh
                .options()
                .forks(1)
                .mode(Mode.AverageTime)
                .warmupIterations(WARM_UPS)
                .warmupTime((effort.warmUp / WARM_UPS).forJmh())
                .measurementIterations(effort.iterations)
                .measurementTime((effort.measured / effort.iterations).forJmh())
                .addProfiler(GCProfiler::class.java)
                .addProfiler(CoreWaits::class.java)
                .output(log.toString())
                .build()
        val result =
            try {
                Runner(options).run().singleOrNull()
            } catch (failure: RunnerException) {
                throw MeasuringException("${jmh.label} failed: ${failure.message}\n${tail(log)}", failure)
            } ?: throw MeasuringException("${jmh.label} is not one benchmark: are all of its @Param fields given?")
        val calls = jmh.operations * jmh.threads.toDouble()
        return Fork(
            iterations = result.iterations().map { it.primaryResult.score * (1 - it.waiting()) / calls },
            waiting = median(result.iterations().map { it.waiting() }),
            heapBytes = result.secondaryResults["gc.alloc.rate.norm"]?.let { it.score / jmh.operations },
        )
    }

    companion object {
        private const val WARM_UPS = 3
        private val ITERATION = 200.milliseconds
        private const val LEAST_ITERATIONS = 3

        private val Effort.iterations get() = (measured / ITERATION).toInt().coerceAtLeast(LEAST_ITERATIONS)

        private fun Duration.forJmh() = TimeValue.milliseconds(inWholeMilliseconds)

        private fun RunResult.iterations() = benchmarkResults.flatMap { it.iterationResults }

        private fun IterationResult.waiting() = secondaryResults[CoreWaits.LABEL]?.score ?: 0.0

        private fun tail(log: Path) =
            if (Files.exists(log)) Files.readAllLines(log).takeLast(30).joinToString("\n") else ""
    }
}

/** What it is called in messages. */
internal val Jmh.label: String
    get() = "${type.simpleName}.$method" + parameters.entries.joinToString("") { " ${it.key}=${it.value}" }

/** Options that run this benchmark and no other, in nanoseconds, and fail where it fails. */
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
