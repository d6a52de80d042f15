package dev.arrowdevice.benchmarks.report

import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The whole report as Markdown: a table for each section, under its pictures. */
internal fun Results.markdown(): String =
    buildString {
        appendLine("# Figures of a run")
        appendLine()
        appendLine(run.markdown())
        appendLine()
        appendLine("[What is measured, and how to read it](../performance.md#how-to-read-it)")
        sections().forEach { section ->
            appendLine()
            appendLine("## ${section.name}")
            appendLine()
            section.pictures.forEach { appendLine("![${it.description}](${it.file})\n") }
            append(section.table())
        }
    }

private fun Section.table(): String =
    buildString {
        appendLine("| task | arrow-device | peer | ratio | budget | heap an operation |")
        appendLine("| --- | ---: | --- | ---: | --- | ---: |")
        lines.forEach { line ->
            val budget = listOfNotNull(line.allowed, line.verdict().ifEmpty { null }).joinToString(", ")
            val cells =
                listOf(
                    "`${line.name}` ${line.what}",
                    line.oursText(),
                    line.peerText(),
                    line.ratioText(),
                    budget,
                    line.bytesText(),
                )
            appendLine(cells.asRow())
        }
    }

/** A line for each section with a link to its table, and the run. A page shows this of a report. */
internal fun Results.summary(): String =
    buildString {
        appendLine("| section | compared with | tasks | budgets |")
        appendLine("| --- | --- | ---: | --- |")
        sections().forEach { section ->
            val cells =
                listOf(
                    "[${section.name}](benchmarks/results.md#${section.name})",
                    section.lines
                        .mapNotNull { it.peer?.name }
                        .distinct()
                        .joinToString(),
                    section.lines.size.toString(),
                    section.budgets(),
                )
            appendLine(cells.asRow())
        }
        appendLine()
        appendLine(run.markdown())
    }

/** The number of budgets that are met, and the ones that are not. */
private fun Section.budgets(): String {
    val byVerdict = lines.filter { it.budget != null }.groupBy { it.verdict() }
    return byVerdict.entries
        .joinToString("; ") { (verdict, lines) ->
            if (verdict == "met") "${lines.size} met" else "$verdict: " + lines.joinToString { "`${it.name}`" }
        }.ifEmpty { "none" }
}

private fun List<String>.asRow(): String = joinToString(" | ", "| ", " |") { it.replace("|", "\\|").replace('\n', ' ') }

private fun Run.markdown(): String =
    "Seen on $date at commit $commit by `$command`, on $machine; $jdk; " +
        versions.entries.joinToString { "${it.key} ${it.value}" } +
        "; ${load.short()} threads were busy in the minute before."

/**
 * Writes a run's figures into a page, wherever the page quotes them: the [summary] between `<!-- benchmarks -->` and
 * `<!-- /benchmarks -->`, and one figure between `<!-- exchange/int32 ratio -->` and `<!-- / -->`. Instead of `ratio`
 * there may be `ours`, `peer` or `bytes`. So a page never has figures of different runs.
 *
 * @throws IllegalArgumentException if the page quotes a task that the run does not have
 */
internal fun Results.quoteIn(page: String): String {
    val withSummary = SUMMARY.replace(page) { "${it.groupValues[1]}\n${summary()}${it.groupValues[2]}" }
    return FIGURE.replace(withSummary) { match ->
        val (begin, name, figure, end) = match.destructured
        begin + figureOf(name, figure) + end
    }
}

/** [quoteIn] for a file; does nothing if there is none. */
internal fun Results.quoteIn(page: Path) {
    if (page.exists()) page.writeText(quoteIn(page.readText()))
}

private fun Results.figureOf(
    name: String,
    figure: String,
): String {
    val line = requireNotNull(lines.find { it.name == name }) { "a page quotes $name, which is no task of the run" }
    return when (figure) {
        "ours" -> line.oursText()
        "peer" -> line.peer?.nanos?.asTime() ?: "–"
        "bytes" -> line.bytesText()
        else -> line.ratio?.short() ?: "–"
    }
}

private val SUMMARY = Regex("(<!-- benchmarks -->).*?(<!-- /benchmarks -->)", RegexOption.DOT_MATCHES_ALL)
private val FIGURE = Regex("(<!-- (\\S+/\\S+) (ratio|ours|peer|bytes) -->)[^<]*(<!-- / -->)")
