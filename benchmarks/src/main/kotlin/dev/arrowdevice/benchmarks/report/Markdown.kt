package dev.arrowdevice.benchmarks.report

import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The table, with its run, as Markdown. */
internal fun Results.markdown(): String =
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
            appendLine(cells.joinToString(" | ", "| ", " |") { it.replace("|", "\\|").replace('\n', ' ') })
        }
        appendLine()
        appendLine(run.markdown())
    }

private fun Run.markdown(): String =
    "Seen on $date at commit $commit by `$command`, on $machine; $jdk; " +
        versions.entries.joinToString { "${it.key} ${it.value}" } +
        "; ${load.short()} threads were busy in the minute before."

/**
 * Writes a run's figures into a page, wherever the page quotes them: the table between `<!-- benchmarks -->` and
 * `<!-- /benchmarks -->`, and one figure between `<!-- exchange/int32 ratio -->` and `<!-- / -->`; instead of `ratio`
 * there may be `ours`, `peer` or `bytes`. So that a page never tells figures of different runs.
 *
 * @throws IllegalArgumentException if the page quotes a task that the run has not
 */
internal fun Results.quoteIn(page: String): String {
    val withTable = TABLE.replace(page) { "${it.groupValues[1]}\n${markdown()}${it.groupValues[2]}" }
    return FIGURE.replace(withTable) { match ->
        val (begin, name, figure, end) = match.destructured
        begin + figureOf(name, figure) + end
    }
}

/** [quoteIn] of a file; nothing where there is none. */
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

private val TABLE = Regex("(<!-- benchmarks -->).*?(<!-- /benchmarks -->)", RegexOption.DOT_MATCHES_ALL)
private val FIGURE = Regex("(<!-- (\\S+/\\S+) (ratio|ours|peer|bytes) -->)[^<]*(<!-- / -->)")
