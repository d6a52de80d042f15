package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.data.ArrowJavaBatchBuilds
import dev.arrowdevice.benchmarks.data.ArrowJavaIntBuilds
import dev.arrowdevice.benchmarks.data.ArrowJavaListReads
import dev.arrowdevice.benchmarks.data.ArrowJavaLongReads
import dev.arrowdevice.benchmarks.data.ArrowJavaStringBuilds
import dev.arrowdevice.benchmarks.data.ArrowJavaStringReads
import dev.arrowdevice.benchmarks.data.BatchBuilds
import dev.arrowdevice.benchmarks.data.IntBuilds
import dev.arrowdevice.benchmarks.data.ListReads
import dev.arrowdevice.benchmarks.data.LongCopies
import dev.arrowdevice.benchmarks.data.LongLoops
import dev.arrowdevice.benchmarks.data.LongReads
import dev.arrowdevice.benchmarks.data.NullableReads
import dev.arrowdevice.benchmarks.data.StringBuilds
import dev.arrowdevice.benchmarks.data.StringReads
import dev.arrowdevice.benchmarks.data.Validations

/** What one operation is of all values of an array, so that the table says what a value costs. */
private const val ROWS = 10_000_000

/** Where a row takes longer. */
private const val FEWER_ROWS = 1_000_000

private const val MEGABYTES = 50

/** Characters of a string, and how many such strings there are. */
private val texts = mapOf("short" to (8 to 1_000_000), "long" to (200 to 100_000))

private val longArray = Peer("LongArray", jmh<LongLoops>("longArray", "rows" to ROWS, operations = ROWS.toLong()))

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
            longArray,
            budget = 0.95,
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
            "a value of an imported int64 array in a sum, by the iterator of a Kotlin column, which boxes",
            longRead("kotlinIterator", rows = FEWER_ROWS),
            Peer("LongArray.asList", jmh<LongLoops>("boxes", "rows" to FEWER_ROWS, operations = FEWER_ROWS.toLong())),
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
            "a value of an imported int64 array in a sum, by getters that hold the array each by itself",
            longRead("byElementUnborrowed", rows = FEWER_ROWS),
            arrowJavaRead("get", nullEvery = 0, rows = FEWER_ROWS),
        ),
        Task(
            "read/int64-slice",
            "a value of an imported int64 array in a sum, by element, of a slice from the third row on",
            longRead("byElement", offset = 3),
            Peer("not sliced", longRead("byElement")),
        ),
    )

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

        fun read(
            task: String,
            how: String,
            method: String,
        ) = Task(
            task,
            "a string of $size characters of an imported utf8 array, $how",
            jmh<StringReads>(method, "rows" to rows, "size" to size, operations = rows.toLong()),
            Peer(
                "arrow-java",
                jmh<ArrowJavaStringReads>("byElement", "rows" to rows, "size" to size, operations = rows.toLong()),
            ),
        )
        listOf(
            read("read/utf8-$name", "by element", "byElement"),
            read("read/utf8-$name-iterator", "by the iterator of a Kotlin column", "kotlinIterator"),
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
        ),
    )

private val builds: List<Task> =
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
            "setSafe",
        ),
    ) +
        texts.map { (name, text) ->
            val (size, rows) = text
            Task(
                "build/utf8-$name",
                "a string of $size characters of a utf8 array, in the DSL",
                jmh<StringBuilds>("dsl", "rows" to rows, "size" to size, operations = rows.toLong()),
                Peer(
                    "arrow-java",
                    jmh<ArrowJavaStringBuilds>("setSafe", "rows" to rows, "size" to size, operations = rows.toLong()),
                ),
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

/** A copy holds the memory while it runs, which costs a fifth of so small a copy: the budget is one of bulk. */
private val copies: List<Task> =
    listOf("1k" to 1_000, "64k" to 65_536, "10M" to ROWS).flatMap { (name, rows) ->
        val budget = if (rows == 1_000) null else 0.9
        val byteBuffer = { method: String -> Peer("ByteBuffer", jmh<LongCopies>(method, "rows" to rows)) }
        listOf(
            Task(
                "copy/to-array-$name",
                "copy of $rows values of an imported int64 array to a LongArray",
                jmh<LongCopies>("toPrimitives", "rows" to rows),
                Peer("arraycopy", jmh<LongCopies>("arraycopy", "rows" to rows)),
                budget = budget,
            ),
            Task(
                "copy/from-array-$name",
                "copy of $rows values of a LongArray to host memory",
                jmh<LongCopies>("fromPrimitives", "rows" to rows),
                Peer("arraycopy", jmh<LongCopies>("arraycopy", "rows" to rows)),
                budget = budget,
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

/** A microsecond for a megabyte is a millisecond for a gigabyte. */
private val validations: List<Task> =
    listOf("int32", "utf8-short", "utf8-long", "dictionary", "list").map { kind ->
        Task(
            "validate/$kind",
            "import with full validation, a megabyte",
            jmh<Validations>(
                "imported",
                "kind" to kind,
                "level" to "FULL",
                "megabytes" to MEGABYTES,
                operations = MEGABYTES.toLong(),
            ),
            Peer(
                "sum of its longs",
                jmh<LongLoops>("longArray", "rows" to MEGABYTES * 1_000_000 / 8, operations = MEGABYTES.toLong()),
            ),
        )
    } +
        Task(
            "validate/structure",
            "export and import of a utf8 array with validation of the structure, of any size",
            jmh<Validations>("imported", "kind" to "utf8-short", "level" to "STRUCTURE", "megabytes" to 1),
            Peer(
                "no validation",
                jmh<Validations>("imported", "kind" to "utf8-short", "level" to "NONE", "megabytes" to 1),
            ),
        )

internal val dataTasks: List<Task> =
    reads + nullableReads + textReads + listReads + builds + copies + validations
