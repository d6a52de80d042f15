package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.exchange.ArrayRoundTrip
import dev.arrowdevice.benchmarks.exchange.BatchRoundTrip
import dev.arrowdevice.benchmarks.exchange.OneArray

/** Two threads compared with one: the ratio is 2 if they don't disturb each other. */
internal val threadTasks: List<Task> =
    listOf(
        onTwoThreads(
            "threads/export-import",
            "export, import and release of an int32 array on two threads, each of its own array",
            budget = 1.7,
        ) { jmh<ArrayRoundTrip>("typeKnown", threads = it) },
        onTwoThreads(
            "threads/export-import-batch-100",
            "export, import and release of a batch of 100 columns on two threads, each of its own batch",
            budget = 1.7,
            quick = false,
        ) { jmh<BatchRoundTrip>("schemaKnown", threads = it) },
        onTwoThreads(
            "threads/one-array",
            "export, import and release of an int32 array on two threads, both of the same array",
        ) { jmh<OneArray>("exchange", threads = it) },
    )

private fun onTwoThreads(
    name: String,
    what: String,
    budget: Double? = null,
    quick: Boolean = budget != null,
    on: (threads: Int) -> Measured,
) = Task(
    name,
    what,
    on(2),
    Peer("one thread", on(1)),
    budget = budget,
    quick = quick,
    obstacle = { if (Runtime.getRuntime().availableProcessors() > 1) null else "two threads need two cores" },
)
