package dev.arrowdevice.coroutines.stress

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.coroutines.peer
import io.kotest.matchers.maps.shouldContainKeys
import java.util.concurrent.ExecutionException
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random

/** One run: what its random numbers make of it, and what it counts. */
internal class Run(
    val random: Random,
    val strike: Strike,
) {
    /** Batches that one side has made. */
    val produced = AtomicInteger()

    /** Batches that the other side has got. */
    val delivered = AtomicInteger()

    /** Batches that were made in vain, as somebody else than the two has counted them. */
    var discarded: Int = 0

    /** Other random choices, for the report of a failure. */
    var plan: String = ""

    fun oneIn(n: Int): Boolean = random.nextInt(n) == 0
}

/**
 * Repeats a scenario with another random plan each time, as often as the system property `stress` says, 1 by default.
 * After every run all has been released, once. A run that takes too long fails with the stacks of all threads.
 *
 * @param points where the scenario can be struck: in the end each of them was
 */
internal class Runs(
    private val name: String,
    private val points: List<Point>,
    private val scenario: (Run) -> Unit,
) {
    private val seed: Long = java.lang.Long.getLong("stress.seed") ?: System.nanoTime()
    private val struck = mutableMapOf<Point, Int>()
    private var produced = 0L
    private var delivered = 0L
    private var discarded = 0L

    /** Runs it [count] times the factor. */
    fun repeat(count: Int) {
        val runs = count * Integer.getInteger("stress", 1)
        println("$name: $runs runs from -Dstress.seed=$seed on")
        val worker = daemons("stress-worker")
        val striker = daemons("stress-striker")
        try {
            repeat(runs) { one(seed + it, worker, striker) }
            // A few runs may miss a point that is seldom passed.
            repeat(runs) { if (!struck.keys.containsAll(points)) one(seed + runs + it, worker, striker) }
        } finally {
            worker.shutdownNow()
            striker.shutdownNow()
        }
        println("$name: $produced produced = $delivered delivered + $discarded discarded, struck $struck")
        struck.shouldContainKeys(*points.toTypedArray())
    }

    private fun one(
        seed: Long,
        worker: ExecutorService,
        striker: ExecutorService,
    ) {
        val random = Random(seed)
        val run = Run(random, Strike.random(random, points, striker))
        val balance = Balance()
        try {
            val running =
                worker.submit {
                    scenario(run)
                    run.strike.settle()
                }
            try {
                running.get(LONGEST_SECONDS, TimeUnit.SECONDS)
            } catch (e: TimeoutException) {
                throw AssertionError("still runs after $LONGEST_SECONDS s:\n${stacks()}", e)
            } catch (e: ExecutionException) {
                throw e.cause ?: e
            }
            balance.check()
            check(run.produced.get() == run.delivered.get() + run.discarded) {
                "${run.produced} produced, ${run.delivered} delivered, ${run.discarded} discarded"
            }
        } catch (e: Throwable) {
            throw AssertionError("$name with -Dstress.seed=$seed: struck at ${run.strike}; ${run.plan}: $e", e)
        }
        if (run.strike.hasStruck) struck.merge(run.strike.point, 1, Int::plus)
        produced += run.produced.get()
        delivered += run.delivered.get()
        discarded += run.discarded
    }

    private fun stacks(): String =
        Thread.getAllStackTraces().entries.joinToString("\n") { (thread, frames) ->
            "$thread ${thread.state}\n" + frames.joinToString("\n") { "    at $it" }
        }

    private fun daemons(name: String): ExecutorService =
        Executors.newSingleThreadExecutor { task -> Thread(task, name).apply { isDaemon = true } }

    /** What was outstanding before a run must be outstanding after it: each release was called, and none twice. */
    private class Balance {
        private val peerBefore = peer.counters()
        private val before = ArrowCounters.now()

        fun check() {
            val unbalanced = peer.counters().unbalancedSince(peerBefore)
            check(unbalanced.isEmpty()) { "$unbalanced" }
            val now = ArrowCounters.now()
            val change = now - before
            check(change.unreleasedExports() == 0L) { "exports are out: $now, before $before" }
            check(change.unreleasedImports() == 0L) { "imports are out: $now, before $before" }
            check(change.hostBuffers() == 0L) { "buffers are allocated: $now, before $before" }
        }
    }

    private companion object {
        const val LONGEST_SECONDS = 60L
    }
}
