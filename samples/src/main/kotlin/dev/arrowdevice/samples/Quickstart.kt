@file:JvmName("Quickstart")

package dev.arrowdevice.samples

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.addAll
import dev.arrowdevice.asSequence
import dev.arrowdevice.exportTo
import dev.arrowdevice.forEachBatch
import dev.arrowdevice.importStream
import dev.arrowdevice.recordBatch
import dev.arrowdevice.samples.duckdb.DuckDb
import dev.arrowdevice.samples.duckdb.DuckDbConnection
import dev.arrowdevice.samples.duckdb.StreamRegistration
import dev.arrowdevice.toDeviceArrayStream
import java.io.PrintStream
import java.math.BigDecimal
import java.nio.file.Path
import java.util.Locale
import kotlin.math.roundToInt
import kotlin.time.Duration
import kotlin.time.measureTime
import kotlin.time.measureTimedValue

/**
 * The flights that left New York in 2013, in an embedded DuckDB and in Kotlin, exchanged without a copy both ways.
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
    val before = ArrowCounters.now()
    DuckDb.openInMemory().use { database ->
        database.connect().use { duck ->
            for (table in listOf("flights", "airlines", "airports")) {
                duck.execute("CREATE VIEW $table AS FROM ${DuckDbConnection.literal("$data/$table.parquet")}")
            }
            whenToLeave(duck, out)
            whichFlightToTake(duck, out)
        }
    }
    val after = ArrowCounters.now()
    val taken = (after - before).importedArrays()
    val given = (after - before).exportedArrays()
    out.println(
        "${taken + given} arrays exchanged, $taken from DuckDB and $given to it: ${after.unreleased()} unreleased",
    )
}

/** DuckDB to Kotlin: a query's result is a stream of batches, and Kotlin computes on their columns. */
private fun whenToLeave(
    duck: DuckDbConnection,
    out: PrintStream,
) {
    val delays = DepartureDelays()
    var flights = 0L
    var batches = 0
    var computing = Duration.ZERO
    val reading =
        measureTime {
            duck.stream("SELECT sched_dep_time, dep_delay FROM flights").use { stream ->
                stream.forEachBatch { batch ->
                    computing += measureTime { delays.add(batch) }
                    flights += batch.rowCount
                    batches++
                }
            }
        } - computing
    val hours = delays.byHour()
    out.println(
        "How late do flights leave New York? By the hour for which they are scheduled; late: more than 30 minutes.",
    )
    out.println()
    hours.asTable().use { out.println(it.toTable(HOURS_OF_A_DAY, COLUMN_WIDTH)) }
    val common = hours.filter { it.flights >= 1000 }
    val best = common.minBy { it.lateShare ?: 1.0 }
    val worst = common.maxBy { it.lateShare ?: 0.0 }
    out.println(
        "Best at ${best.hour}:00: ${best.latePercent} % leave late. Worst at ${worst.hour}:00: ${worst.latePercent} %.",
    )
    out.println(
        "DuckDB read %,d flights from Parquet in %s, Kotlin took them in %d batches and computed for %s."
            .format(Locale.ROOT, flights, reading.inMillis, batches, computing.inMillis),
    )
    out.println()
}

/** Kotlin to DuckDB: a batch built with the DSL becomes a view, and SQL joins it with the flights. */
private fun whichFlightToTake(
    duck: DuckDbConnection,
    out: PrintStream,
) {
    val trips = trips()
    out.println("Who wants to go where? A null among the carriers and times: any will do.")
    out.println()
    out.println(trips)
    out.println()
    val (answer, time) =
        measureTimedValue {
            duck.register("trips", trips).use {
                duck.stream(BEST_FLIGHTS).use { stream -> stream.asSequence().map { it.toString() }.toList() }
            }
        }
    out.println(
        "Which flight gets them there, at most 30 minutes late, most often? And what does its mean delay cost them?",
    )
    out.println()
    answer.forEach(out::println)
    out.println("DuckDB joined Kotlin's batch with the flights in ${time.inMillis}.")
    out.println()
}

private fun trips(): RecordBatch =
    recordBatch {
        column<String>("traveller", nullable = false)
        column<String>("destination", nullable = false)
        column<Short>("earliest")
        column<Short>("latest")
        list<String>("carriers")
        decimal("hour_value", precision = 6, scale = 2)
        row("Ada", "ORD", 600, 1000, listOf("UA", "AA"), BigDecimal("85.00"))
        row("Alan", "LAX", 1500, null, null, BigDecimal("120.50"))
        row("Barbara", "BOS", 1700, 2000, null, BigDecimal("99.90"))
        row("Edsger", "MIA", 700, 1200, listOf("WN"), BigDecimal("60.00"))
        row("Grace", "SFO", null, null, listOf("VX", "B6", "DL"), null)
    }

internal const val BEST_FLIGHTS = """
    WITH options AS (
        SELECT t.traveller, t.destination, t.hour_value, f.carrier, f.origin, f.sched_dep_time // 100 AS hour,
               count(f.flight) AS flights,
               avg(coalesce(f.arr_delay <= 30, false)::INT) FILTER (WHERE f.flight IS NOT NULL) AS in_time,
               avg(greatest(f.arr_delay, 0)) FILTER (WHERE f.arr_delay IS NOT NULL) AS delay
        FROM trips t
        LEFT JOIN flights f
               ON f.dest = t.destination
              AND (t.carriers IS NULL OR list_contains(t.carriers, f.carrier))
              AND f.sched_dep_time BETWEEN coalesce(t.earliest, 0) AND coalesce(t.latest, 2359)
        GROUP BY ALL
        HAVING count(f.flight) = 0 OR count(f.flight) >= 100
    )
    SELECT o.traveller, p.name AS destination, a.name AS airline, o.origin, o.hour, o.flights,
           round(100 * o.in_time, 1) AS in_time_pct,
           (o.hour_value * o.delay::DECIMAL(8, 4) / 60)::DECIMAL(9, 2) AS delay_cost
    FROM options o
    JOIN airports p ON p.faa = o.destination
    LEFT JOIN airlines a USING (carrier)
    QUALIFY row_number() OVER (PARTITION BY o.traveller ORDER BY o.in_time DESC, o.carrier, o.origin, o.hour) = 1
    ORDER BY o.traveller
"""

/** A statement's result. */
private fun DuckDbConnection.stream(sql: String): DeviceArrayStream =
    importStream { stream -> query(sql, stream.address) }

/** Makes a batch a view, which owns it from now on. */
private fun DuckDbConnection.register(
    name: String,
    batch: RecordBatch,
): StreamRegistration =
    listOf(batch).toDeviceArrayStream(batch.schema).use { stream ->
        stream.exportTo { register(name, it.address) } // DuckDB moves it; otherwise it is closed here.
    }

private fun List<DepartureDelays.Hour>.asTable(): RecordBatch =
    recordBatch {
        column<Int>("hour") { addAll(map { it.hour }) }
        column<Int>("flights") { addAll(map { it.flights }) }
        column<Int>("cancelled") { addAll(map { it.cancelled }) }
        column<Double>("median_min") { addAll(map { it.median }) }
        column<Double>("late_pct") { addAll(map { it.latePercent }) }
    }

private val DepartureDelays.Hour.latePercent: Double?
    get() = lateShare?.let { (it * 1000).roundToInt() / 10.0 }

private val Duration.inMillis: String get() = "$inWholeMilliseconds ms"

private const val HOURS_OF_A_DAY = 24
private const val COLUMN_WIDTH = 40
