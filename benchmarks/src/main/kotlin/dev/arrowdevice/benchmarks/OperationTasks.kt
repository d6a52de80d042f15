package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.data.CppSelections
import dev.arrowdevice.benchmarks.data.Selections

/** At most 1.5 times as long as Arrow C++. */
private const val BUDGET = 0.67

/** What is selected from, and how many of them. One operation is one element that is looked at. */
private val arrays = mapOf("int64" to 10_000_000, "utf8-short" to 1_000_000)

private val whats = mapOf("int64" to "10 million int64", "utf8-short" to "a million strings of 8 characters")

private inline fun <reified T> selection(
    method: String,
    kind: String,
    percent: Int = 50,
): Jmh {
    val rows = arrays.getValue(kind)
    return jmh<T>(method, "kind" to kind, "rows" to rows, "percent" to percent, operations = rows.toLong())
}

private fun beside(
    name: String,
    what: String,
    method: String,
    kind: String,
    percent: Int = 50,
) = Task(
    name,
    what,
    selection<Selections>(method, kind, percent),
    Peer("Arrow C++", selection<CppSelections>(method, kind, percent)),
    budget = BUDGET,
    quick = false,
    obstacle = ::lackOfArrowCpp,
)

private val filters =
    arrays.keys.flatMap { kind ->
        listOf(1, 50, 99).map { percent ->
            beside(
                "operations/filter-$percent-$kind",
                "an element of ${whats[kind]}, of which a mask keeps $percent % at random",
                "filter",
                kind,
                percent,
            )
        }
    }

private val takes =
    arrays.keys.map { kind ->
        beside("operations/take-$kind", "an element of as many as ${whats[kind]}, at random indices", "take", kind)
    }

private val concats =
    listOf(
        beside(
            "operations/concat-utf8-short",
            "an element of a million strings of 8 characters, joined with themselves",
            "concat",
            "utf8-short",
        ),
        Task(
            "operations/concat-int64",
            "an element of 10 million int64, joined with themselves, beside copies of their bytes to new memory",
            selection<Selections>("concat", "int64"),
            Peer("memcpy", selection<Selections>("copy", "int64")),
            budget = 0.9,
            quick = false,
        ),
    )

/** Filter, take and concat beside the same by Arrow C++. */
internal val operationTasks: List<Task> = filters + takes + concats
