package dev.arrowdevice.benchmarks.report

import com.github.ajalt.mordant.rendering.TextAlign
import com.github.ajalt.mordant.rendering.TextColors
import com.github.ajalt.mordant.rendering.Whitespace
import com.github.ajalt.mordant.table.Borders
import com.github.ajalt.mordant.table.table
import com.github.ajalt.mordant.terminal.Terminal
import java.util.Locale

/** Prints one line for each task. */
internal fun Terminal.printTable(results: Results) {
    println(
        table {
            // On a narrow terminal a cell takes several lines instead of losing its end.
            whitespace = Whitespace.NORMAL
            tableBorders = Borders.NONE
            cellBorders = Borders.TOP_BOTTOM
            (1..3).forEach { column(it) { align = TextAlign.RIGHT } }
            column(5) { align = TextAlign.RIGHT }
            header {
                row("task", "arrow-device", "peer", "ratio", "budget", "bytes an operation") {
                    align =
                        TextAlign.LEFT
                }
            }
            body {
                results.lines.forEach { line ->
                    row {
                        cell(line.name)
                        cell(line.oursText())
                        cell(line.peerText())
                        cell(line.ratioText())
                        cell(listOfNotNull(line.allowed, line.verdict().ifEmpty { null }).joinToString(" ")) {
                            line.colour()?.let { style = it }
                        }
                        cell(line.bytesText())
                    }
                }
            }
        },
    )
    printTroubles(results)
}

/** Prints one line for each task with a budget that this machine can run; one that failed has the ratio 0. */
internal fun Terminal.printQuickLines(results: Results) {
    results.lines.filter { it.budget != null && it.obstacle == null }.forEach { println(it.quickLine()) }
    printTroubles(results)
}

private fun Line.quickLine(): String {
    val ratio = String.format(Locale.ROOT, "%.3f", ratio ?: 0.0)
    return "budget $name ratio=$ratio budget=${checkNotNull(budget).short()} ${if (met == true) "met" else "missed"}"
}

private fun Terminal.printTroubles(results: Results) {
    results.lines.forEach { line ->
        line.failure?.let { println("${line.name} failed: $it", stderr = true) }
        line.obstacle?.let { println("${line.name} was not measured: $it", stderr = true) }
    }
}

private fun Line.colour() =
    when {
        failure != null || met == false -> TextColors.red
        met == true -> TextColors.green
        else -> null
    }
