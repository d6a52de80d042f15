package dev.arrowdevice.testkit.arrowjava

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual

class ExchangeSpeedTest :
    FunSpec({
        test("export, import and release together are at least five times as fast as Arrow Java's") {
            val costs =
                ExchangeSpeed().use {
                    listOf(
                        it.array(),
                        it.arrayWithSchema(),
                        it.batch(),
                        it.batchWithSchema(),
                    )
                }
            costs.forEach(::println)
            costs.forEach { cost -> withClue(cost) { cost.ratio shouldBeGreaterThanOrEqual 5.0 } }
        }
    })
