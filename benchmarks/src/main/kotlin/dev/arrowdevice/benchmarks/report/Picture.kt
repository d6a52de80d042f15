package dev.arrowdevice.benchmarks.report

/** The rows of one section with the same unit, which is that of the picture's axis. */
internal class Picture(
    private val section: String,
    private val measure: Measure,
    private val lines: List<Line>,
) {
    val file: String = section + measure.suffix + ".svg"

    /** A description for readers who can't see the picture. */
    val description: String = "$section: ${measure.axisTitle}"

    private val severalPeers = lines.mapNotNull { it.peer?.name }.distinct().size > 1

    /** The picture as SVG: one row for each line, with its error and its budget. */
    fun svg(run: Run): String {
        val points = lines.map { it.point() }
        val values = points.flatMap { it.all } + measure.peer
        return Chart(
            title = section,
            subtitle = "run of ${run.date} at commit ${run.commit}",
            axisTitle = measure.axisTitle,
            axis = if (measure == Measure.TIMES_AS_FAST) Axis.logarithmic(values) else Axis.linear(values),
            tick = measure::text,
            peer = measure.peer,
            rows = lines.zip(points).map { (line, point) -> row(line, point) },
        ).svg()
    }

    private fun row(
        line: Line,
        point: Point,
    ): Row =
        Row(
            label = if (severalPeers) "${line.name} (${line.peer?.name})" else line.name,
            text = measure.text(point.value),
            verdict = line.verdict().ifEmpty { NO_BUDGET },
            point = point,
        )
}

/** The positions of a line and its budget on the axis. */
internal class Point(
    val value: Double,
    val low: Double,
    val high: Double,
    val budget: Double?,
) {
    val all get() = listOfNotNull(value, low, high, budget)
}

/** A ratio is shown as it is. For a ratio of an allowance, the axis shows what was used. */
private fun Line.point(): Point {
    val ratio = checkNotNull(ratio)
    val low = low ?: ratio
    val high = high ?: ratio
    if (measure == Measure.TIMES_AS_FAST) return Point(ratio, low, high, budget)
    val allowance = checkNotNull(allowance) { "$name has no allowance" }
    return Point(allowance / ratio, allowance / high, allowance / low, budget?.let { allowance / it })
}

private val Measure.suffix: String
    get() =
        when (this) {
            Measure.TIMES_AS_FAST -> ""
            Measure.TIME_ABOVE_PEER -> "-above-peer"
            Measure.HEAP -> "-heap"
            Measure.GROWTH -> "-growth"
        }

private val Measure.axisTitle: String
    get() =
        when (this) {
            Measure.TIMES_AS_FAST -> "times as fast as the peer (logarithmic axis); more is better, 1 is as fast"
            Measure.TIME_ABOVE_PEER -> "time of an operation above the peer's (linear axis); less is better"
            Measure.HEAP -> "heap that an operation allocates (linear axis); less is better"
            Measure.GROWTH -> "native memory by which the process grew (linear axis); less is better"
        }

private fun Measure.text(value: Double): String =
    when (this) {
        Measure.TIMES_AS_FAST -> "${value.short()}×"
        Measure.TIME_ABOVE_PEER -> value.asTime()
        Measure.HEAP, Measure.GROWTH -> value.asBytes()
    }

/** The value at which our side equals the peer's, or uses nothing. */
private val Measure.peer: Double
    get() = if (this == Measure.TIMES_AS_FAST) 1.0 else 0.0
