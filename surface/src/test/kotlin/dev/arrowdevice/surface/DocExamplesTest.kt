package dev.arrowdevice.surface

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

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
