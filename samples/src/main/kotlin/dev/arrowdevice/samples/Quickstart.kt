@file:JvmName("Quickstart")

package dev.arrowdevice.samples

import dev.arrowdevice.adbc.IngestMode
import dev.arrowdevice.adbc.IngestTarget
import dev.arrowdevice.adbc.adbc
import dev.arrowdevice.forEachBatch
import java.io.PrintStream
import java.nio.file.Path

/**
 * The flights that left New York in 2013, in an embedded DuckDB and in Kotlin, which exchange batches over ADBC.
 *
 * The argument is the folder with the data set, `samples/data` if it is missing.
 */
public fun main(args: Array<String>) {
    quickstart(Path.of(args.firstOrNull() ?: "samples/data"), System.out)
}

internal fun quickstart(
    data: Path,
    out: PrintStream,
) {
    val report = QuickstartReport(out)
    adbc("duckdb").use { database ->
        database.connect().use { duck ->
            for (table in listOf("flights", "airlines", "airports")) {
                duck.executeUpdate("CREATE VIEW $table AS FROM '${"$data/$table.parquet".replace("'", "''")}'")
            }

            // DuckDB to Kotlin: a result is a stream of batches, and Kotlin computes on them where DuckDB put them.
            val delays = DepartureDelays()
            report.reading {
                duck.executeQuery("SELECT sched_dep_time, dep_delay FROM flights").use { result ->
                    result.forEachBatch { batch -> report.computing(batch) { delays.add(batch) } }
                }
            }
            report.print(delays.byHour())

            // Kotlin to DuckDB: DuckDB copies the rows of a batch into a table, and SQL joins it with the flights.
            trips().use { trips ->
                report.print(trips)
                duck.ingest(IngestTarget.table("trips", IngestMode.CREATE), trips)
            }
            report.answer {
                duck.executeQuery(BEST_FLIGHTS).use { result -> result.forEachBatch { batch -> out.println(batch) } }
            }
        }
    }
    report.printCounters()
}
