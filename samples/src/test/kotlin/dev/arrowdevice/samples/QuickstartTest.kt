package dev.arrowdevice.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

class QuickstartTest :
    FunSpec({
        extension(EverythingReleased)

        val lines by lazy { printed { quickstart(DATA, it) } }

        test("Kotlin computes from the batches what SQL computes from the file") {
            val hours = lines.tableOf("hour")
            hours shouldHaveSize 20
            hours shouldBe inSql(LATE_BY_HOUR)
            lines.single { it.startsWith("Best at") } shouldBe
                "Best at 5:00: 3.0 % leave late. Worst at 21:00: 28.2 %."
            lines.single { it.startsWith("DuckDB read") }.replace(Regex("""\d+ ms"""), "… ms") shouldBe
                "DuckDB read 336,776 flights from Parquet in … ms, " +
                "Kotlin took them in 165 batches and computed for … ms."
        }

        test("SQL computes the same for a batch of Kotlin as for the same rows in a table") {
            val answer = lines.dropWhile { !it.startsWith("Which flight") }.tableOf("traveller")
            answer shouldHaveSize 5
            answer shouldBe inSql(BEST_FLIGHTS, TRIPS_IN_SQL)
            lines.single { it.startsWith("DuckDB joined") } shouldContain " ms"
        }

        test("the last line says that everything was released") {
            lines.last() shouldBe "167 arrays exchanged, 166 from DuckDB and 1 to it: 0 unreleased"
        }
    })

private const val LATE_BY_HOUR = """
    SELECT sched_dep_time // 100 AS hour, count(*), count(*) - count(dep_delay), median(dep_delay),
           round(100 * avg((dep_delay > 30)::INT), 1)
    FROM flights
    GROUP BY hour
    ORDER BY hour
"""

private const val TRIPS_IN_SQL = """
    CREATE TABLE trips AS
    FROM (
        VALUES
            ('Ada', 'ORD', 600, 1000, ['UA', 'AA'], 85.00),
            ('Alan', 'LAX', 1500, NULL, NULL, 120.50),
            ('Barbara', 'BOS', 1700, 2000, NULL, 99.90),
            ('Edsger', 'MIA', 700, 1200, ['WN'], 60.00),
            ('Grace', 'SFO', NULL, NULL, ['VX', 'B6', 'DL'], NULL)
    ) AS trips(traveller, destination, earliest, latest, carriers, hour_value)
"""
