package dev.arrowdevice.surface

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import kotlin.io.path.readText

/** Whoever reads the docs meets every function and property of `coroutines`. */
class DocumentedTest :
    FunSpec({
        test("the docs have every public function and property of coroutines") {
            val names = functionsOfFiles(apiOf("coroutines"))
            names shouldContain "asFlow"
            val words = Regex("\\w+").findAll(pages().joinToString("\n") { it.readText() }).map { it.value }.toSet()
            (names - words).shouldBeEmpty()
        }
    })

/** What Kotlin's files hold, by the name that a user writes: a property without the "get" of its getter. */
private fun functionsOfFiles(api: String): Set<String> =
    Regex("public static (?:synthetic |final )*fun ([A-Za-z]+)")
        .findAll(api)
        .map { it.groupValues[1] }
        .map { if (it.startsWith("get")) it.removePrefix("get") else it }
        .toSet()
