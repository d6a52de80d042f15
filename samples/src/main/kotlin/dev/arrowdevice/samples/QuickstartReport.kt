package dev.arrowdevice.samples

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.RecordBatch
import java.io.PrintStream
import java.util.Locale
import kotlin.time.Duration
import kotlin.time.measureTime

/** What the quickstart prints: its answers, how long they took, and what was exchanged. */
internal class QuickstartReport(
    private val out: PrintStream,
) {
    private val before = ArrowCounters.now()
    private var reading = Duration.ZERO
    private var computing = Duration.ZERO
    private var flights = 0L
    private var batches = 0

    /** Adds the time of DuckDB's work on a query, and of Kotlin's on its batches. */
    fun reading(query: () -> Unit) {
        reading += measureTime(query)
    }

    /** Adds the time of Kotlin's work on a batch. */
    fun computing(
        batch: RecordBatch,
        work: () -> Unit,
    ) {
        computing += measureTime(work)
        flights += batch.rowCount
        batches++
    }

    fun print(hours: List<DepartureDelays.Hour>) {
        out.println(
            "How late do flights leave New York? By the hour for which they are scheduled; late: more than 30 minutes.",
        )
        out.println()
        hours.asTable().use { out.println(it.toTable(HOURS_OF_A_DAY, COLUMN_WIDTH)) }
        val common = hours.filter { it.flights >= 1000 }
        val best = common.minBy { it.lateShare ?: 1.0 }
        val worst = common.maxBy { it.lateShare ?: 0.0 }
        out.println(
            "Best at ${best.hour}:00: ${best.latePercent} % leave late. " +
                "Worst at ${worst.hour}:00: ${worst.latePercent} %.",
        )
        out.println(
            "DuckDB read %,d flights from Parquet in %s, Kotlin took them in %d batches and computed for %s."
                .format(Locale.ROOT, flights, (reading - computing).inMillis, batches, computing.inMillis),
        )
        out.println()
    }

    fun print(trips: RecordBatch) {
        out.println("Who wants to go where? A null among the carriers and times: any will do.")
        out.println()
        out.println(trips)
        out.println()
    }

    fun answer(query: () -> Unit) {
        out.println(
            "Which flight gets them there, at most 30 minutes late, most often? And what does its mean delay cost them?",
        )
        out.println()
        val time = measureTime(query)
        out.println("DuckDB joined Kotlin's rows with the flights in ${time.inMillis}.")
        out.println()
    }

    fun printCounters() {
        val after = ArrowCounters.now()
        val taken = (after - before).importedArrays()
        val sent = (after - before).exportedArrays()
        out.println(
            "${taken + sent} arrays exchanged, $taken from DuckDB and $sent to it: ${after.unreleased()} unreleased",
        )
    }

    private val Duration.inMillis: String get() = "$inWholeMilliseconds ms"

    private companion object {
        const val HOURS_OF_A_DAY = 24
        const val COLUMN_WIDTH = 40
    }
}
