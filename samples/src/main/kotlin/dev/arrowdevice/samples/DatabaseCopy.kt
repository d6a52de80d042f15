package dev.arrowdevice.samples

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.adbc.AdbcException
import dev.arrowdevice.adbc.IngestMode
import dev.arrowdevice.adbc.IngestTarget
import dev.arrowdevice.adbc.adbc
import dev.arrowdevice.adbc.ingest
import dev.arrowdevice.adbc.query
import dev.arrowdevice.adbc.transaction
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.coroutines.mapBatches
import dev.arrowdevice.get
import kotlinx.coroutines.flow.onEach
import java.nio.file.Files
import java.nio.file.Path
import java.time.LocalDateTime
import java.util.Locale
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively
import kotlin.system.exitProcess

/**
 * Copies flights from DuckDB into a table of another database, as a Flow that Kotlin transforms on the way:
 *
 *     DuckDB ── C stream ──► Flow ── Kotlin ──► Flow ── C stream ──► SQLite or PostgreSQL
 *
 * It is one transaction of the other database, which has all rows afterwards, or no table if the copy fails or is
 * cancelled.
 *
 * @property flights the Parquet file with the flights of a year, which is read again and again until there are enough
 * @property uri of the other database; PostgreSQL's begins with `postgres`
 */
internal class DatabaseCopy(
    private val flights: Path,
    private val rows: Long,
    private val uri: String,
    private val onRows: (Long) -> Unit,
) {
    private val driver = if (uri.startsWith("postgres")) "postgresql" else "sqlite"

    /** Returns what the other database says of its new table. */
    suspend fun run(): String =
        adbc("duckdb").use { source ->
            adbc(driver) { uri = this@DatabaseCopy.uri }.use { sink ->
                source.connect().use { from -> sink.connect().use { into -> copy(from, into) } }
            }
        }

    private suspend fun copy(
        from: AdbcConnection,
        into: AdbcConnection,
    ): String {
        into.transaction {
            val departures = from.query(flightsSql(from), prefetch = 2).mapBatches { departures(it) }
            into.ingest(
                IngestTarget.table("departures", IngestMode.CREATE),
                DEPARTURES,
                departures.onEach { onRows(it.rowCount) },
            )
        }
        return into.executeQuery(SUMMARY_SQL).use { result -> result.nextBatch().use { it.toString() } }
    }

    /** The flights of the year, as often as it takes. */
    private fun flightsSql(from: AdbcConnection): String {
        val file = "read_parquet('${flights.toString().replace("'", "''")}', file_row_number = true)"
        val known = from.executeQuery("SELECT count(*) FROM $file").use { it.nextBatch().use(::firstLong) }
        return "SELECT year::INTEGER AS year, month::INTEGER AS month, day::INTEGER AS day, " +
            "sched_dep_time::INTEGER AS time, carrier, flight::INTEGER AS flight, origin, " +
            "dep_delay::INTEGER AS delay " +
            "FROM range(${(rows + known - 1) / known}) AS years(year_number) CROSS JOIN $file " +
            "WHERE year_number * $known + file_row_number < $rows"
    }

    private fun firstLong(batch: RecordBatch?): Long = batch!!.column(0).getLong(0)

    /** Kotlin's part: one time out of four numbers, and the number of the flight as people write it. */
    private fun departures(flights: RecordBatch): RecordBatch =
        RecordBatchBuilder.of(DEPARTURES).use { builder ->
            flights.borrow { row ->
                val (year, month, day, time) = listOf("year", "month", "day", "time").map { row[it] }
                val carrier = row["carrier"]
                val flight = row["flight"]
                val origin = row["origin"]
                val delay = row["delay"]
                for (i in 0 until row.length) {
                    val (hour, minute) = time.getInt(i).let { it / 100 to it % 100 }
                    val planned = LocalDateTime.of(year.getInt(i), month.getInt(i), day.getInt(i), hour, minute)
                    builder.column(0).append(planned)
                    builder.column(1).append("${carrier.getString(i)} ${flight.getInt(i)}")
                    builder.column(2).append(origin, i)
                    builder.column(3).append(delay, i)
                }
            }
            builder.finish()
        }

    private companion object {
        val DEPARTURES: Schema =
            Schema.of(
                Field.nullable("planned", ArrowType.timestamp(TimeUnit.MICROSECOND)),
                Field.nullable("flight", ArrowType.UTF8),
                Field.nullable("origin", ArrowType.UTF8),
                Field.nullable("delay", ArrowType.INT32),
            )

        const val SUMMARY_SQL =
            "SELECT count(*) AS departures, count(DISTINCT flight) AS flights, count(DISTINCT origin) AS airports, " +
                "count(delay) AS departed FROM departures"
    }
}

/** Runs the sample. */
public object DatabaseCopyMain {
    /**
     * Takes the folder of the data set, the number of rows (a million if it is missing), and the URI of a database.
     * Without a URI it copies into a SQLite database, which it removes in the end.
     */
    @JvmStatic
    public fun main(args: Array<String>) {
        val rows = if (args.size < 2) 1_000_000L else args[1].toLongOrNull() ?: 0
        if (rows <= 0) {
            System.err.println("\"${args[1]}\" is no number of rows, such as 1000000")
            exitProcess(2)
        }
        val flights = Path.of(args.firstOrNull() ?: "samples/data").resolve("flights.parquet")
        try {
            if (args.size > 2) copy(flights, rows, args[2]) else copyAndRemove(flights, rows)
        } catch (e: AdbcException) {
            System.err.println(e.message)
            exitProcess(1)
        }
    }

    @OptIn(ExperimentalPathApi::class)
    private fun copyAndRemove(
        flights: Path,
        rows: Long,
    ) {
        val folder = Files.createTempDirectory("arrow-device-copy")
        copy(flights, rows, "file:${folder.resolve("copy.db")}") { folder.deleteRecursively() }
    }

    private fun copy(
        flights: Path,
        rows: Long,
        uri: String,
        cleanUp: () -> Unit = {},
    ) = cancellableRun(
        rows,
        work = { onRows -> DatabaseCopy(flights, rows, uri, onRows).run() },
        cleanUp = cleanUp,
    ) { summary, time ->
        println(summary)
        println("%,d rows in %s".format(Locale.ROOT, rows, time))
    }
}
