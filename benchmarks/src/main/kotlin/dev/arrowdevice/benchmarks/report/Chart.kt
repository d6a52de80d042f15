package dev.arrowdevice.benchmarks.report

import org.jetbrains.letsPlot.commons.encoding.UnsupportedRGBEncoder
import org.jetbrains.letsPlot.core.util.PlotSvgExportCommon
import org.jetbrains.letsPlot.geom.geomPoint
import org.jetbrains.letsPlot.geom.geomSegment
import org.jetbrains.letsPlot.geom.geomVLine
import org.jetbrains.letsPlot.ggsize
import org.jetbrains.letsPlot.intern.toSpec
import org.jetbrains.letsPlot.label.ggtitle
import org.jetbrains.letsPlot.label.labs
import org.jetbrains.letsPlot.letsPlot
import org.jetbrains.letsPlot.scale.scaleColorManual
import org.jetbrains.letsPlot.scale.scaleXLog10
import org.jetbrains.letsPlot.scale.scaleYDiscrete
import org.jetbrains.letsPlot.themes.theme

private const val WIDTH = 900
private const val LINE_HEIGHT = 18
private const val FRAME_HEIGHT = 130

/** Lets-Plot cuts longer ones off at their end, where names differ. */
private const val LONGEST_LABEL = 20

/** The ratios with their errors, and the budgets, as SVG: one row for each line that has a ratio. */
internal fun Results.chart(): String {
    val shown = lines.filter { it.ratio != null }
    // The lowest is the first of the scale.
    val names = shown.map { it.name }.reversed()
    val ratios =
        mapOf(
            "task" to shown.map { it.name },
            "ratio" to shown.map { it.ratio },
            "low" to shown.map { it.low ?: it.ratio },
            "high" to shown.map { it.high ?: it.ratio },
            "" to shown.map { it.verdict().ifEmpty { "no budget" } },
        )
    val withBudget = shown.filter { it.budget != null }
    val budgets =
        mapOf(
            "task" to withBudget.map { it.name },
            "budget" to withBudget.map { it.budget },
            "" to withBudget.map { "budget" },
        )
    val colours =
        mapOf(
            "met" to "#1a7f37",
            "missed" to "#cf222e",
            "no budget" to "#57606a",
            "budget" to "#bf8700",
        )
    val plot =
        letsPlot(ratios) +
            geomVLine(xintercept = 1, color = "#d0d7de") +
            geomSegment(size = 1.0) {
                x = "low"
                xend = "high"
                y = "task"
                yend = "task"
                color = ""
            } +
            geomPoint(size = 3.0) {
                x = "ratio"
                y = "task"
                color = ""
            } +
            geomPoint(data = budgets, shape = 5, size = 4.0) {
                x = "budget"
                y = "task"
                color = ""
            } +
            scaleColorManual(values = colours.values.toList(), limits = colours.keys.toList()) +
            scaleXLog10() +
            scaleYDiscrete(limits = names, breaks = names, labels = names.map(::shortened)) +
            theme().legendPositionTop() +
            ggtitle(
                "Times as good as the peer, or as the allowance; more is better",
                "${run.date}, ${run.commit}",
            ) +
            labs(x = "ratio, with 95 % confidence", y = "") +
            ggsize(WIDTH, LINE_HEIGHT * shown.size + FRAME_HEIGHT)
    return PlotSvgExportCommon.buildSvgImageFromRawSpecs(plot.toSpec(), null, UnsupportedRGBEncoder(), false)
}

/** The lines around it tell the group. */
private fun shortened(name: String) = if (name.length <= LONGEST_LABEL) name else "…/${name.substringAfter('/')}"
