package dev.arrowdevice.benchmarks.database

import dev.arrowdevice.benchmarks.Program
import dev.arrowdevice.benchmarks.database.DatabaseProgram.Work
import dev.arrowdevice.benchmarks.measure.median
import dev.arrowdevice.benchmarks.program.Figures
import dev.arrowdevice.testkit.ReleaseBalance
import java.sql.Connection
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlin.time.measureTime

/** How the program talks to the database. */
internal enum class Way {
    ADBC,
    JDBC,

    /** JDBC's `arrowExportStream`, which DuckDB's driver has. */
    ARROW_JAVA,
}

/**
 * Scans or ingests a table again and again, for some seconds, and prints the time of the middle one. The first ones warm
 * the JVM and are not counted. It is a program and not a benchmark of JMH, because one scan takes longer than an
 * iteration there.
 */
internal object DatabaseProgram {
    enum class Work { SCAN, INGEST }

    /** Reads what to do from the system properties that [programOf] sets. */
    @JvmStatic
    fun main(arguments: Array<String>) {
        val nanos =
            run(
                Work.valueOf(System.getProperty("work")),
                Database.valueOf(System.getProperty("database")),
                Way.valueOf(System.getProperty("way")),
                System.getProperty("rows").toLong(),
                System.getProperty("seconds").toInt().seconds,
            )
        println("${Figures.MARK} $nanos")
    }

    /** The nanoseconds of a row, after running for some [time]. */
    fun run(
        work: Work,
        database: Database,
        way: Way,
        rows: Long,
        time: Duration = Duration.ZERO,
    ): Double =
        when (work) {
            Work.SCAN -> scan(database, way, rows, time)
            Work.INGEST -> ingest(database, way, rows, time)
        } / rows

    private fun scan(
        database: Database,
        way: Way,
        rows: Long,
        time: Duration,
    ): Double {
        val expected = expectedSum(rows)

        fun measured(scan: Scan) =
            middleTime(time) {
                val sum = scan.sum()
                check(sum == expected) { "the sum is $sum, not $expected" }
            }
        return database.open().use { place ->
            when (way) {
                Way.ADBC -> {
                    ReleaseBalance.start().use {
                        place.adbc().use { opened ->
                            opened.connect().use { connection ->
                                connection.executeUpdate(database.tableSql(rows))
                                measured(connection.scan())
                            }
                        }
                    }
                }

                Way.JDBC -> {
                    place.jdbc().use { connection ->
                        connection.execute(database.tableSql(rows))
                        measured(connection.scan())
                    }
                }

                Way.ARROW_JAVA -> {
                    place.jdbc().use { connection ->
                        connection.execute(database.tableSql(rows))
                        measured(connection.scanByArrowJava(ARROW_JAVA_BATCH))
                    }
                }
            }
        }
    }

    private fun ingest(
        database: Database,
        way: Way,
        rows: Long,
        time: Duration,
    ): Double {
        val columns = IngestedRows(rows.toInt())
        return database.open().use { place ->
            if (way == Way.ADBC) {
                ReleaseBalance.start().use {
                    place.adbc().use { opened ->
                        opened.connect().use { connection ->
                            middleTime(time, prepare = { connection.executeUpdate(DROP) }) {
                                columns.ingest(connection)
                            }.also { check(connection.ingestedRows() == rows) { "rows are missing" } }
                        }
                    }
                }
            } else {
                place.jdbc().use { connection ->
                    middleTime(time, prepare = { connection.execute(DROP) }) {
                        if (database == Database.DUCKDB) {
                            columns.append(connection, database)
                        } else {
                            columns.insert(connection, database)
                        }
                    }.also { check(connection.ingestedRows() == rows) { "rows are missing" } }
                }
            }
        }
    }

    private fun Connection.execute(sql: String) = createStatement().use { it.execute(sql) }

    private fun middleTime(
        time: Duration,
        prepare: () -> Unit = {},
        work: () -> Unit,
    ): Double {
        val start = TimeSource.Monotonic.markNow()
        val times = mutableListOf<Double>()
        while (times.size < LEAST + WARM_UP || (times.size < MOST && start.elapsedNow() < time)) {
            prepare()
            times += measureTime(work).inWholeNanoseconds.toDouble()
        }
        return median(times.drop(WARM_UP))
    }

    private const val DROP = "DROP TABLE IF EXISTS ingested"
    private const val WARM_UP = 2
    private const val LEAST = 3
    private const val MOST = 40

    /** As many rows as the batches of DuckDB's ADBC driver have. */
    private const val ARROW_JAVA_BATCH = 2048L
}

/** How long the scans of a side take, if each takes less. */
private const val SECONDS = 8

/** A side of a task. */
internal fun programOf(
    work: Work,
    database: Database,
    way: Way,
    rows: Long,
): Program =
    Program(
        DatabaseProgram::class.java,
        starts = 1,
        options = listOf("-Dwork=$work", "-Ddatabase=$database", "-Dway=$way", "-Drows=$rows", "-Dseconds=$SECONDS"),
    )
