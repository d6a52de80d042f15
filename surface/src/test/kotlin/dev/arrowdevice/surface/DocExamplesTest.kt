package dev.arrowdevice.surface

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlin.cli.common.ExitCode
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler
import java.io.ByteArrayOutputStream
import java.io.PrintStream
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
            val examples = publishedModules.flatMap { DocExample.kotlinSources(it.name) }.flatMap(DocExample::ofKDoc)
            examples.shouldNotBeEmpty()
            compiled(examples) shouldBe ""
        }

        test("an example that does not compile is found") {
            val wrong = DocExample("page.md:7", "lateinit var table: RecordBatch", "table.rowCuont")
            compiled(listOf(wrong)) shouldContain "rowCuont"
        }
    })

/** What the compiler says against the examples; empty if it accepts them. */
private fun compiled(examples: List<DocExample>): String {
    val folder = createTempDirectory("examples").toFile()
    try {
        val sources = folder.resolve("sources").apply { mkdir() }
        sources.resolve("prelude.kt").writeText(PRELUDE)
        examples.forEach { sources.resolve(it.fileName).writeText(it.source()) }
        val said = ByteArrayOutputStream()
        val classPath = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
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
