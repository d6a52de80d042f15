package dev.arrowdevice.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe

class QuickstartJavaTest :
    FunSpec({
        extension(EverythingReleased)

        test("it prints the figures that SQL computes, and that everything was released") {
            val lines = printed { QuickstartJava.run(DATA, it) }
            val (flights, cancelled) = inSql("SELECT count(*), count(*) - count(dep_delay) FROM flights").single()
            lines.first() shouldBe "${flights.grouped()} flights, ${cancelled.grouped()} of them cancelled"
            val trips = lines.tableOf("traveller")
            trips shouldHaveSize 3
            trips.map { it[2] } shouldBe
                listOf(
                    "dest = 'ORD' AND carrier IN ('UA', 'AA')",
                    "dest = 'LAX'",
                    "dest = 'SFO' AND carrier IN ('VX', 'B6', 'DL')",
                ).map { inSql("SELECT count(*) FROM flights WHERE $it").single().single() }
            trips[0] shouldBe listOf("Ada", "ORD", "13043", "2.9", "4.14")
            trips[2].last() shouldBe "null"
            lines.last() shouldBe "167 arrays exchanged, 0 unreleased"
        }
    })
