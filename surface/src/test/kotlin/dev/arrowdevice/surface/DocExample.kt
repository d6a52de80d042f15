package dev.arrowdevice.surface

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.relativeTo

/**
 * A block of Kotlin or Java on a page or in the documentation of a declaration.
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

    /** The lines that the block says do not compile: `// ERROR: why`. */
    val errors: List<String> get() = code.lines().filter { "// ERROR" in it }

    /** What the block prints, as its comments say: `println(2 + 2) // 4`. */
    val expectedLines: List<String>
        get() = code.lines().mapNotNull { Regex("println\\(.*\\);? *// (.*)").find(it)?.groupValues?.get(1) }

    val hasImports: Boolean get() = code.lines().any { it.startsWith("import ") }

    fun withoutErrors(): DocExample = DocExample(place, given, code.lines().minus(errors.toSet()).joinToString("\n"))

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

    /** The block as the body of a method of a class of its own, its imports in front. */
    fun javaSource(): String {
        val (imports, body) = code.lines().partition { it.startsWith("import ") }
        return buildString {
            imports.ifEmpty { JAVA_IMPORTS }.forEach { append("$it\n") }
            append("final class $javaName {\n").append(given)
            // "if", so that the block may return a value or not.
            append("\nstatic Object example() throws Throwable {\nif (true) {\n")
            body.forEach { append("$it\n") }
            append("}\nreturn null;\n}\n}\n")
        }
    }

    /** The class that the function of [source] is in. */
    val kotlinName: String
        get() = fileName.removeSuffix(".kt").let { name -> "$name.${name.replaceFirstChar { it.uppercase() }}Kt" }

    val javaName: String get() = fileName.removeSuffix(".kt")

    companion object {
        /** The Kotlin of a page, without what says `<!-- not compiled: why -->` and what is taken from compiled tests. */
        fun ofPage(page: Path): List<DocExample> = of(nameOf(page), page.readText(), fenced("kotlin"))

        /** The Java of a page, in the same way. */
        fun javaOfPage(page: Path): List<DocExample> = of(nameOf(page), page.readText(), fenced("java"))

        /** The blocks in the KDoc of a Kotlin file. */
        fun ofKDoc(file: Path): List<DocExample> = of(file.name, textOf(file), fenced("kotlin"))

        /** The blocks `<pre>{@code …}</pre>` in the Javadoc of a Java file. */
        fun ofJavadoc(file: Path): List<DocExample> =
            of(file.name, textOf(file), Regex("$MARK^(?:<p>)?<pre>\\{@code\\n(.*?)^\\}</pre>", setOf(M, S)))

        /** The lines of a KDoc where a block begins or ends that does not say what it holds, two for each block. */
        fun untagged(file: Path): List<String> {
            val fences =
                file
                    .readText()
                    .lines()
                    .withIndex()
                    .filter { Regex("^ *\\* +```").containsMatchIn(it.value) }
            return fences.chunked(2).map { it.first() }.filter { it.value.endsWith("```") }.map {
                "${file.name}:${it.index + 1}"
            }
        }

        fun sources(
            module: String,
            language: String,
        ): List<Path> =
            Files
                .walk(root.resolve("$module/src/main"))
                .use { all -> all.filter { it.extension == language }.toList() }
                .sorted()

        private const val MARK = "(?:<!-- (given|not compiled|example:)((?:(?!-->).)*)-->\\s*)?"

        private fun fenced(language: String) = Regex("$MARK^```$language\\n(.*?)^```", setOf(M, S))

        private fun nameOf(page: Path) = page.relativeTo(root).toString()

        private fun textOf(file: Path) = file.readText().replace(Regex("^ *\\* ?", M), "")

        private fun of(
            name: String,
            text: String,
            block: Regex,
        ): List<DocExample> =
            block
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
        "dev.arrowdevice.dataframe",
        "dev.arrowdevice.interop",
        "dev.arrowdevice.oneapi",
        "dev.arrowdevice.rocm",
        "dev.arrowdevice.serialization",
        "kotlinx.coroutines",
        "java.math",
        "kotlinx.coroutines.flow",
        "kotlinx.serialization",
    ).map { "import $it.*" }

private val JAVA_IMPORTS =
    listOf(
        "dev.arrowdevice",
        "dev.arrowdevice.builder",
        "dev.arrowdevice.interop",
        "dev.arrowdevice.serialization",
        "dev.arrowdevice.spi",
        "dev.arrowdevice.testkit",
        "dev.arrowdevice.testkit.device",
        "java.lang.invoke",
        "java.nio.file",
        "java.util",
    ).map { "import $it.*;" }

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
