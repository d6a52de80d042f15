package dev.arrowdevice.surface

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** How many public types the core has outside of `spi`, nested ones included. It may become less and never more. */
private const val CEILING = 99

/** What it is to become. */
private const val GOAL = 70

class SurfaceSizeTest :
    FunSpec({
        test("the core has at most as many public types as its limit") {
            val types = typesOf(apiOf("core")).filterNot { it.startsWith("dev/arrowdevice/spi/") }
            val advice =
                if (types.size < CEILING) {
                    "write ${types.size} for CEILING in SurfaceSizeTest, so that it stays at that; the goal is $GOAL"
                } else {
                    "which of these need not be public?\n" + types.joinToString("\n")
                }
            withClue(advice) { types.size shouldBe CEILING }
        }
    })
