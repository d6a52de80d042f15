package dev.arrowdevice.surface

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.TypeId
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.runBlocking
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import kotlin.coroutines.Continuation
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.io.path.readText

private val typesPage = root.resolve("docs/cookbook.md")

/** Each page in Kotlin, and the same in Java. */
private val pages =
    mapOf(
        typesPage to root.resolve("docs/cookbook-java.md"),
        root.resolve("docs/cookbook-batches.md") to root.resolve("docs/cookbook-batches-java.md"),
    )

/** Each block of the cookbook runs, prints what its comments say, and leaves nothing to release. */
class CookbookTest :
    FunSpec({
        test("the Kotlin of the cookbook prints what its comments say, and closes all that it makes") {
            val examples = pages.keys.flatMap { DocExample.ofPage(it) }
            withClassesOf(examples, "kotlin") { loader ->
                for (example in examples) {
                    val type = loader.loadClass(example.kotlinName)
                    requirePrinted(example) {
                        val method = type.getMethod("example", Continuation::class.java)
                        runBlocking<Any?> { suspendCoroutineUninterceptedOrReturn { method.invoke(null, it) } }
                    }
                }
            }
        }

        test("the Java of the cookbook prints what its comments say, and closes all that it makes") {
            val examples = pages.values.flatMap { DocExample.javaOfPage(it) }
            withClassesOf(examples, "java") { loader ->
                for (example in examples) {
                    val method = loader.loadClass(example.javaName).getDeclaredMethod("example")
                    method.isAccessible = true
                    requirePrinted(example) { method.invoke(null) }
                }
            }
        }

        test(
            "the cookbook has every type of Arrow, each block its imports, and each page has the sections of its Java page",
        ) {
            val types = Regex("`(\\w+)`").findAll(typesPage.readText()).map { it.groupValues[1] }.toSet()
            (TypeId.entries.map { it.name.lowercase() } - types).shouldBeEmpty()
            (pages.keys.flatMap { DocExample.ofPage(it) } + pages.values.flatMap { DocExample.javaOfPage(it) })
                .filterNot { it.hasImports }
                .map { it.place }
                .shouldBeEmpty()
            for ((kotlinPage, javaPage) in pages) {
                sectionsOf(javaPage.readText()) shouldBe sectionsOf(kotlinPage.readText())
            }
        }
    })

private fun sectionsOf(page: String) = page.lines().filter { it.startsWith("## ") }

/** Runs an example: each `println(…) // text` prints that text, in order. */
private fun requirePrinted(
    example: DocExample,
    run: () -> Unit,
) {
    val before = ArrowCounters.now()
    val out = System.out
    val printed = ByteArrayOutputStream()
    System.setOut(PrintStream(printed, true))
    try {
        run()
    } finally {
        System.setOut(out)
    }
    withClue(example.place) {
        printed.toString().lines().filter { it.isNotEmpty() } shouldBe example.expectedLines
        val change = ArrowCounters.now() - before // At once, before the garbage collector closes what was forgotten.
        change.hostBuffers() shouldBe 0L
        change.leaks() shouldBe 0L
    }
}
