package dev.arrowdevice.surface

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import kotlin.io.path.readText

/** The highest number of public types that the core may have outside of `spi`, nested ones included. */
private const val MOST = 70

private val types = typesOf(apiOf("core")).filterNot { it.startsWith("dev/arrowdevice/spi/") }

class SurfaceSizeTest :
    FunSpec({
        test("the core has at most $MOST public types outside of spi") {
            withClue("which of these need not be public?\n" + types.joinToString("\n")) {
                types.size shouldBeLessThanOrEqual MOST
            }
        }

        test("docs/types.md has a reason for each public type of the core outside of spi, and no other") {
            val page = root.resolve("docs/types.md").readText()
            val explained = Regex("^\\| `([\\w.]+)` \\| .+ \\|$", RegexOption.MULTILINE).findAll(page)
            explained.map { it.groupValues[1] }.toList() shouldContainExactlyInAnyOrder types.map(::nameOnPage)
        }
    })

/** `builder.ArrayBuilder` of `dev/arrowdevice/builder/ArrayBuilder`, `CStruct.Block` of `dev/arrowdevice/CStruct$Block`. */
private fun nameOnPage(type: String): String = type.removePrefix("dev/arrowdevice/").replace('/', '.').replace('$', '.')
