package dev.arrowdevice.surface

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveAtLeastSize
import kotlin.io.path.invariantSeparatorsPathString
import kotlin.io.path.readText
import kotlin.io.path.walk

/** The table of the files that a value passes, which newcomers follow. */
class MapTest :
    FunSpec({
        test("each file that CONTRIBUTING says a value passes exists") {
            val sources =
                root
                    .resolve("core/src/main")
                    .walk()
                    .map { it.invariantSeparatorsPathString }
                    .toList()
            val named = filesOnTheWay(root.resolve("CONTRIBUTING.md").readText())
            named shouldHaveAtLeastSize 30
            named
                .filter { name -> sources.none { it.endsWith("/$name.java") || it.endsWith("/$name") } }
                .shouldBeEmpty()
        }
    })

private fun filesOnTheWay(page: String): List<String> =
    page
        .substringAfter("| file | what happens to the value there |")
        .substringBefore("\n\n")
        .lines()
        .drop(2)
        .flatMap { row -> Regex("`([\\w./]+)`").findAll(row.split('|')[1]).map { it.groupValues[1] } }
