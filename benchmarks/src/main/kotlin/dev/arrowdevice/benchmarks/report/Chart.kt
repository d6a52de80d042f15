package dev.arrowdevice.benchmarks.report

import java.util.Locale

internal const val NO_BUDGET: String = "no budget"

private const val WIDTH = 960
private const val ROW_HEIGHT = 18
private const val HEAD_HEIGHT = 72
private const val FOOT_HEIGHT = 52
private const val MARGIN = 12
private const val VALUE_WIDTH = 64

/** The width of a character of the labels, which have a fixed-width font. */
private const val CHARACTER_WIDTH = 7.3

private const val LEGEND_ITEM_WIDTH = 90
private const val BUDGET = "budget"
private const val BUDGET_COLOUR = "#bf8700"

private val colours = mapOf("met" to "#1a7f37", "missed" to "#cf222e", NO_BUDGET to "#57606a")

/**
 * One row of a chart.
 *
 * @property text the value as text beside the row
 * @property verdict the meaning of the colour
 */
internal class Row(
    val label: String,
    val text: String,
    val verdict: String,
    val point: Point,
)

/**
 * Rows of points with errors and budgets over one axis, drawn as SVG. The same figures make the same text, so a changed
 * file means changed figures.
 *
 * @property tick the text at a tick
 * @property peer the value with a line through all rows
 */
internal class Chart(
    private val title: String,
    private val subtitle: String,
    private val axisTitle: String,
    private val axis: Axis,
    private val tick: (Double) -> String,
    private val peer: Double,
    private val rows: List<Row>,
) {
    private val left = MARGIN + rows.maxOf { it.label.length } * CHARACTER_WIDTH + MARGIN
    private val right = WIDTH - MARGIN - VALUE_WIDTH
    private val bottom = HEAD_HEIGHT + rows.size * ROW_HEIGHT
    private val height = bottom + FOOT_HEIGHT

    fun svg(): String =
        buildString {
            append("""<svg xmlns="http://www.w3.org/2000/svg" """)
            appendLine("""width="$WIDTH" height="$height" viewBox="0 0 $WIDTH $height">""")
            appendLine(
                "<style>text{font:12px sans-serif;fill:#24292f}.label{font:12px monospace}" +
                    ".title{font:bold 15px sans-serif}.middle{text-anchor:middle}.end{text-anchor:end}</style>",
            )
            appendLine("""<rect width="$WIDTH" height="$height" fill="#ffffff"/>""")
            text(MARGIN, 22, title, "title")
            text(MARGIN, 42, subtitle)
            legend()
            scale()
            rows.forEachIndexed { index, row -> row(row, HEAD_HEIGHT + index * ROW_HEIGHT + ROW_HEIGHT / 2) }
            append("</svg>")
        }

    private fun StringBuilder.legend() {
        val names = colours.keys.filter { name -> rows.any { it.verdict == name } }
        val shown = if (rows.any { it.point.budget != null }) names + BUDGET else names
        shown.forEachIndexed { index, name ->
            val x = WIDTH - MARGIN - (shown.size - index) * LEGEND_ITEM_WIDTH
            if (name == BUDGET) diamond(x.toDouble(), 38) else dot(x.toDouble(), 38, colours.getValue(name))
            text(x + 10, 42, name)
        }
        text(WIDTH - MARGIN, 22, "dot: measured, line: 95 % confidence", "end")
    }

    private fun StringBuilder.scale() {
        axis.ticks.forEach {
            line(x(it), HEAD_HEIGHT, x(it), bottom, "#eaeef2", 1.0)
            text(x(it), bottom + 18, tick(it), "middle")
        }
        line(x(peer), HEAD_HEIGHT, x(peer), bottom, "#8c959f", 1.5)
        line(left, bottom, right.toDouble(), bottom, "#8c959f", 1.0)
        text((left + right) / 2, bottom + 40, axisTitle, "middle")
    }

    private fun StringBuilder.row(
        row: Row,
        y: Int,
    ) {
        val colour = colours.getValue(row.verdict)
        text(left - MARGIN, y + 4, row.label, "label end")
        line(x(row.point.low), y, x(row.point.high), y, colour, 2.0)
        dot(x(row.point.value), y, colour)
        row.point.budget?.let { diamond(x(it), y) }
        text(WIDTH - MARGIN, y + 4, row.text, "label end")
    }

    private fun x(value: Double): Double = left + axis.position(value) * (right - left)

    private fun StringBuilder.text(
        x: Number,
        y: Int,
        text: String,
        style: String = "",
    ) {
        val type = if (style.isEmpty()) "" else """ class="$style""""
        appendLine("""<text x="${x.pixels()}" y="$y"$type>${text.escaped()}</text>""")
    }

    private fun StringBuilder.line(
        fromX: Double,
        fromY: Int,
        toX: Double,
        toY: Int,
        colour: String,
        width: Double,
    ) {
        appendLine(
            """<line x1="${fromX.pixels()}" y1="$fromY" x2="${toX.pixels()}" y2="$toY" stroke="$colour" stroke-width="$width"/>""",
        )
    }

    private fun StringBuilder.dot(
        x: Double,
        y: Int,
        colour: String,
    ) {
        appendLine("""<circle cx="${x.pixels()}" cy="$y" r="4" fill="$colour"/>""")
    }

    private fun StringBuilder.diamond(
        x: Double,
        y: Int,
    ) {
        appendLine(
            """<path d="M${x.pixels()} ${y - 6}l6 6l-6 6l-6 -6z" fill="none" stroke="$BUDGET_COLOUR" stroke-width="1.5"/>""",
        )
    }
}

private fun Number.pixels(): String = String.format(Locale.ROOT, "%.1f", toDouble())

private fun String.escaped(): String = replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
