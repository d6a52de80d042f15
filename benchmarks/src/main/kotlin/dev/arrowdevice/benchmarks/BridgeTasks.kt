package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.exchange.FromArrowJava
import dev.arrowdevice.benchmarks.exchange.Kind
import dev.arrowdevice.benchmarks.exchange.ToArrowJava

private val kinds = mapOf("batch-1" to Kind.COLUMNS_1, "batch-10" to Kind.COLUMNS_10, "batch-100" to Kind.COLUMNS_100)

private fun columns(kind: Kind): String {
    val count = kind.name.removePrefix("COLUMNS_")
    return if (count == "1") "1 column" else "$count columns"
}

private fun from(
    name: String,
    kind: Kind,
    withSchema: Boolean,
): Task {
    val suffix = if (withSchema) "WithSchema" else ""
    return Task(
        "arrow-java/from-$name" + if (withSchema) "-schema" else "",
        "a batch of a root of ${columns(kind)}${schemaOf(withSchema)}, and its release, beside the root's export alone",
        jmh<FromArrowJava>("bridge$suffix", "kind" to kind),
        Peer("arrow-java's export", jmh<FromArrowJava>("cData$suffix", "kind" to kind)),
        budget = 5.0.takeIf { kind == Kind.COLUMNS_100 },
        quick = kind == Kind.COLUMNS_100 && !withSchema,
    )
}

private fun to(
    name: String,
    kind: Kind,
    withSchema: Boolean,
): Task {
    val suffix = if (withSchema) "WithSchema" else ""
    return Task(
        "arrow-java/to-$name" + if (withSchema) "-schema" else "",
        "a root of a batch of ${columns(kind)}${schemaOf(withSchema)}, and its release, beside an export and import",
        jmh<ToArrowJava>("bridge$suffix", "kind" to kind),
        Peer("arrow-java's import", jmh<ToArrowJava>("cData$suffix", "kind" to kind)),
        budget = 1.5.takeIf { kind == Kind.COLUMNS_100 },
        quick = kind == Kind.COLUMNS_100 && !withSchema,
    )
}

private fun schemaOf(withSchema: Boolean) = if (withSchema) ", with its schema" else ""

/** The bridge to arrow-java, beside the way over the C interface. */
internal val bridgeTasks: List<Task> =
    listOf(false, true).flatMap { withSchema ->
        kinds.flatMap { (name, kind) -> listOf(from(name, kind, withSchema), to(name, kind, withSchema)) }
    }
