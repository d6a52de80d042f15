package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.exchange.ArrayRoundTrip
import dev.arrowdevice.benchmarks.exchange.BatchRoundTrip
import dev.arrowdevice.benchmarks.exchange.Kind
import dev.arrowdevice.benchmarks.exchange.Outstanding

private val columns: List<Task> =
    listOf(
        Task(
            "scaling/columns-100",
            "a column in a batch of 100 columns, exported, imported and released",
            batch(Kind.COLUMNS_100, 100),
            Peer("10 columns", batch(Kind.COLUMNS_10, 10)),
            budget = FLAT,
        ),
        Task(
            "scaling/columns-1000",
            "a column in a batch of 1,000 columns, exported, imported and released",
            batch(Kind.COLUMNS_1000, 1000),
            Peer("10 columns", batch(Kind.COLUMNS_10, 10)),
            budget = FLAT,
        ),
    )

private fun batch(
    kind: Kind,
    columns: Long,
) = jmh<BatchRoundTrip>("schemaKnown", "kind" to kind, operations = columns)

/** A column or an array must cost the same among many as among few. The rest is for caches and noise. */
private const val FLAT = 0.8

private val arrays: List<Task> =
    listOf(
        Task(
            "scaling/outstanding-1000",
            "an int32 array, exported, imported and released while 1,000 are outstanding",
            outstanding(1_000),
            Peer("10 outstanding", outstanding(10)),
            budget = FLAT,
            quick = false,
        ),
        Task(
            "scaling/outstanding-100000",
            "an int32 array, exported, imported and released while 100,000 are outstanding",
            outstanding(100_000),
            Peer("10 outstanding", outstanding(10)),
            budget = FLAT,
            quick = false,
        ),
    )

private fun outstanding(count: Int) = jmh<Outstanding>("exchange", "count" to count, operations = count.toLong())

/** The bytes of heap that an exchanged batch may leave as garbage. */
private const val GARBAGE = 1024.0

private val garbage: List<Task> =
    listOf(
        Task(
            "garbage/int32",
            "heap that the exchange of an int32 array leaves as garbage",
            jmh<ArrayRoundTrip>("typeKnown"),
            peer = null,
            Ratio.Garbage(GARBAGE),
            budget = 1.0,
        ),
        Task(
            "garbage/batch-1",
            "heap that the exchange of a batch of 1 column leaves as garbage",
            jmh<BatchRoundTrip>("schemaKnown", "kind" to Kind.COLUMNS_1),
            peer = null,
            Ratio.Garbage(GARBAGE),
            budget = 1.0,
        ),
        Task(
            "garbage/batch-10",
            "heap that the exchange of a batch of 10 columns leaves as garbage",
            jmh<BatchRoundTrip>("schemaKnown", "kind" to Kind.COLUMNS_10),
            peer = null,
            Ratio.Garbage(GARBAGE),
        ),
    )

internal val scalingTasks: List<Task> = columns + arrays + garbage
