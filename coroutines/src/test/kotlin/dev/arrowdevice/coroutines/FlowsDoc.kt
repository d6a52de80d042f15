package dev.arrowdevice.coroutines

import java.nio.file.Files
import java.nio.file.Path

/** The parts of `docs/flows.md` that come from the tests: the table of operators, and the examples. */
internal object FlowsDoc {
    private val root: Path =
        generateSequence(Path.of("").toAbsolutePath()) { it.parent }.first { Files.exists(it.resolve("docs")) }

    private val sources = root.resolve("coroutines/src/test/kotlin/dev/arrowdevice/coroutines")

    val file: Path = root.resolve("docs/flows.md")

    /** The page as it should be, made of what it is. */
    fun updated(page: String): String {
        val withTable =
            page.substringBefore(TABLE_BEGIN) + TABLE_BEGIN + "\n\n" + table() + "\n" +
                TABLE_END + page.substringAfter(TABLE_END)
        return EXAMPLE.replace(withTable) { found ->
            val name = found.groupValues[1]
            "<!-- example: $name -->\n```kotlin\n" + example(name) + "\n```\n"
        }
    }

    fun exampleNames(): Set<String> =
        Regex("// example: (\\w+)\n").findAll(examples()).map { it.groupValues[1] }.toSet()

    fun exampleNamesIn(page: String): Set<String> = EXAMPLE.findAll(page).map { it.groupValues[1] }.toSet()

    private fun examples() = Files.readString(sources.resolve("FlowExamples.kt"))

    private fun example(name: String): String {
        val begin = "    // example: $name\n"
        check(begin in examples()) { "FlowExamples.kt has no example $name" }
        return examples()
            .substringAfter(begin)
            .substringBefore("    // end\n")
            .trimIndent()
            .trimEnd()
    }

    private fun table(): String =
        buildString {
            append("| operator | code | outcome | write instead |\n| --- | --- | --- | --- |\n")
            for ((rows, source) in listOf(lendingOperators to "Lending", keepingOperators to "Keeping")) {
                val text = Files.readString(sources.resolve("${source}Operators.kt"))
                for (row in rows) {
                    val codes = RowSource(text, row.name).codes()
                    check(codes.size == 1 + row.instead.size) { "${row.name} was read as $codes" }
                    val instead = codes.drop(1).joinToString("<br>") { "`$it`" }
                    append("| ${row.name} | `${codes[0]}` | ${row.outcome.words} | $instead |\n")
                }
            }
        }

    private const val TABLE_BEGIN = "<!-- operators: begin, made by FlowsDocTest -->"
    private const val TABLE_END = "<!-- operators: end -->"
    private val EXAMPLE = Regex("<!-- example: (\\w+) -->\n```kotlin\n.*?\n```\n", RegexOption.DOT_MATCHES_ALL)
}

/** Reads the code of a row, that is, its lambdas, from the source. None of them has a brace in a string. */
private class RowSource(
    private val text: String,
    name: String,
) {
    private var at = text.indexOf("(\"$name\"").also { check(it >= 0) { "no row $name in the source" } }

    fun codes(): List<String> {
        skipBalanced('(', ')')
        val codes = ArrayList<String>()
        do {
            val begin = text.indexOf('{', at)
            at = begin
            skipBalanced('{', '}')
            codes += inOneLine(text.substring(begin + 1, at - 1).substringAfter("->"))
        } while (INSTEAD.matchesAt(text, at))
        return codes
    }

    private fun skipBalanced(
        open: Char,
        close: Char,
    ) {
        var depth = 0
        do {
            if (text[at] == open) depth++
            if (text[at] == close) depth--
            at++
        } while (depth > 0)
    }

    private fun inOneLine(code: String): String =
        code.lines().map { it.trim() }.filter { it.isNotEmpty() }.reduce { line, next ->
            when {
                next.startsWith(".") || next.startsWith(")") || line.endsWith("(") -> line + next
                next.startsWith("}") || line.last() in "{,>" -> "$line $next"
                else -> "$line; $next"
            }
        }

    private companion object {
        val INSTEAD = Regex("\\s*\\.instead\\w* ")
    }
}
