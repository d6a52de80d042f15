package dev.arrowdevice.surface

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import kotlin.io.path.readText

/** Whoever reads the docs meets everything public of `coroutines` and `bridges/serialization`. */
class DocumentedTest :
    FunSpec({
        val words by lazy {
            Regex("\\w+").findAll(codeOf(pages().joinToString("\n") { it.readText() })).map { it.value }.toSet()
        }

        test("the docs have every public function, property and type of coroutines, as code") {
            val names = namesIn(apiOf("coroutines"))
            names shouldContainAll listOf("asFlow", "emitBatch", "StreamDispatcher", "AsyncBatch", "deviceType")
            (names - words).shouldBeEmpty()
        }

        test("and those of serialization") {
            val names = namesIn(apiOf("bridges/serialization"))
            names shouldContainAll listOf("encodeToBatch", "chunkedToBatches", "Rows", "DecimalDigits", "unions")
            (names - words).shouldBeEmpty()
        }
    })

/** Blocks of code, and code within a line. */
private fun codeOf(text: String): String =
    Regex("^```.*?^```|`[^`\\n]+`", setOf(RegexOption.MULTILINE, RegexOption.DOT_MATCHES_ALL))
        .findAll(text)
        .joinToString("\n") { it.value }

/** The names that a user writes, without those of `List` and of serializers, which some classes have too, and one for `ipc` alone. */
private fun namesIn(api: String): Set<String> {
    val (files, classes) = api.split("\n\n").partition { "Kt {" in it.lineSequence().first() }
    val types = typesOf(api).map { it.substringAfterLast('/').substringAfterLast('$') }
    val ofFiles = files.flatMap(::functionsIn).map { it.removePrefix("get") }
    val accessor = Regex("^[gs]et")
    val ofClasses = classes.flatMap(::functionsIn).map { it.replace(accessor, "").replaceFirstChar(Char::lowercase) }
    return (types + ofFiles + ofClasses).toSet() -
        setOf("", "contains", "indexOf", "lastIndexOf", "serialize", "deserialize", "collectLent")
}

private fun functionsIn(part: String): List<String> =
    Regex("public (?:static |synthetic |final )*fun ([A-Za-z]+)").findAll(part).map { it.groupValues[1] }.toList()
