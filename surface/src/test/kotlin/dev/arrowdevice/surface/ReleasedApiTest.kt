package dev.arrowdevice.surface

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotBeEmpty
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** What users of the last release called and is gone is in the changelog, which says what to write instead. */
class ReleasedApiTest :
    FunSpec({
        val unreleased = unreleased(root.resolve("CHANGELOG.md").readText())

        for (module in publishedModules) {
            test("the changelog names what ${module.name} no longer has of the last release") {
                val released = module.apiFile.resolveSibling("released.api")
                if (System.getProperty("api.release") == "true") released.writeText(module.apiFile.readText())
                // Before the first release there is none.
                val before = if (released.exists()) released.readText() else ""
                withClue("gone since the last release, and not in CHANGELOG.md under Unreleased") {
                    goneWithoutWord(before, module.apiFile.readText(), unreleased).shouldBeEmpty()
                }
            }
        }

        test(
            "a member, a property, a constructor and a type that are gone are found, unless the changelog names them",
        ) {
            val gone =
                goneWithoutWord(
                    """
                    public final class a/Table : a/Kept {
                    	public fun <init> (J)V
                    	public final fun getRowCount ()J
                    	public fun slice (JJ)La/Table;
                    }
                    public final class a/Table${'$'}Part {
                    }
                    public final class a/Kept {
                    }
                    """.trimIndent(),
                    """
                    public final class a/Table {
                    }
                    public final class a/Kept {
                    }
                    """.trimIndent(),
                    "* `Part` is gone; write a `slice`.",
                )
            gone shouldBe listOf("a/Table public fun <init> (J)V", "a/Table public final fun getRowCount ()J")
            goneWithoutWord("public class a/Table {\n}", "", "`Tables`") shouldBe listOf("a/Table")
        }

        test("the changelog has a section for what is not released") {
            unreleased.shouldNotBeEmpty()
        }
    })

/** The types and members of [before] that are not in [now] and whose names are not in [changelog]. */
private fun goneWithoutWord(
    before: String,
    now: String,
    changelog: String,
): List<String> {
    val words = Regex("\\w+").findAll(changelog).map { it.value }.toSet()
    return (membersOf(before) - membersOf(now).toSet())
        .filter { member -> names(member).none(words::contains) }
        .map { (type, member) -> if (member.isEmpty()) type else "$type $member" }
}

/** Each type, with an empty member, and each member after its type. */
private fun membersOf(api: String): List<Pair<String, String>> {
    var type = ""
    return api.lines().mapNotNull { line ->
        Regex("(?:class|interface|inherited by) (\\S+)").find(line)?.takeIf { !line.startsWith("\t") }?.let {
            type = it.groupValues[1]
        }
        when {
            line.startsWith("\t") -> type to line.trim()
            line.endsWith("{") -> type to ""
            else -> null
        }
    }
}

/** What the changelog may call it: `rowCount` or `getRowCount`; a type and its constructor have the same name. */
private fun names(member: Pair<String, String>): List<String> {
    val (type, line) = member
    val name = Regex("(?:fun|field) (\\S+) ").find(line)?.groupValues?.get(1)
    if (name == null || name == "<init>") return listOf(type.substringAfterLast('/').substringAfterLast('$'))
    val property = Regex("^(?:get|set)([A-Z].*)").find(name)?.groupValues?.get(1)
    return listOfNotNull(name, property?.replaceFirstChar(Char::lowercase))
}

private fun unreleased(changelog: String): String =
    changelog.substringAfter("## [Unreleased]", "").substringBefore("\n## ")
