package dev.arrowdevice.benchmarks.report

/** Groups of tasks that are too small for a section of their own, with the section that they belong to. */
private val joined: Map<String, String> =
    mapOf(
        "slice" to "exchange",
        "c" to "native",
        "cpp" to "native",
        "threads" to "scaling",
        "memory" to "garbage",
        "flow" to "streams",
        "stream" to "streams",
        "async" to "streams",
        "gpu" to "device",
    )

/** Tasks that are read together: a heading of the table with its pictures. */
internal class Section(
    val name: String,
    val lines: List<Line>,
) {
    /** One picture for each unit of at least two lines. A single line needs no picture. */
    val pictures: List<Picture> =
        lines
            .filter { it.ratio != null }
            .groupBy { it.measure }
            .filterValues { it.size > 1 }
            .map { (measure, lines) -> Picture(name, measure, lines) }
}

/** The lines by the part of their names before the slash, in the order of the run. */
internal fun Results.sections(): List<Section> =
    lines
        .groupBy { line -> line.name.substringBefore('/').let { joined[it] ?: it } }
        .map { (name, lines) -> Section(name, lines) }
