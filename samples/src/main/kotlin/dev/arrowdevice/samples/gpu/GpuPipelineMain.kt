package dev.arrowdevice.samples.gpu

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.adbc.adbc
import dev.arrowdevice.addAll
import dev.arrowdevice.asSequence
import dev.arrowdevice.recordBatch
import dev.arrowdevice.samples.gpu.FareKernel.Companion.HOURS_OF_A_DAY
import dev.arrowdevice.samples.progressBar
import dev.arrowdevice.testkit.ReleaseBalance
import kotlinx.coroutines.Job
import kotlinx.coroutines.runBlocking
import java.util.Locale
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlin.system.exitProcess
import kotlin.time.measureTimedValue

/** Runs the sample. */
public object GpuPipelineMain {
    /** Takes the number of rows, 20 million if it is missing. Ends with 1 if the GPU and DuckDB don't agree. */
    @JvmStatic
    public fun main(args: Array<String>) {
        val rows = if (args.isEmpty()) 20_000_000L else args[0].toLongOrNull() ?: 0
        if (rows <= 0) {
            System.err.println("\"${args[0]}\" is no number of rows, such as 20000000")
            exitProcess(2)
        }
        val work = Job()
        val finished = CountDownLatch(1)
        Runtime.getRuntime().addShutdownHook(
            thread(start = false) {
                work.cancel()
                finished.await()
            },
        )
        var agreed = false
        try {
            agreed = run(rows, work)
        } finally {
            println(balance())
            finished.countDown()
        }
        if (!agreed && !work.isCancelled) exitProcess(1)
    }

    private fun run(
        rows: Long,
        work: Job,
    ): Boolean =
        Gpu.open().use { gpu ->
            println("The GPU is ${gpu.note}")
            println()
            adbc("duckdb").use { database ->
                database.connect().use { duck ->
                    GpuPipeline.tripsSql(rows).forEach(duck::executeUpdate)
                    stream(gpu, duck, rows, work)
                }
            }
        }

    private fun stream(
        gpu: Gpu,
        duck: AdbcConnection,
        rows: Long,
        work: Job,
    ): Boolean {
        val bar = progressBar(rows)
        val pipeline = GpuPipeline(gpu) { bar.stepBy(it) }
        try {
            val (totals, time) = measureTimedValue { runBlocking(work) { pipeline.run(duck) } }
            bar.close()
            print(pipeline.timeline.chart(SHOWN))
            println("s: the host writes pinned memory, t: transfer, K: kernel")
            println(pipeline.timeline.summary())
            println("%,d rows in %s".format(Locale.ROOT, rows, time.inMillis))
            println()
            return compare(totals, duck)
        } catch (e: Exception) {
            bar.close()
            if (!work.isCancelled) throw e
            println("stopped after %,d rows".format(Locale.ROOT, bar.current))
            return false
        }
    }

    /** Whether DuckDB computes the same sums; the GPU's are printed. */
    private fun compare(
        totals: GpuPipeline.Totals,
        duck: AdbcConnection,
    ): Boolean =
        totals.table().use { found ->
            println(found.toTable(HOURS_OF_A_DAY, COLUMN_WIDTH))
            val agreed = duck.answer(GpuPipeline.FARES_SQL) == found.rows()
            println(if (agreed) "DuckDB by itself finds the same" else "DuckDB by itself finds something else")
            agreed
        }

    private fun GpuPipeline.Totals.table(): RecordBatch {
        val hours = (0 until HOURS_OF_A_DAY).filter { trips[it] > 0 }
        return recordBatch {
            column<Long>("hour") { addAll(hours.map { it.toLong() }) }
            column<Long>("trips") { addAll(hours.map { trips[it] }) }
            column<Long>("cents") { addAll(hours.map { cents[it] }) }
        }
    }

    private fun AdbcConnection.answer(sql: String): List<List<Long>> =
        executeQuery(sql).use { result ->
            result.asSequence().flatMap { batch -> batch.rows() }.toList()
        }

    private fun RecordBatch.rows(): List<List<Long>> =
        List(rowCount.toInt()) { row -> List(columnCount) { column(it).getLong(row.toLong()) } }

    /** What was exchanged with DuckDB, and what is left of that, of memory and of the GPU's queues and events. */
    private fun balance(): String {
        ReleaseBalance.awaitDeferredReleases()
        val now = ArrowCounters.now()
        val unreleased =
            now.unreleased() + now.hostBuffers() + now.deviceBuffers() + now.deviceQueues() + now.deviceEvents()
        return "${now.exchangedArrays()} arrays exchanged, $unreleased unreleased"
    }

    private const val SHOWN = 10
    private const val COLUMN_WIDTH = 40
}
