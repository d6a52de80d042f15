package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.data.ArrowJavaBatchBuilds
import dev.arrowdevice.benchmarks.data.ArrowJavaIntBuilds
import dev.arrowdevice.benchmarks.data.ArrowJavaStringBuilds
import dev.arrowdevice.benchmarks.data.BatchBuilds
import dev.arrowdevice.benchmarks.data.IntBuilds
import dev.arrowdevice.benchmarks.data.StringBuilds

/** The number of values of an array. One operation is one value. */
private const val ROWS = 10_000_000

/** The number of rows of a batch. */
private const val FEWER_ROWS = 1_000_000

internal val buildTasks: List<Task> =
    listOf(
        intBuild(
            "build/int32",
            "a value of a growing int32 array, 10 % nulls, by element in the DSL",
            "dsl",
            "setSafe",
            2.0,
        ),
        intBuild(
            "build/int32-reserved",
            "a value of an int32 array with room for all, 10 % nulls, by element in the DSL",
            "dslReserved",
            "set",
        ),
        intBuild(
            "build/int32-java",
            "a value of a growing int32 array, 10 % nulls, by element in the Java builder",
            "builder",
            "setSafe",
        ),
        intBuild(
            "build/int32-bulk",
            "a value of an int32 array, 10 % nulls, at once of an IntArray and a BooleanArray",
            "inBulk",
            "set",
        ),
    ) +
        texts.flatMap { (name, text) ->
            val (size, rows) = text
            listOf(
                textBuild("build/utf8-$name", "in the DSL", "dsl", size, rows, if (name == "short") 1.0 else null),
                textBuild("build/utf8-$name-bulk", "at once of a List", "inBulk", size, rows),
            )
        } +
        Task(
            "build/batch",
            "a row of a batch of int64, nullable int32, float64, bool and utf8, in the DSL",
            jmh<BatchBuilds>("dsl", "rows" to FEWER_ROWS, operations = FEWER_ROWS.toLong()),
            Peer(
                "arrow-java",
                jmh<ArrowJavaBatchBuilds>("setSafe", "rows" to FEWER_ROWS, operations = FEWER_ROWS.toLong()),
            ),
        )

private fun intBuild(
    name: String,
    what: String,
    ours: String,
    peers: String,
    budget: Double? = null,
) = Task(
    name,
    what,
    jmh<IntBuilds>(ours, "rows" to ROWS, operations = ROWS.toLong()),
    Peer("arrow-java", jmh<ArrowJavaIntBuilds>(peers, "rows" to ROWS, operations = ROWS.toLong())),
    budget = budget,
)

private fun textBuild(
    name: String,
    how: String,
    method: String,
    size: Int,
    rows: Int,
    budget: Double? = null,
) = Task(
    name,
    "a string of $size characters of a utf8 array, $how",
    jmh<StringBuilds>(method, "rows" to rows, "size" to size, operations = rows.toLong()),
    Peer(
        "arrow-java",
        jmh<ArrowJavaStringBuilds>("setSafe", "rows" to rows, "size" to size, operations = rows.toLong()),
    ),
    budget = budget,
    quick = false,
)
