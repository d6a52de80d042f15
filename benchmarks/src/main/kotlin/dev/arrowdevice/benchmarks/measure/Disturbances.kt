package dev.arrowdevice.benchmarks.measure

import org.openjdk.jmh.infra.BenchmarkParams
import org.openjdk.jmh.infra.IterationParams
import org.openjdk.jmh.profile.InternalProfiler
import org.openjdk.jmh.results.AggregationPolicy
import org.openjdk.jmh.results.IterationResult
import org.openjdk.jmh.results.Result
import org.openjdk.jmh.results.ScalarResult
import java.io.IOException
import java.lang.management.ManagementFactory
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/**
 * A profiler of JMH that tells, of each iteration,
 *
 * - the share in which its threads could have run and had no core, because something else ran there: 0 on a machine that
 *   does nothing else. Time in which they wait for each other, sleep, or stand still for the garbage collector is none of
 *   it. Linux counts it; on other systems the share is 0.
 * - the share in which a compiler of the JVM ran, or waited for a core to run: what is measured meanwhile is not yet as
 *   fast as it will be.
 */
internal class Disturbances : InternalProfiler {
    private var waitedBefore = emptyMap<String, Long>()
    private var compiledBefore = 0L
    private var begin = 0L

    override fun beforeIteration(
        benchmark: BenchmarkParams,
        iteration: IterationParams,
    ) {
        waitedBefore = waits(TASKS)
        compiledBefore = compilation.totalCompilationTime
        begin = System.nanoTime()
    }

    override fun afterIteration(
        benchmark: BenchmarkParams,
        iteration: IterationParams,
        result: IterationResult,
    ): Collection<Result<*>> {
        val elapsed = (System.nanoTime() - begin).toDouble()
        val waited = waits(TASKS).entries.sumOf { (task, nanos) -> nanos - (waitedBefore[task] ?: 0) }
        val compiled = (compilation.totalCompilationTime - compiledBefore) * 1e6
        return listOf(share(WAITING, waited / benchmark.threads / elapsed), share(COMPILING, compiled / elapsed))
    }

    private fun share(
        label: String,
        share: Double,
    ) = ScalarResult(label, share.coerceIn(0.0, 1.0), "share", AggregationPolicy.AVG)

    override fun getDescription(): String =
        "shares of the time in which threads waited for a core, and in which code was compiled"

    companion object {
        const val WAITING: String = "waiting"
        const val COMPILING: String = "compiling"

        private val TASKS = Path.of("/proc/self/task")
        private val compilation = ManagementFactory.getCompilationMXBean()
    }
}

/**
 * JMH calls its workers `dev.arrowdevice…-jmh-worker-1`. If a name is too long for Linux, a JVM passes on its
 * beginning, or both its ends.
 */
private val JMH_WORKER = Regex("dev\\.arrowdevice|dev\\.arr\\.\\.rker-\\d+")

/** The nanoseconds that each of JMH's worker threads has waited for a core since it started, by thread number. */
internal fun waits(tasks: Path): Map<String, Long> {
    if (!tasks.exists()) return emptyMap()
    return tasks
        .listDirectoryEntries()
        .mapNotNull { task ->
            try {
                val isWorker = JMH_WORKER.matches(task.resolve("comm").readText().trim())
                if (isWorker) {
                    task.name to
                        task
                            .resolve("schedstat")
                            .readText()
                            .split(' ')[1]
                            .toLong()
                } else {
                    null
                }
            } catch (_: IOException) {
                null // The thread has just ended.
            }
        }.toMap()
}
