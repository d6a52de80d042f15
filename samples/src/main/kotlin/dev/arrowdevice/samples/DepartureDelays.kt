package dev.arrowdevice.samples

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.addAll
import dev.arrowdevice.get
import dev.arrowdevice.recordBatch
import kotlin.math.roundToInt

/** How late flights leave, by the scheduled hour of the day. Batches are added one after the other. */
internal class DepartureDelays {
    /** The figures of one hour of the day. [median] and [lateShare] are about the flights that left. */
    data class Hour(
        val hour: Int,
        val flights: Int,
        val cancelled: Int,
        val median: Double?,
        val lateShare: Double?,
    )

    private class Delays {
        private var minutes = ShortArray(1024)
        private var departed = 0
        private var cancelled = 0

        fun add(delay: Short) {
            if (departed == minutes.size) {
                minutes = minutes.copyOf(2 * departed)
            }
            minutes[departed++] = delay
        }

        fun addCancelled() {
            cancelled++
        }

        fun summary(hour: Int): Hour {
            val sorted = minutes.copyOf(departed).apply { sort() }
            val median = if (departed == 0) null else (sorted[(departed - 1) / 2] + sorted[departed / 2]) / 2.0
            val lateShare = if (departed == 0) null else sorted.count { it > LATE_MINUTES }.toDouble() / departed
            return Hour(hour, departed + cancelled, cancelled, median, lateShare)
        }
    }

    private val hours = Array(24) { Delays() }

    /** Reads the columns `sched_dep_time` (1545 is 15:45) and `dep_delay` (minutes, null for a cancelled flight). */
    fun add(batch: RecordBatch) {
        // Inside borrow, a read is a plain memory access: no object per value, no reference count per read.
        batch.borrow { row ->
            val scheduled = row["sched_dep_time"]
            val delay = row["dep_delay"]
            for (i in 0 until row.length) {
                val hour = hours[scheduled.getShort(i) / 100]
                if (delay.isNull(i)) hour.addCancelled() else hour.add(delay.getShort(i))
            }
        }
    }

    /** The hours in which at least one flight was scheduled, in order. */
    fun byHour(): List<Hour> = hours.mapIndexed { hour, delays -> delays.summary(hour) }.filter { it.flights > 0 }

    companion object {
        /** More than this is late. */
        const val LATE_MINUTES: Int = 30
    }
}

internal fun List<DepartureDelays.Hour>.asTable(): RecordBatch =
    recordBatch {
        column<Int>("hour") { addAll(map { it.hour }) }
        column<Int>("flights") { addAll(map { it.flights }) }
        column<Int>("cancelled") { addAll(map { it.cancelled }) }
        column<Double>("median_min") { addAll(map { it.median }) }
        column<Double>("late_pct") { addAll(map { it.latePercent }) }
    }

internal val DepartureDelays.Hour.latePercent: Double?
    get() = lateShare?.let { (it * 1000).roundToInt() / 10.0 }
