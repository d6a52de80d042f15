package dev.arrowdevice.surface

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlin.cli.common.ExitCode
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import javax.tools.ToolProvider
import kotlin.io.path.createTempDirectory

/** What the docs show as Kotlin compiles, with the imports of users and nothing more than is declared beside it. */
class DocExamplesTest :
    FunSpec({
        test("the examples of the pages compile") {
            val examples = pages().flatMap(DocExample::ofPage)
            examples.shouldNotBeEmpty()
            compiled(examples) shouldBe ""
        }

        test("the examples of the KDoc compile") {
            val examples = kotlinModules.flatMap { it.value }.flatMap(DocExample::ofKDoc)
            compiled(examples.map { it.withoutErrors() }) shouldBe ""
        }

        test("the KDoc of every module has examples, and says of each block what it holds") {
            kotlinModules.keys.shouldContain("core")
            kotlinModules.filterValues { it.flatMap(DocExample::ofKDoc).isEmpty() }.keys.shouldBeEmpty()
            kotlinModules.flatMap { it.value }.flatMap(DocExample::untagged).shouldBeEmpty()
        }

        test("the lines that the KDoc calls errors do not compile") {
            val wrong = kotlinModules.flatMap { it.value }.flatMap(DocExample::ofKDoc).filter { it.errors.isNotEmpty() }
            wrong.shouldNotBeEmpty()
            wrong.forEach { compiled(listOf(it)) shouldContain "error:" }
        }

        test("the Java examples of the pages and of the Javadoc compile") {
            val ofJavadoc =
                publishedModules
                    .flatMap {
                        DocExample.sources(
                            it.name,
                            "java",
                        )
                    }.flatMap(DocExample::ofJavadoc)
            val ofPages = pages().flatMap(DocExample::javaOfPage)
            ofJavadoc.shouldNotBeEmpty()
            ofPages.shouldNotBeEmpty()
            compiledJava(ofJavadoc + ofPages) shouldBe ""
        }

        test("an example that does not compile is found") {
            val wrong = DocExample("page.md:7", "lateinit var table: RecordBatch", "table.rowCuont")
            compiled(listOf(wrong)) shouldContain "rowCuont"
            val wrongJava = DocExample("page.md:7", "static RecordBatch table;", "table.getRowCuont();")
            compiledJava(listOf(wrongJava)) shouldContain "getRowCuont"
        }
    })

/** The Kotlin files of the modules that have some. */
private val kotlinModules =
    publishedModules.associate { it.name to DocExample.sources(it.name, "kt") }.filterValues { it.isNotEmpty() }

private val classPath: String
    get() = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")

/** What the Java compiler says against the examples; empty if it accepts them. */
private fun compiledJava(examples: List<DocExample>): String {
    val folder = createTempDirectory("examples").toFile()
    try {
        val files = examples.map { folder.resolve("${it.javaName}.java").apply { writeText(it.javaSource()) } }
        val said = ByteArrayOutputStream()
        val options = arrayOf("-nowarn", "-proc:none", "-cp", classPath, "-d", folder.path)
        val code =
            ToolProvider.getSystemJavaCompiler().run(
                null,
                said,
                said,
                *options,
                *files.map { it.path }.toTypedArray(),
            )
        return if (code == 0) "" else said.toString().replace(folder.path, "")
    } finally {
        folder.deleteRecursively()
    }
}

/** What the Kotlin compiler says against the examples; empty if it accepts them. */
private fun compiled(examples: List<DocExample>): String {
    val folder = createTempDirectory("examples").toFile()
    try {
        val sources = folder.resolve("sources").apply { mkdir() }
        sources.resolve("prelude.kt").writeText(PRELUDE)
        examples.forEach { sources.resolve(it.fileName).writeText(it.source()) }
        val said = ByteArrayOutputStream()
        val code =
            K2JVMCompiler().exec(
                PrintStream(said, true),
                "-no-stdlib",
                "-no-reflect",
                "-nowarn",
                "-jvm-target",
                "17",
                "-cp",
                classPath,
                "-d",
                folder.resolve("classes").path,
                sources.path,
            )
        return if (code == ExitCode.OK) "" else said.toString().replace(sources.path, "")
    } finally {
        folder.deleteRecursively()
    }
}
