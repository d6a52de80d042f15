package dev.arrowdevice.samples.spark

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.spark.mapBatches
import org.apache.spark.SparkEnv
import org.apache.spark.api.java.function.MapPartitionsFunction
import org.apache.spark.scheduler.SparkListener
import org.apache.spark.scheduler.SparkListenerTaskEnd
import org.apache.spark.sql.Encoders
import org.apache.spark.sql.SparkSession

/**
 * Moves the flights that left late from one database through Kotlin on Spark's executors into another. Runs in a cluster:
 * [LateFlightsMain] starts one.
 */
internal object LateFlights {
    private const val LATE_MINUTES = 30
    private const val COLUMNS = "month, day, carrier, flight, origin, dest, dep_delay::DOUBLE AS dep_delay"

    @JvmStatic
    fun main(arguments: Array<String>) {
        val (flightsFile, targetFile) = arguments
        val spark = SparkSession.builder().appName("late flights").getOrCreate()
        try {
            spark.sparkContext().addSparkListener(TaskPrinter())
            move(spark, flightsFile, targetFile)
            report(spark, targetFile)
        } finally {
            spark.stop()
        }
    }

    private fun move(
        spark: SparkSession,
        flightsFile: String,
        targetFile: String,
    ) {
        // Four partitions, each of which a DuckDB in an executor reads.
        val flights =
            spark
                .read()
                .format("arrow-device")
                .option("driver", "duckdb")
                .option("query", "SELECT $COLUMNS FROM '${flightsFile.replace("'", "''")}'")
                .option("partitionColumn", "month")
                .option("lowerBound", "1")
                .option("upperBound", "13")
                .option("numPartitions", "4")
                .load()

        // On the executors: a batch of rows in native memory, for our own code, or for a GPU.
        val late = flights.mapBatches { batch -> lateOf(batch) }

        // Each task writes into a table of its own. The last step moves their rows, all or none, in one transaction.
        late
            .write()
            .format("arrow-device")
            .option("driver", "sqlite")
            .option("url", "file:$targetFile")
            .option("dbtable", "late_flights")
            .mode("append")
            .save()
    }

    private fun lateOf(batch: RecordBatch): RecordBatch {
        val delay = batch.column("dep_delay")
        return batch.filter { row -> !delay.isNull(row) && delay.getDouble(row) > LATE_MINUTES }
    }

    private fun report(
        spark: SparkSession,
        targetFile: String,
    ) {
        spark
            .read()
            .format("arrow-device")
            .option("driver", "sqlite")
            .option("url", "file:$targetFile")
            .option("dbtable", "late_flights")
            .load()
            .groupBy("origin")
            .count()
            .orderBy("origin")
            .show()
        // More tasks than threads, so that each executor has some.
        val function = CountersOfExecutor()
        spark
            .range(0, TASKS, 1, TASKS.toInt())
            .mapPartitions(function, Encoders.STRING())
            .distinct()
            .collectAsList()
            .sorted()
            .forEach(::println)
    }

    private const val TASKS = 16L

    private class CountersOfExecutor : MapPartitionsFunction<Long, String> {
        override fun call(numbers: Iterator<Long>): Iterator<String> {
            numbers.forEachRemaining { }
            val counters = ArrowCounters.now()
            val line =
                "executor ${SparkEnv.get().executorId()}: ${counters.exchangedArrays()} arrays exchanged, " +
                    "${counters.unreleased() + counters.hostBuffers()} unreleased"
            return listOf(line).iterator()
        }
    }

    /** Prints a line for each task that moved rows. */
    private class TaskPrinter : SparkListener() {
        override fun onTaskEnd(end: SparkListenerTaskEnd) {
            val metrics = end.taskMetrics() ?: return
            if (end.stageId() != 0) return // The first stage moves the rows; the others only ask.
            val task = end.taskInfo()
            val rows = metrics.inputMetrics().recordsRead()
            val where = "task ${task.index()} on executor ${task.executorId()}"
            println("$where: $rows flights read, the late ones written, in ${task.duration()} ms")
        }
    }
}
