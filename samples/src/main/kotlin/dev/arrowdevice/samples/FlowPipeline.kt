package dev.arrowdevice.samples

import dev.arrowdevice.ArrayReader
import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.adbc.IngestMode
import dev.arrowdevice.adbc.IngestTarget
import dev.arrowdevice.adbc.adbc
import dev.arrowdevice.adbc.ingest
import dev.arrowdevice.adbc.query
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.coroutines.mapBatches
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.toList
import java.util.Locale
import kotlin.system.exitProcess

/**
 * A DuckDB result as a Flow, transformed in Kotlin, and ingested as a Flow into a second DuckDB:
 *
 *     DuckDB A ── C stream ──► Flow ── Kotlin ──► Flow ── C stream ──► DuckDB B
 *
 * Ctrl-C cancels it; what was under way is released all the same.
 */
internal class FlowPipeline(
    private val rows: Long,
    private val onRows: (Long) -> Unit,
) {
    /** The result of the second database: trips and mean fare by hour, as text. */
    suspend fun run(): String =
        adbc("duckdb").use { source ->
            adbc("duckdb").use { sink ->
                source.connect().use { from -> sink.connect().use { into -> pipe(from, into) } }
            }
        }

    private suspend fun pipe(
        from: AdbcConnection,
        into: AdbcConnection,
    ): String {
        into.ingest(IngestTarget.table("fares", IngestMode.CREATE), FARES, fares(trips(from)))
        return into
            .query(ANSWER_SQL)
            .map { it.toString() }
            .toList()
            .joinToString("\n")
    }

    /** Trips that DuckDB invents: seconds since midnight, metres, and a tip in cents, which may be null. */
    private fun trips(from: AdbcConnection): Flow<RecordBatch> = from.query(tripsSql(rows), prefetch = 2)

    /** Kotlin's part: the hour, and the fare in cents by a tariff with a night rate. */
    private fun fares(trips: Flow<RecordBatch>): Flow<RecordBatch> =
        trips.mapBatches { fares(it) }.onEach { onRows(it.rowCount) }

    private fun fares(batch: RecordBatch): RecordBatch {
        val count = batch.rowCount.toInt()
        val hours = IntArray(count)
        val cents = LongArray(count)
        batch.borrow { reader ->
            val second = reader.child(0)
            val metres = reader.child(1)
            val tip = reader.child(2)
            for (row in 0 until count) {
                val hour = second.getInt(row.toLong()) / 3600
                hours[row] = hour
                cents[row] = fare(hour, metres.getInt(row.toLong())) + tip.orZero(row.toLong())
            }
        }
        RecordBatchBuilder.of(FARES).use { builder ->
            builder.column(0).appendAll(hours)
            builder.column(1).appendAll(cents)
            return builder.finish()
        }
    }

    internal companion object {
        private val FARES =
            Schema.of(Field.notNull("hour", ArrowType.INT32), Field.notNull("cents", ArrowType.INT64))

        private const val ANSWER_SQL =
            "SELECT hour // 6 * 6 AS from_hour, count(*) AS trips, round(avg(cents) / 100, 2) AS mean_fare " +
                "FROM fares GROUP BY ALL ORDER BY ALL"

        private fun tripsSql(rows: Long) =
            "SELECT (range * 7919 % 86400)::INTEGER AS second, (range * 104729 % 20000)::INTEGER AS metres, " +
                "CASE WHEN range % 3 = 0 THEN (range % 500)::INTEGER END AS tip FROM range($rows)"

        private fun fare(
            hour: Int,
            metres: Int,
        ): Long = 350 + metres * (if (hour < 6) 3L else 2L) / 10

        private fun ArrayReader.orZero(row: Long): Int = if (isNull(row)) 0 else getInt(row)
    }
}

/** Runs the sample. */
public object FlowPipelineMain {
    /** Takes the number of rows, 20 million if it is missing. */
    @JvmStatic
    public fun main(args: Array<String>) {
        val rows = if (args.isEmpty()) 20_000_000L else args[0].toLongOrNull() ?: 0
        if (rows <= 0) {
            System.err.println("\"${args[0]}\" is no number of rows, such as 20000000")
            exitProcess(2)
        }
        cancellableRun(rows, work = { onRows -> FlowPipeline(rows, onRows).run() }) { table, time ->
            println(table)
            println("%,d rows in %s".format(Locale.ROOT, rows, time))
        }
    }
}
