package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.measure.Fork
import dev.arrowdevice.benchmarks.measure.Instrument
import dev.arrowdevice.benchmarks.measure.MeasuringException
import dev.arrowdevice.benchmarks.measure.Sample

/** Something of a name that stands for its figures in [instrumentOf]; nothing is run. */
internal fun madeUp(name: String): Jmh = Jmh(Any::class.java, name)

/** A task whose sides are `NAME-ours` and `NAME-peer`. */
internal fun madeUpTask(
    name: String,
    budget: Double? = null,
    ratio: Ratio = Ratio.TimesAsFast,
    obstacle: String? = null,
    peer: String = "them",
): Task =
    Task(
        name,
        "what $name is",
        madeUp("$name-ours"),
        Peer(peer, madeUp("$name-peer")).takeIf { ratio.needsPeer },
        ratio,
        budget,
        obstacle = { obstacle },
    )

/** An instrument that sees these nanoseconds, one after the other, then the last one again; fails for what isn't there. */
internal fun instrumentOf(vararg figures: Pair<String, List<Double>>): Instrument {
    val left = figures.associate { (name, nanos) -> name to nanos.toMutableList() }
    return Instrument { task ->
        val forks =
            task.sides.map { side ->
                val name = (side as Jmh).method
                val nanos = left[name] ?: throw MeasuringException("$name failed: out of order")
                Fork(listOf(if (nanos.size > 1) nanos.removeFirst() else nanos.first()), heapBytes = 100.0)
            }
        Sample(forks.first(), forks.getOrNull(1))
    }
}
