package dev.arrowdevice.samples

import dev.arrowdevice.ArrowCounters
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.file.Files
import java.nio.file.Path

class ReadmeTest :
    FunSpec({
        val root =
            generateSequence(Path.of("").toAbsolutePath()) { it.parent }.first {
                Files.exists(it.resolve("README.md")) &&
                    Files.exists(it.resolve("core"))
            }

        test("the README's example is the sample's source with its imports, to the letter") {
            val source =
                Files.readString(
                    root.resolve("samples/src/main/kotlin/dev/arrowdevice/samples/ReadmeExample.kt"),
                )
            val region = source.substringAfter("// readme: begin\n").substringBefore("    // readme: end")
            val imports = source.lines().filter { it.startsWith("import ") }.joinToString("\n")
            val readme = Files.readString(root.resolve("README.md"))
            readme.substringAfter("```kotlin\n").substringBefore("```") shouldBe
                imports + "\n\n" + region.trimIndent() + "\n"
        }

        test("the README's example prints the exported and imported batch, and leaves nothing behind") {
            val unreleased = ArrowCounters.now().unreleased()
            val buffers = ArrowCounters.now().hostBuffers()
            val printed = ByteArrayOutputStream()
            val out = System.out
            System.setOut(PrintStream(printed, true))
            try {
                readmeExample()
            } finally {
                System.setOut(out)
            }
            printed.toString() shouldContain "6 in all"
            printed.toString() shouldContain "Alan"
            ArrowCounters.now().unreleased() shouldBe unreleased
            ArrowCounters.now().hostBuffers() shouldBe buffers
        }
    })
