package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.data.ArrowJavaListReads
import dev.arrowdevice.benchmarks.data.ArrowJavaLongReads
import dev.arrowdevice.benchmarks.data.ArrowJavaStringReads
import dev.arrowdevice.benchmarks.data.ListReads
import dev.arrowdevice.benchmarks.data.LongCopies
import dev.arrowdevice.benchmarks.data.LongLoops
import dev.arrowdevice.benchmarks.data.LongReads
import dev.arrowdevice.benchmarks.data.NullableReads
import dev.arrowdevice.benchmarks.data.StringReads

/** The number of values of an array. One operation is one value, so that the table has the cost of a value. */
private const val ROWS = 10_000_000

/** An array this small stays in the cache. */
private const val CACHED_ROWS = 100_000

/** For tasks in which a row takes longer. */
private const val FEWER_ROWS = 1_000_000

/** The length of a string, and the number of such strings. */
internal val texts: Map<String, Pair<Int, Int>> = mapOf("short" to (8 to 1_000_000), "long" to (200 to 100_000))

private val longArray = longArray(ROWS)

private fun longArray(rows: Int) =
    Peer("LongArray", jmh<LongLoops>("longArray", "rows" to rows, operations = rows.toLong()))

private val boxes =
    Peer("LongArray.asList", jmh<LongLoops>("boxes", "rows" to FEWER_ROWS, operations = FEWER_ROWS.toLong()))

private val reads: List<Task> =
    listOf(
        Task(
            "read/int64",
            "a value of an imported int64 array in a sum, by element",
            longRead("byElement"),
            longArray,
            budget = 0.95,
        ),
        Task(
            "read/int64-bulk",
            "a value of an imported int64 array in a sum, by chunks that are copied to an array",
            longRead("inBulk"),
            Peer("arraycopy", jmh<LongLoops>("inBulk", "rows" to ROWS, operations = ROWS.toLong())),
            budget = 0.95,
        ),
        Task(
            "read/int64-bulk-sum",
            "a value of an imported int64 array in a sum, by chunks that are copied to an array, beside a sum in place",
            longRead("inBulk"),
            longArray,
            budget = 0.55,
        ),
        Task(
            "read/int64-kotlin",
            "a value of an imported int64 array in a sum, by that of a Kotlin column",
            longRead("kotlinSum"),
            longArray,
            budget = 0.95,
        ),
        Task(
            "read/int64-for-each",
            "a value of an imported int64 array in a sum, by forEachValue of a Kotlin column",
            longRead("kotlinForEach"),
            longArray,
        ),
        Task(
            "read/int64-iterator",
            "a value of an imported int64 array in a sum, by the iterator of a Kotlin column without nulls",
            longRead("kotlinIterator", rows = FEWER_ROWS),
            boxes,
            budget = 0.5,
            quick = false,
        ),
        Task(
            "read/int64-iterator-nullable",
            "a value of an imported int64 array in a sum, by the iterator of a Kotlin column, which boxes",
            longRead("kotlinNullableIterator", rows = FEWER_ROWS),
            boxes,
            budget = 0.29,
            quick = false,
        ),
        Task(
            "read/int64-arrow-java",
            "a value of an imported int64 array in a sum, by element",
            longRead("byElement"),
            arrowJavaRead("get", nullEvery = 0),
        ),
        Task(
            "read/int64-byte-buffer",
            "a value of an imported int64 array in a sum, by element",
            longRead("byElement"),
            Peer("ByteBuffer", jmh<LongLoops>("byteBuffer", "rows" to ROWS, operations = ROWS.toLong())),
        ),
        Task(
            "read/int64-unborrowed",
            "a value of an imported int64 array in a sum, by a getter per row in order, without a borrow",
            longRead("byElementUnborrowed", rows = FEWER_ROWS),
            arrowJavaRead("get", nullEvery = 0, rows = FEWER_ROWS),
            budget = 1.0,
        ),
        Task(
            "read/int64-slice",
            "a value of an imported int64 array in a sum, by element, of a slice from the third row on",
            longRead("byElement", offset = 3),
            Peer("not sliced", longRead("byElement")),
        ),
    )

private val cachedReads: List<Task> =
    listOf(
        Triple("", "byElement", "by element"),
        Triple("-bulk", "inBulk", "by chunks that are copied to an array"),
        Triple("-kotlin", "kotlinSum", "by that of a Kotlin column"),
    ).map { (suffix, method, how) ->
        Task(
            "read/int64-100k$suffix",
            "a value of an imported int64 array of 100,000 rows, which the cache holds, in a sum, $how",
            longRead(method, rows = CACHED_ROWS),
            longArray(CACHED_ROWS),
        )
    }

private fun longRead(
    method: String,
    offset: Int = 0,
    rows: Int = ROWS,
) = jmh<LongReads>(method, "rows" to rows, "offset" to offset, operations = rows.toLong())

private fun arrowJavaRead(
    method: String,
    nullEvery: Int,
    rows: Int = ROWS,
) = Peer(
    "arrow-java",
    jmh<ArrowJavaLongReads>(method, "rows" to rows, "nullEvery" to nullEvery, operations = rows.toLong()),
)

private val nullableReads: List<Task> =
    listOf(0 to 0, 1 to 100, 50 to 2).flatMap { (percent, nullEvery) ->
        fun ours(method: String) =
            jmh<NullableReads>(method, "rows" to ROWS, "nullEvery" to nullEvery, operations = ROWS.toLong())
        listOf(
            Task(
                "read/nulls-$percent",
                "a value of an imported int64 array with $percent % nulls, by element with isNull",
                ours("byElement"),
                arrowJavaRead("getIfNotNull", nullEvery),
            ),
            Task(
                "read/nulls-$percent-kotlin",
                "a value of an imported int64 array with $percent % nulls, by the sum of a Kotlin column",
                ours("kotlinSum"),
                arrowJavaRead("getIfNotNull", nullEvery),
            ),
        )
    }

private val textReads: List<Task> =
    texts.flatMap { (name, text) ->
        val (size, rows) = text
        listOf(
            textRead("read/utf8-$name", "by element", "byElement", size, rows),
            textRead("read/utf8-$name-iterator", "by the iterator of a Kotlin column", "kotlinIterator", size, rows),
            textRead("read/utf8-$name-non-ascii", "most not ASCII, by element", "byElement", size, rows, ascii = false),
        )
    }

private fun textRead(
    name: String,
    how: String,
    method: String,
    size: Int,
    rows: Int,
    ascii: Boolean = true,
): Task {
    val parameters = arrayOf("rows" to rows, "size" to size, "ascii" to ascii)
    return Task(
        name,
        "a string of $size characters of an imported utf8 array, $how",
        jmh<StringReads>(method, *parameters, operations = rows.toLong()),
        Peer("arrow-java", jmh<ArrowJavaStringReads>("byElement", *parameters, operations = rows.toLong())),
        budget = if (ascii) 1.1 else 1.5,
        quick = false,
    )
}

private val listReads: List<Task> =
    listOf(
        Task(
            "read/list",
            "the sum of a list of ten int64 of an imported array, by element",
            jmh<ListReads>("byElement", "rows" to FEWER_ROWS, operations = FEWER_ROWS.toLong()),
            Peer(
                "arrow-java",
                jmh<ArrowJavaListReads>("byElement", "rows" to FEWER_ROWS, operations = FEWER_ROWS.toLong()),
            ),
        ),
        Task(
            "read/list-boxed",
            "the sum of a list of ten int64 of an imported array, as a Kotlin list by the iterator of a column",
            jmh<ListReads>("kotlinIterator", "rows" to FEWER_ROWS, operations = FEWER_ROWS.toLong()),
            Peer(
                "arrow-java",
                jmh<ArrowJavaListReads>("byObject", "rows" to FEWER_ROWS, operations = FEWER_ROWS.toLong()),
            ),
            budget = 1.0,
        ),
    )

/**
 * A read of an array is begun and ended for each copy, which costs a fifth of 1,000 values. There the budget is that of
 * bulk reads.
 */
private val copies: List<Task> =
    listOf("1k" to 1_000, "64k" to 65_536, "10M" to ROWS).flatMap { (name, rows) ->
        val isBulk = rows > 1_000
        val byteBuffer = { method: String -> Peer("ByteBuffer", jmh<LongCopies>(method, "rows" to rows)) }
        listOf(
            Task(
                "copy/to-array-$name",
                "copy of $rows values of an imported int64 array to a LongArray",
                jmh<LongCopies>("toPrimitives", "rows" to rows),
                Peer("arraycopy", jmh<LongCopies>("arraycopy", "rows" to rows)),
                budget = if (isBulk) 0.9 else null,
            ),
            Task(
                "copy/from-array-$name",
                "copy of $rows values of a LongArray to host memory",
                jmh<LongCopies>("fromPrimitives", "rows" to rows),
                Peer("arraycopy", jmh<LongCopies>("arraycopy", "rows" to rows)),
                budget = 0.9,
                quick = isBulk,
            ),
            Task(
                "copy/to-array-$name-byte-buffer",
                "copy of $rows values of an imported int64 array to a LongArray",
                jmh<LongCopies>("toPrimitives", "rows" to rows),
                byteBuffer("fromByteBuffer"),
            ),
            Task(
                "copy/from-array-$name-byte-buffer",
                "copy of $rows values of a LongArray to host memory",
                jmh<LongCopies>("fromPrimitives", "rows" to rows),
                byteBuffer("toByteBuffer"),
            ),
            Task(
                "copy/new-array-$name",
                "an int64 array of $rows values of a LongArray",
                jmh<LongCopies>("toNewArray", "rows" to rows),
                Peer("LongArray.clone", jmh<LongCopies>("cloned", "rows" to rows)),
            ),
        )
    }

internal val dataTasks: List<Task> =
    reads + cachedReads + nullableReads + textReads + listReads + copies
