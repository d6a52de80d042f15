package dev.arrowdevice.samples

import dev.arrowdevice.adbc.adbc
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists

private const val MAIN = "DatabaseCopyMain"
private const val INTERRUPTED = 130

/** Where `adbc/drivers` installs them. */
private val DRIVERS: Path =
    (System.getenv("XDG_CACHE_HOME") ?: "${System.getProperty("user.home")}/.cache").let { cache ->
        Path.of(System.getenv("ARROW_DEVICE_ADBC") ?: "$cache/arrow-device/adbc", "drivers")
    }

private val WITH_DRIVERS = mapOf("ADBC_DRIVER_PATH" to "$DRIVERS")

class DatabaseCopyTest :
    FunSpec({
        test("SQLite's driver is installed, by adbc/drivers") { DRIVERS.resolve("sqlite.toml").exists() shouldBe true }

        val folder = tempdir().toPath()

        fun inSqlite(
            file: Path,
            sql: String,
        ): List<List<String>> =
            adbc("sqlite", folders = listOf(DRIVERS)) { uri = "file:$file" }.use { database ->
                database.connect().use { it.rows(sql) }
            }

        test("the other database has the rows that SQL computes, and everything was released") {
            val file = folder.resolve("all.db")
            SampleProcess(MAIN, "$DATA", "336776", "file:$file", environment = WITH_DRIVERS).use { sample ->
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe 0 }
                lines.tableOf("departures") shouldBe inSql(SUMMARY)
                lines[lines.size - 2] shouldMatch Regex("""336,776 rows in .*s""")
                lines.last() shouldMatch Regex("""\d+ arrays exchanged, 0 unreleased""")
                sample.errors() shouldContain "100%"
            }
            inSqlite(file, IN_SQLITE) shouldBe inSql(IN_DUCKDB)
        }

        test("Ctrl-C in the middle stops it: no table is left, and everything is released") {
            val file = folder.resolve("stopped.db")
            SampleProcess(MAIN, "$DATA", "100000000", "file:$file", environment = WITH_DRIVERS).use { sample ->
                sample.awaitProgress(Regex(""" [1-9]\d?%"""))
                sample.interrupt()
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe INTERRUPTED }
                lines.first() shouldMatch Regex("""stopped after [\d,]+ rows""")
                lines.last() shouldMatch Regex("""\d+ arrays exchanged, 0 unreleased""")
            }
            inSqlite(file, "SELECT name FROM sqlite_master").shouldBeEmpty()
        }

        test("Ctrl-C before the first batch, and nothing is left of a database that nobody asked for") {
            val temp = Files.createDirectory(folder.resolve("temp"))
            SampleProcess(
                MAIN,
                "$DATA",
                "100000000",
                options = listOf("-Djava.io.tmpdir=$temp"),
                environment = WITH_DRIVERS,
            ).use { sample ->
                sample.awaitProgress(Regex("rows"))
                sample.interrupt()
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe INTERRUPTED }
                lines.last() shouldMatch Regex("""\d+ arrays exchanged, 0 unreleased""")
            }
            Files.list(temp).use { files -> files.filter { "copy" in it.fileName.toString() }.toList() }.shouldBeEmpty()
        }

        test("a table that is there already is kept, and the message says so") {
            val file = folder.resolve("taken.db")
            inSqlite(file, "CREATE TABLE departures (n INTEGER)")
            SampleProcess(MAIN, "$DATA", "10", "file:$file", environment = WITH_DRIVERS).use { sample ->
                sample.await().first shouldBe 1
                sample.errors() shouldContain "departures"
            }
            inSqlite(file, "SELECT count(*) FROM departures") shouldBe listOf(listOf("0"))
        }

        test("an invalid number of rows is refused with a message") {
            SampleProcess(MAIN, "$DATA", "many").use { sample ->
                sample.await() shouldBe (2 to listOf(""))
                sample.errors().trim() shouldBe "\"many\" is no number of rows, such as 1000000"
            }
        }
    })

private const val SUMMARY =
    "SELECT count(*), count(DISTINCT carrier || ' ' || flight), count(DISTINCT origin), count(dep_delay) FROM flights"

private const val IN_SQLITE = """
    SELECT origin, substr(flight, 1, 2) AS carrier, count(*), count(delay), sum(delay), substr(max(planned), 1, 10)
    FROM departures GROUP BY 1, 2 ORDER BY 1, 2
"""

private const val IN_DUCKDB = """
    SELECT origin, carrier, count(*), count(dep_delay), sum(dep_delay)::BIGINT,
           max(make_date(year, month, day))::VARCHAR
    FROM flights GROUP BY 1, 2 ORDER BY 1, 2
"""
