package dev.arrowdevice.samples

import dev.arrowdevice.samples.duckdb.DuckDb
import dev.arrowdevice.samples.duckdb.value
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.file.Path

class QuickstartJavaTest :
    FunSpec({
        extension(EverythingReleased)

        test("it prints the figures that SQL finds without it, and that everything was released") {
            val lines = printed { QuickstartJava.run(DATA, it) }.trim().lines()
            lines.first() shouldBe
                "336,776 flights, ${inSql(
                    "SELECT count(*) FROM flights WHERE dep_delay IS NULL",
                ).grouped()} of them cancelled"
            val ada = inSql("SELECT count(*) FROM flights WHERE dest = 'ORD' AND carrier IN ('UA', 'AA')")
            lines.single { it.startsWith("Ada") } shouldMatch Regex("""Ada +\| ORD +\| +$ada \| +2\.9 \| +4\.14""")
            lines.single { it.startsWith("Grace") } shouldEndWith "null"
            lines.filter { it.startsWith("(3 rows)") } shouldHaveSize 1
            lines.last() shouldStartWith "5 arrays exchanged"
            lines.last() shouldEndWith "0 unreleased"
        }
    })

internal val DATA: Path = Path.of(System.getProperty("basedir", "."), "data")

/** What a sample prints. */
internal fun printed(run: (PrintStream) -> Unit): String {
    val bytes = ByteArrayOutputStream()
    PrintStream(bytes, false, Charsets.UTF_8).use(run)
    return bytes.toString(Charsets.UTF_8)
}

/** A number that DuckDB finds by SQL alone in the flights of the data set. */
internal fun inSql(sql: String): Long =
    DuckDb.openInMemory().use { database ->
        database.connect().use { duck ->
            duck.execute("CREATE VIEW flights AS FROM '${DATA.resolve("flights.parquet")}'")
            duck.value(sql) as Long
        }
    }

internal fun Long.grouped(): String = "%,d".format(java.util.Locale.ROOT, this)
