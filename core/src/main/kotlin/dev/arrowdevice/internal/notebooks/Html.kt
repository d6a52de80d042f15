package dev.arrowdevice.internal.notebooks

import dev.arrowdevice.TypeId
import java.util.Locale

/** The largest number of characters of a value, a name or a type above values. */
private const val MAX_CHARACTERS = 200

/** The same of a type in a schema, a message or other lines. */
internal const val MAX_LINE: Int = 1_000

/**
 * Text keeps the colour that it has around the table, and lines are of a half-transparent grey. So tables are right on every
 * background. A query of `prefers-color-scheme` would not be: it asks the browser, and the theme is the notebook's. The class is
 * doubled where Jupyter's own rules for tables would win.
 */
private const val STYLE = """<style>
.arrow-device { overflow-x: auto; color: inherit; }
.arrow-device table { border-collapse: collapse; margin: 0; color: inherit; font-size: inherit; }
.arrow-device.arrow-device th, .arrow-device.arrow-device td { padding: 3px 12px; border: 0; text-align: left; vertical-align: top; max-width: 32em; white-space: pre-wrap; overflow-wrap: anywhere; color: inherit; }
.arrow-device td { border-bottom: 1px solid rgba(128, 128, 128, .2); }
.arrow-device th { border-bottom: 1px solid rgba(128, 128, 128, .6); font-weight: 600; vertical-align: bottom; }
.arrow-device.arrow-device .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.arrow-device .null { opacity: .5; font-style: italic; }
.arrow-device .note { opacity: .7; font-size: .9em; font-weight: 400; }
.arrow-device p { margin: 6px 12px; }
</style>"""

private val NUMBERS =
    setOf(
        TypeId.INT8,
        TypeId.UINT8,
        TypeId.INT16,
        TypeId.UINT16,
        TypeId.INT32,
        TypeId.UINT32,
        TypeId.INT64,
        TypeId.UINT64,
        TypeId.FLOAT16,
        TypeId.FLOAT32,
        TypeId.FLOAT64,
        TypeId.DECIMAL32,
        TypeId.DECIMAL64,
        TypeId.DECIMAL128,
        TypeId.DECIMAL256,
    )

internal fun TypeId.isNumber(): Boolean = this in NUMBERS

/** One output of a notebook: a style, tables and notes. All text that comes from outside is escaped here. */
internal class Html {
    private val text = StringBuilder("<div class=\"arrow-device\">").append(STYLE)

    fun table(
        header: List<Cell>,
        rows: List<List<Cell>>,
    ) {
        text.append("\n<table><thead><tr>")
        header.forEach { cell("th", it) }
        text.append("</tr></thead><tbody>")
        for (row in rows) {
            text.append("\n<tr>")
            row.forEach { cell("td", it) }
            text.append("</tr>")
        }
        text.append("</tbody></table>")
    }

    /** A line under a table. */
    fun note(line: String) {
        text.append("\n<p class=\"note\">").append(escaped(line, MAX_LINE)).append("</p>")
    }

    override fun toString(): String = "$text\n</div>"

    private fun cell(
        tag: String,
        cell: Cell,
    ) {
        val classes = listOfNotNull("number".takeIf { cell.number }, "null".takeIf { cell.text == null })
        text.append('<').append(tag)
        if (classes.isNotEmpty()) text.append(" class=\"").append(classes.joinToString(" ")).append('"')
        text.append('>').append(escaped(cell.text ?: "null", cell.most))
        if (cell.note.isNotEmpty()) {
            text
                .append(
                    "<br/><span class=\"note\">",
                ).append(escaped(cell.note, cell.most))
                .append("</span>")
        }
        text.append("</").append(tag).append('>')
    }
}

/**
 * @property text null for a null
 * @property number whether it is aligned to the right
 * @property note smaller, in a line below
 * @property most the largest number of characters to show
 */
internal class Cell(
    val text: String?,
    val number: Boolean = false,
    val note: String = "",
    val most: Int = MAX_CHARACTERS,
)

internal fun grouped(count: Long): String = String.format(Locale.ROOT, "%,d", count)

internal fun counted(
    count: Long,
    noun: String,
): String = "${grouped(count)} $noun${if (count == 1L) "" else "s"}"

/** Shortened, on one line, without what HTML would read as more than text. */
private fun escaped(
    value: String,
    most: Int,
): String {
    val html = StringBuilder()
    var characters = 0
    for (c in value.codePoints()) {
        if (characters++ == most) return html.append('…').toString()
        when (c) {
            '<'.code -> html.append("&lt;")
            '>'.code -> html.append("&gt;")
            '&'.code -> html.append("&amp;")
            '"'.code -> html.append("&quot;")
            '\''.code -> html.append("&#39;")
            else -> if (isText(c)) html.appendCodePoint(c) else html.append(' ')
        }
    }
    return html.toString()
}

/** Control characters and halves of surrogate pairs are not allowed in HTML. */
private fun isText(codePoint: Int): Boolean =
    !Character.isISOControl(codePoint) && codePoint !in Char.MIN_SURROGATE.code..Char.MAX_SURROGATE.code
