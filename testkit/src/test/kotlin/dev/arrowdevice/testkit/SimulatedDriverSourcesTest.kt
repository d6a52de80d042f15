package dev.arrowdevice.testkit

import dev.arrowdevice.testkit.SimulatedDriver.Library
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe

class SimulatedDriverSourcesTest :
    FunSpec({
        context("the sources compile without a warning, into a library with the name that programs load") {
            withData(nameFn = { it.name }, Library.entries) { face ->
                val strict = listOf("-Wextra", "-Werror")
                val library = SimulatedDriverLibrary.build(face, emptySet(), strict)
                library.fileName.toString() shouldBe face.fileName()
            }
        }
    })
