package dev.arrowdevice.samples.gpu

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.adbc.query
import dev.arrowdevice.addAll
import dev.arrowdevice.coroutines.awaitReady
import dev.arrowdevice.recordBatch
import dev.arrowdevice.samples.gpu.FareKernel.Companion.HOURS
import dev.arrowdevice.samples.gpu.FareKernel.Companion.HOURS_OF_A_DAY
import dev.arrowdevice.samples.gpu.FareKernel.Companion.TRIPS
import dev.arrowdevice.spi.DeviceQueue
import kotlinx.coroutines.flow.Flow

/**
 * A DuckDB result goes batch by batch to a GPU, which adds it up by the hour of day:
 *
 *     DuckDB ── C stream ──► Flow ── pinned memory ── transfer queue ──► GPU ── compute queue ──► kernel ──► 24 sums ──► host
 *
 * Two queues and two batches at a time: while the kernel works on one, the next one is transferred. Nothing waits on the
 * host but for a result, and that suspends; all else is ordered by events. A cancel releases what was under way.
 */
internal class GpuPipeline(
    private val gpu: Gpu,
    private val onRows: (Long) -> Unit = {},
) {
    val timeline = QueueTimeline()

    /** The number of trips that began in each hour of day, and their fares. */
    class Totals {
        val trips = LongArray(HOURS_OF_A_DAY)
        val cents = LongArray(HOURS_OF_A_DAY)

        fun add(hours: RecordBatch) {
            hours.borrow { reader ->
                for (hour in 0 until HOURS_OF_A_DAY) {
                    trips[hour] += reader.child(0).getLong(hour.toLong())
                    cents[hour] += reader.child(1).getLong(hour.toLong())
                }
            }
        }
    }

    /** Runs the connection's trips through the GPU. */
    suspend fun run(duck: AdbcConnection): Totals =
        gpu.runtime.createQueue().use { transfer ->
            gpu.runtime.createQueue().use { compute ->
                try {
                    noTrips().use { noTrips -> run(trips(duck), Queues(transfer, compute, noTrips)) }
                } finally {
                    compute.settle() // The kernel may be unloaded now.
                }
            }
        }

    /**
     * The queues of a run.
     *
     * @property noTrips zeros on the GPU; the sums of each batch start as a copy of them
     */
    class Queues(
        val transfer: DeviceQueue,
        val compute: DeviceQueue,
        val noTrips: RecordBatch,
    )

    fun noTrips(): RecordBatch =
        recordBatch(HOURS, device = gpu.runtime) {
            column<Long>("trips", nullable = false) { addAll(LongArray(HOURS_OF_A_DAY)) }
            column<Long>("cents", nullable = false) { addAll(LongArray(HOURS_OF_A_DAY)) }
        }

    private suspend fun run(
        trips: Flow<RecordBatch>,
        queues: Queues,
    ): Totals {
        val totals = Totals()
        val results = ArrayDeque<RecordBatch>()

        suspend fun takeResult() {
            results.removeFirst().use { hours ->
                hours.awaitReady()
                totals.add(hours)
            }
        }
        try {
            trips.collect { batch ->
                if (results.size == UNDER_WAY) takeResult()
                if (batch.rowCount > 0) results += queue(batch, queues)
                onRows(batch.rowCount)
            }
            while (results.isNotEmpty()) takeResult()
            return totals
        } finally {
            results.forEach { it.close() }
        }
    }

    /** Queues all work of a batch, and returns the sums, which will be on the host. The batch may be closed. */
    fun queue(
        batch: RecordBatch,
        queues: Queues,
    ): RecordBatch {
        val compute = queues.compute
        val began = timeline.now()
        return batch.copyToAsync(gpu.runtime, queues.transfer).use { onGpu ->
            val times = timeline.staged(began)
            timeline.transfer(times, onGpu.readyEvent)
            queues.noTrips.copyToAsync(gpu.runtime, compute).use { hours ->
                onGpu.awaitAsync(compute)
                gpu.kernel.launch(compute, onGpu, hours)
                try {
                    gpu.runtime.record(compute).use { timeline.compute(times, it) }
                    hours.copyToAsync(Device.CPU, compute).closedIfFails { onGpu.closeAsync(compute) }
                } catch (e: Throwable) {
                    compute.settle() // The kernel reads the batch, whose memory is released now.
                    throw e
                }
            }
        }
    }

    private inline fun RecordBatch.closedIfFails(action: () -> Unit): RecordBatch {
        try {
            action()
        } catch (e: Throwable) {
            close()
            throw e
        }
        return this
    }

    private fun DeviceQueue.settle() {
        try {
            synchronize()
        } catch (e: DeviceException) {
            // The work has failed, so it is done.
        }
    }

    private fun trips(duck: AdbcConnection): Flow<RecordBatch> =
        duck.query("FROM trips", prefetch = 2).gathered(TRIPS, ROWS_OF_A_BATCH)

    companion object {
        /** One batch is computed on, one is transferred. */
        private const val UNDER_WAY = 2

        private const val ROWS_OF_A_BATCH = 131_072

        private const val KNOWN = 1_000_000L

        /**
         * Statements for trips that DuckDB invents: seconds since midnight, metres, and a tip in cents, which may be
         * null. It invents a million and repeats them, which keeps DuckDB ahead of the GPU.
         */
        fun tripsSql(rows: Long): List<String> =
            listOf(
                "CREATE TABLE known AS " +
                    "SELECT range AS id, (range * 7919 % 86400)::INTEGER AS second, " +
                    "(range * 104729 % 20000)::INTEGER AS metres, " +
                    "CASE WHEN range % 3 = 0 THEN (range % 500)::INTEGER END AS tip FROM range(${minOf(rows, KNOWN)})",
                "CREATE VIEW trips AS SELECT second, metres, tip " +
                    "FROM range(${(rows + KNOWN - 1) / KNOWN}) AS rounds(round) CROSS JOIN known " +
                    "WHERE round * $KNOWN + id < $rows",
            )

        /** The kernel's computation in SQL. */
        const val FARES_SQL =
            "SELECT second // 3600 AS hour, count(*) AS trips, " +
                "sum(350 + metres * (CASE WHEN second // 3600 < 6 THEN 3 ELSE 2 END) // 10 + coalesce(tip, 0))" +
                "::BIGINT AS cents FROM trips GROUP BY hour ORDER BY hour"
    }
}
