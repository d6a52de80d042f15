package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.data.ClassRows

/** The number of objects. One operation is one object. */
private const val ROWS = 100_000

/** At most half as long again as by hand. */
private const val NEARLY_BY_HAND = 0.67

private fun classTask(
    name: String,
    what: String,
    method: String,
) = Task(
    "data/$name",
    "$what of ten properties: four integers, two float64, two booleans and two texts, beside the columns by hand",
    jmh<ClassRows>(method, "rows" to ROWS, operations = ROWS.toLong()),
    Peer("the DSL", jmh<ClassRows>("${method}ByHand", "rows" to ROWS, operations = ROWS.toLong())),
    budget = NEARLY_BY_HAND,
    quick = false,
)

/** Classes as rows of batches. */
internal val classTasks: List<Task> =
    listOf(
        classTask("classes-to-batch", "an object of a list that becomes a batch,", "toBatch"),
        classTask("batch-to-classes", "an object that is read from a batch,", "toList"),
    )
