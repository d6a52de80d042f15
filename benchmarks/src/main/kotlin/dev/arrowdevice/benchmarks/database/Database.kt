package dev.arrowdevice.benchmarks.database

import dev.arrowdevice.adbc.AdbcDatabase
import dev.arrowdevice.adbc.adbc
import java.nio.file.Files
import java.nio.file.Path
import java.sql.Connection
import java.sql.DriverManager
import java.util.Properties
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively
import kotlin.io.path.exists

/** What the rows of the benchmarks are made of: five columns of numbers, the last one with a null in each tenth row. */
private const val COLUMNS =
    "n AS id, n % 86400 AS a, (n % 1000) / 8.0 AS b, n % 1000003 AS c, CASE WHEN n % 10 > 0 THEN n % 500 END AS d"

/** The databases, each with both of its drivers. */
internal enum class Database(
    val title: String,
    private val driver: String,
    private val rowsSql: String,
    val integer: String,
    val double: String,
) {
    /** In memory. */
    DUCKDB(
        "DuckDB",
        "duckdb",
        "SELECT id, a::INTEGER AS a, b::DOUBLE AS b, c, d::INTEGER AS d " +
            "FROM (SELECT $COLUMNS FROM range(:rows) AS numbers(n))",
        "INTEGER",
        "DOUBLE",
    ),

    /** In a file. */
    SQLITE(
        "SQLite",
        "sqlite",
        "WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r LIMIT :rows) SELECT $COLUMNS FROM r",
        "INTEGER",
        "REAL",
    ),

    /** A server on loopback. */
    POSTGRESQL(
        "PostgreSQL",
        "postgresql",
        "SELECT id, a::INTEGER AS a, b::DOUBLE PRECISION AS b, c, d::INTEGER AS d " +
            "FROM (SELECT $COLUMNS FROM generate_series(0, CAST(:rows AS BIGINT) - 1) AS s(n)) AS numbers",
        "INTEGER",
        "DOUBLE PRECISION",
    ),
    ;

    /** SQL that makes the table that is scanned. */
    fun tableSql(rows: Long): String = "CREATE TABLE scanned AS ${rowsSql.replace(":rows", "$rows")}"

    /** Why the benchmarks of it can't run here; null if they can. */
    fun obstacle(): String? =
        when (this) {
            DUCKDB -> null
            SQLITE -> lackOfDriver()
            POSTGRESQL -> lackOfDriver() ?: LocalPostgres.obstacle()
        }

    private fun lackOfDriver(): String? =
        if (DRIVERS.resolve("$driver.toml").exists()) null else "its ADBC driver is missing: adbc/drivers installs it"

    /** Where it is, for as long as a benchmark runs. */
    fun open(): Location =
        when (this) {
            DUCKDB -> {
                Location(this, null, null) {}
            }

            SQLITE -> {
                temporaryFile()
            }

            POSTGRESQL -> {
                LocalPostgres.start().let { server ->
                    Location(this, server.uri, server.jdbc) { server.close() }
                }
            }
        }

    @OptIn(ExperimentalPathApi::class)
    private fun temporaryFile(): Location {
        val folder = Files.createTempDirectory("arrow-device-benchmarks")
        val file = folder.resolve("rows.db")
        return Location(this, "file:$file", "jdbc:sqlite:$file") { folder.deleteRecursively() }
    }

    fun adbc(place: String?): AdbcDatabase = adbc(driver, folders = listOf(DRIVERS)) { place?.let { uri = it } }

    fun jdbc(place: String?): Connection = DriverManager.getConnection(place ?: "jdbc:duckdb:", Properties())

    companion object {
        /** Where `adbc/drivers` installs them. */
        val DRIVERS: Path =
            (System.getenv("XDG_CACHE_HOME") ?: "${System.getProperty("user.home")}/.cache").let { cache ->
                Path.of(System.getenv("ARROW_DEVICE_ADBC") ?: "$cache/arrow-device/adbc", "drivers")
            }
    }
}

/** Where the rows of a benchmark are. */
internal class Location(
    private val database: Database,
    private val adbc: String?,
    private val jdbc: String?,
    private val remove: () -> Unit,
) : AutoCloseable {
    fun adbc(): AdbcDatabase = database.adbc(adbc)

    fun jdbc(): Connection = database.jdbc(jdbc)

    override fun close() = remove()
}
