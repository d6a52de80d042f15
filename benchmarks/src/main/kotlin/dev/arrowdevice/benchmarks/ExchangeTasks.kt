package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.exchange.Alone
import dev.arrowdevice.benchmarks.exchange.ArrayRoundTrip
import dev.arrowdevice.benchmarks.exchange.ArrowJavaArrayRoundTrip
import dev.arrowdevice.benchmarks.exchange.ArrowJavaBatchRoundTrip
import dev.arrowdevice.benchmarks.exchange.ArrowJavaSchemaRoundTrip
import dev.arrowdevice.benchmarks.exchange.ArrowJavaSliceRoundTrip
import dev.arrowdevice.benchmarks.exchange.BatchRoundTrip
import dev.arrowdevice.benchmarks.exchange.Ends.Side
import dev.arrowdevice.benchmarks.exchange.Kind
import dev.arrowdevice.benchmarks.exchange.SchemaRoundTrip
import dev.arrowdevice.benchmarks.exchange.SliceRoundTrip

private val arrays: List<Task> =
    listOf(
        array("int32", "an int32 array of 1,000 rows", budget = 8.0),
        array("int32-schema", "an int32 array with its schema", "withSchema", budget = 8.0, quick = false),
        array("int32-struct-reused", "an int32 array, in a struct that is there already", "structReused"),
        array("int32-1-row", "an int32 array of 1 row", rows = 1),
        array("int32-10M-rows", "an int32 array of 10 million rows", rows = 10_000_000),
        array("int32-nulls-1", "an int32 array with 1 % nulls", nulls = 1),
        array("int32-nulls-50", "an int32 array with 50 % nulls", nulls = 50),
        array("utf8-short", "an array of strings of 8 bytes", kind = Kind.UTF8_SHORT),
        array("utf8-long", "an array of strings of 200 bytes", kind = Kind.UTF8_LONG),
        array("nested-1", "an int32 in a struct", kind = Kind.NESTED_1),
        array("nested-4", "an int32 in 4 structs, one within the other", kind = Kind.NESTED_4),
        array("nested-16", "an int32 in 16 structs, one within the other", kind = Kind.NESTED_16),
        array("nested-16-schema", "an int32 in 16 structs with its schema", "withSchema", kind = Kind.NESTED_16),
    )

private fun array(
    name: String,
    what: String,
    method: String = "typeKnown",
    kind: Kind = Kind.INT32,
    rows: Int = 1000,
    nulls: Int = 0,
    budget: Double? = null,
    quick: Boolean = budget != null,
): Task {
    val parameters = arrayOf("kind" to kind, "rows" to rows, "nulls" to nulls)
    return Task(
        "exchange/$name",
        "export, import and release of $what",
        jmh<ArrayRoundTrip>(method, *parameters),
        Peer("arrow-java", jmh<ArrowJavaArrayRoundTrip>(method, *parameters)),
        budget = budget,
        quick = quick,
    )
}

private val batches: List<Task> =
    listOf(
        batch("batch-1", "a batch of 1 column", Kind.COLUMNS_1),
        batch("batch-10", "a batch of 10 columns", Kind.COLUMNS_10),
        batch("batch-100", "a batch of 100 columns", Kind.COLUMNS_100, budget = 8.0),
        batch("batch-1000", "a batch of 1,000 columns", Kind.COLUMNS_1000),
        batch("batch-10-schema", "a batch of 10 columns with its schema", Kind.COLUMNS_10, "withSchema"),
        batch(
            "batch-100-schema",
            "a batch of 100 columns with its schema",
            Kind.COLUMNS_100,
            "withSchema",
            budget = 8.0,
        ),
    )

private fun batch(
    name: String,
    what: String,
    kind: Kind,
    method: String = "schemaKnown",
    budget: Double? = null,
): Task =
    Task(
        "exchange/$name",
        "export, import and release of $what",
        jmh<BatchRoundTrip>(method, "kind" to kind),
        Peer("arrow-java", jmh<ArrowJavaBatchRoundTrip>(method, "kind" to kind)),
        budget = budget,
    )

private val schemas: List<Task> =
    listOf(10 to Kind.COLUMNS_10, 100 to Kind.COLUMNS_100).map { (fields, kind) ->
        Task(
            "exchange/schema-$fields",
            "export, import and release of a schema of $fields fields",
            jmh<SchemaRoundTrip>("exchange", "kind" to kind),
            Peer("arrow-java", jmh<ArrowJavaSchemaRoundTrip>("exchange", "kind" to kind)),
        )
    }

/** What is measured, by the name of JMH's method. */
private val alone =
    mapOf(
        "exported" to "export of %s",
        "released" to "release by C of %s that was exported",
        "imported" to "import from C of %s",
        "closed" to "closing of %s that was imported from C",
    )

private val parts: List<Task> =
    part("int32", "an int32 array", Kind.INT32, Side.ARRAYS, Side.ARROW_JAVA_ARRAYS) +
        part("batch-100", "a batch of 100 columns", Kind.COLUMNS_100, Side.BATCHES, Side.ARROW_JAVA_BATCHES)

private fun part(
    name: String,
    what: String,
    kind: Kind,
    ours: Side,
    theirs: Side,
): List<Task> =
    alone.map { (method, sentence) ->
        Task(
            "exchange/$name-$method",
            sentence.format(what) + ", alone",
            jmh<Alone>(method, "side" to ours, "kind" to kind),
            Peer("arrow-java", jmh<Alone>(method, "side" to theirs, "kind" to kind)),
            obstacle = ::lackOfCompiler,
        )
    }

private val slices: List<Task> =
    listOf(
        slice(
            "exchange/int32-slice",
            "slice of an int32 array with 10 % nulls, its export, import and release",
            "exchanged",
        ),
        slice("slice/int32", "slice of an int32 array with 10 % nulls, made and closed", "sliced"),
    )

private fun slice(
    name: String,
    what: String,
    method: String,
) = Task(name, what, jmh<SliceRoundTrip>(method), Peer("arrow-java", jmh<ArrowJavaSliceRoundTrip>(method)))

internal val exchangeTasks: List<Task> = arrays + batches + schemas + parts + slices
