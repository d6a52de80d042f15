package dev.arrowdevice.surface

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.relativeTo

/**
 * A block of Kotlin on a page or in the documentation of a declaration.
 *
 * @property place the file and the line where it begins
 * @property given declarations for the names that the block takes for known, from a comment right before it:
 * `<!-- given lateinit var gpu: DeviceReference -->`, on as many lines as it takes. What [PRELUDE] declares needs no such
 * comment
 */
internal class DocExample(
    val place: String,
    private val given: String,
    private val code: String,
) {
    val fileName: String get() = place.replace(Regex("\\W+"), "_") + ".kt"

    /** The block as the body of a function, its imports in front, in a package of its own. */
    fun source(): String {
        val (imports, body) = code.lines().partition { it.startsWith("import ") }
        return buildString {
            append("package ${fileName.removeSuffix(".kt")}\n")
            // A block that shows its imports needs no others.
            (imports.ifEmpty { IMPORTS } + "import prelude.*").forEach { append("$it\n") }
            append(given).append("\nsuspend fun example() {\n")
            body.forEach { append("$it\n") }
            append("}\n")
        }
    }

    companion object {
        private val BLOCK =
            Regex("(?:<!-- (given|not compiled|example:)(.*?)-->\\s*)?^```kotlin\\n(.*?)^```", setOf(M, S))

        /** The blocks of a page, without those that say `<!-- not compiled: why -->` and those taken from compiled tests. */
        fun ofPage(page: Path): List<DocExample> = of(page.relativeTo(root).toString(), page.readText())

        /** The blocks in the KDoc of a Kotlin file. */
        fun ofKDoc(file: Path): List<DocExample> = of(file.name, file.readText().replace(Regex("^ *\\* ?", M), ""))

        fun kotlinSources(module: String): List<Path> =
            Files
                .walk(root.resolve("$module/src/main"))
                .use { all ->
                    all.filter { it.extension == "kt" }.toList()
                }.sorted()

        private fun of(
            name: String,
            text: String,
        ): List<DocExample> =
            BLOCK
                .findAll(text)
                .filter { it.groupValues[1] in setOf("", "given") }
                .map { found ->
                    val line = text.take(found.groups[3]!!.range.first).count { it == '\n' }
                    DocExample("$name:$line", found.groupValues[2], found.groupValues[3])
                }.toList()

        private val M get() = RegexOption.MULTILINE
        private val S get() = RegexOption.DOT_MATCHES_ALL
    }
}

private val IMPORTS =
    listOf(
        "dev.arrowdevice",
        "dev.arrowdevice.builder",
        "dev.arrowdevice.coroutines",
        "dev.arrowdevice.cuda",
        "dev.arrowdevice.interop",
        "dev.arrowdevice.oneapi",
        "dev.arrowdevice.rocm",
        "kotlinx.coroutines",
        "kotlinx.coroutines.flow",
    ).map { "import $it.*" }

/** Names that a block may use without more ado, unless it declares them itself. */
internal val PRELUDE: String =
    """
    package prelude
    import dev.arrowdevice.*
    import kotlinx.coroutines.flow.Flow
    lateinit var array: DeviceArray
    lateinit var batch: RecordBatch
    lateinit var batches: Flow<RecordBatch>
    lateinit var stream: DeviceArrayStream
    lateinit var schema: Schema
    lateinit var queue: dev.arrowdevice.spi.DeviceQueue
    """.trimIndent()
