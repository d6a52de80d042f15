package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.data.ArrowJavaValidations
import dev.arrowdevice.benchmarks.data.LongLoops
import dev.arrowdevice.benchmarks.data.Validations

/**
 * The size of an array. One operation is one megabyte. A microsecond for a megabyte is a millisecond for a gigabyte.
 */
private const val MEGABYTES = 50

private val sumOfLongs =
    Peer(
        "sum of its longs",
        jmh<LongLoops>("longArray", "rows" to MEGABYTES * 1_000_000 / 8, operations = MEGABYTES.toLong()),
    )

/** A description of what is validated, by its name. */
private val validated =
    mapOf(
        "int32" to "of int32 with 1 % nulls",
        "utf8-short" to "of strings of 8 characters",
        "utf8-long" to "of strings of 200 characters",
        "utf8-short-non-ascii" to "of strings of 8 characters, most not ASCII",
        "utf8-long-non-ascii" to "of strings of 200 characters, most not ASCII",
        "dictionary" to "of indices of a dictionary",
        "list" to "of lists of ten int64",
    )

private fun validation(
    name: String,
    kind: String,
    peer: Peer,
    budget: Double? = null,
) = Task(
    name,
    "import with full validation, a megabyte ${validated[kind]}",
    jmh<Validations>(
        "imported",
        "kind" to kind,
        "level" to "FULL",
        "megabytes" to MEGABYTES,
        operations = MEGABYTES.toLong(),
    ),
    peer,
    budget = budget,
)

/** Arrow Java validates the indices of a dictionary as numbers, without the dictionary. */
private val besideArrowJava: List<Task> =
    (validated.keys - "dictionary").map { kind ->
        val parameters = arrayOf("kind" to kind, "megabytes" to MEGABYTES)
        validation(
            "validate/$kind-arrow-java",
            kind,
            Peer("arrow-java", jmh<ArrowJavaValidations>("imported", *parameters, operations = MEGABYTES.toLong())),
            budget = if (kind.endsWith("non-ascii")) 3.0 else null,
        )
    }

private val structure =
    Task(
        "validate/structure",
        "export and import of a utf8 array with validation of the structure, of any size",
        jmh<Validations>("imported", "kind" to "utf8-short", "level" to "STRUCTURE", "megabytes" to 1),
        Peer(
            "no validation",
            jmh<Validations>("imported", "kind" to "utf8-short", "level" to "NONE", "megabytes" to 1),
        ),
    )

internal val validationTasks: List<Task> =
    validated.keys.map { validation("validate/$it", it, sumOfLongs) } + besideArrowJava + structure
