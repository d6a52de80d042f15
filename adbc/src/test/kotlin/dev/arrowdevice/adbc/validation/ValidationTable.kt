package dev.arrowdevice.adbc.validation

import java.nio.file.Files
import java.nio.file.Path

/** The table of cases and databases in `docs/adbc-validation.md`. */
internal object ValidationTable {
    val file: Path =
        generateSequence(Path.of("").toAbsolutePath()) { it.parent }
            .first { Files.exists(it.resolve("docs")) }
            .resolve("docs/adbc-validation.md")

    fun updated(
        page: String,
        subjects: List<Validated>,
    ): String {
        val table =
            buildString {
                append(subjects.joinToString(" | ", "| case | ", " |\n") { it.name })
                append(subjects.joinToString(" | ", "| --- | ", " |\n") { "---" })
                for (case in ALL_CASES) {
                    append(
                        subjects.joinToString(" | ", "| `${case.name}` | ", " |\n") { it.lacks[case.name] ?: "passes" },
                    )
                }
                append(
                    subjects.joinToString(" | ", "| **pass** | ", " |\n") {
                        "${ALL_CASES.size - it.lacks.size} of ${ALL_CASES.size}"
                    },
                )
            }
        return page.substringBefore(BEGIN) + BEGIN + "\n\n" + table + "\n" + END + page.substringAfter(END)
    }

    private const val BEGIN = "<!-- cases: begin, made by AdbcValidationTest -->"
    private const val END = "<!-- cases: end -->"
}
