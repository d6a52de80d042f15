package dev.arrowdevice.spark

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.spi.DeviceRuntime
import org.apache.spark.SparkEnv
import org.apache.spark.TaskContext
import org.apache.spark.api.java.function.MapPartitionsFunction
import org.apache.spark.sql.Dataset
import org.apache.spark.sql.Encoders
import org.apache.spark.sql.Row
import org.apache.spark.sql.SparkSession
import java.io.Serializable
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Files
import java.nio.file.Path
import java.util.function.UnaryOperator
import kotlin.io.path.readLines

/** Numbers and texts, made in the executors. */
class Generated : StreamSource {
    override fun schema(options: Map<String, String>): Schema =
        Schema.of(Field.notNull("n", ArrowType.INT64), Field.notNull("x", ArrowType.FLOAT64))

    override fun partitions(options: Map<String, String>): List<String> = (0 until PARTITIONS).map { "$it" }

    override fun open(
        partition: String,
        options: Map<String, String>,
        memory: DeviceRuntime,
    ): DeviceArrayStream {
        val rows = options.getValue("rows").toLong() / PARTITIONS
        val schema = schema(options)
        val batches =
            (0 until rows step BATCH).asSequence().map { from ->
                RecordBatchBuilder.of(schema, memory, UnaryOperator.identity()).use { builder ->
                    for (i in from until minOf(rows, from + BATCH)) {
                        builder.column(0).append(partition.toLong() * rows + i)
                        builder.column(1).append(i / 2.0)
                    }
                    builder.finish()
                }
            }
        return DeviceArrayStream.of(schema, DeviceType.CPU, batches.iterator()) {}
    }

    private companion object {
        const val PARTITIONS = 8
        const val BATCH = 100_000L
    }
}

/** What [ClusterTest] runs in a cluster. It prints `name=value` lines, which the test looks at. */
object ClusterJob {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val (postgres, jdbc, sqlite) = arguments
        val (driver, sqliteDriver, marker) = arguments.drop(3)
        val rows = arguments[6].toLong()
        val many = arguments[7].toLong()
        val spark =
            SparkSession
                .builder()
                .config("spark.sql.session.timeZone", "UTC")
                .config("spark.executor.resource.gpu.amount", 1)
                .config("spark.task.resource.gpu.amount", 1)
                .config("spark.extraListeners", OnGpu.Scheduled::class.java.name)
                .getOrCreate()
        val adbc = mapOf("driver" to driver, "url" to postgres)
        val ranges =
            mapOf(
                "partitionColumn" to "id",
                "lowerBound" to "0",
                "upperBound" to "$rows",
                "numPartitions" to "4",
            )

        fun adbc(table: String) =
            spark
                .read()
                .format("arrow-device")
                .options(adbc + ranges + ("dbtable" to table))
                .load()

        fun jdbc(table: String) =
            spark
                .read()
                .format(
                    "jdbc",
                ).options(
                    ranges,
                ).option(
                    "url",
                    jdbc,
                ).option("user", "postgres")
                .option("driver", "org.postgresql.Driver")
                .option("dbtable", table)
                .load()

        fun said(
            name: String,
            value: Any?,
        ) = println("$name=$value")

        fun rate(table: Dataset<Row>): Long {
            table
                .write()
                .format("noop")
                .mode("overwrite")
                .save()
            val begin = System.nanoTime()
            table
                .write()
                .format("noop")
                .mode("overwrite")
                .save()
            return rows * 1_000_000_000 / (System.nanoTime() - begin)
        }
        said("adbc", digest(adbc("big")))
        said("jdbc", digest(jdbc("big")))
        said("adbc rows/s", rate(adbc("wide")))
        said("jdbc rows/s", rate(jdbc("wide")))

        // One executor kills itself in the middle, and only once.
        val doubled = adbc("big").mapBatches { batch -> batch.share().also { dieOnce(marker) } }
        doubled
            .write()
            .format(
                "arrow-device",
            ).options(adbc)
            .option("dbtable", "copied")
            .option("batch.rows", "20000")
            .mode("append")
            .save()
        said("copied", digest(jdbc("copied")))
        said("killed", Files.exists(Path.of(marker)))
        said("ids", jdbc("copied").select("id").distinct().count())

        val lite = mapOf("driver" to sqliteDriver, "url" to "file:$sqlite", "dbtable" to "lite")
        adbc("big")
            .where("id < 20000")
            .write()
            .format("arrow-device")
            .options(lite)
            .mode("append")
            .save()
        said(
            "sqlite",
            digest(
                spark
                    .read()
                    .format("arrow-device")
                    .options(lite)
                    .load(),
            ),
        )
        said(
            "sqlite jdbc",
            digest(
                spark
                    .read()
                    .format(
                        "jdbc",
                    ).option(
                        "url",
                        "jdbc:sqlite:$sqlite",
                    ).option("driver", "org.sqlite.JDBC")
                    .option("dbtable", "lite")
                    .load(),
            ),
        )

        val named =
            spark
                .range(
                    0,
                    ROWS_ON_GPUS,
                    1,
                    4,
                ).selectExpr("id", "'order ' || id AS name", "id * 0.25D AS amount")
        val used = spark.sparkContext().collectionAccumulator<String>("GPUs")
        said("on GPUs", digest(named.mapBatches(function = OnGpu(used))))
        said("trebled", digest(named.selectExpr("3 * id AS id", "name", "amount")))
        used.value().distinct().forEach { said("used", it) }

        val generated = spark.read().format("arrow-device").option("class", Generated::class.java.name)
        said(
            "generated",
            generated
                .option("rows", "${many / 10}")
                .load()
                .selectExpr("count(*)", "sum(n)")
                .first(),
        )
        said("before", resident(spark))
        val begin = System.nanoTime()
        said(
            "generated",
            generated
                .option("rows", "$many")
                .load()
                .selectExpr("count(*)", "sum(n)")
                .first(),
        )
        said("generated rows/s", many * 1_000_000_000 / (System.nanoTime() - begin))
        said("after", resident(spark))
        onExecutors(spark) {
            "executor " + SparkEnv.get().executorId() + ": " + ArrowCounters.now().let(::held) + " unreleased"
        }.forEach(::println)
        spark.stop()
    }

    private fun held(counters: ArrowCounters): Long =
        counters.unreleased() + counters.hostBuffers() + counters.deviceBuffers() + counters.deviceQueues() +
            counters.deviceEvents() + counters.pendingReleases()

    private fun digest(rows: Dataset<Row>): Row =
        rows.selectExpr("count(*)", "sum(id)", "sum(crc32(name))", "sum(amount)").first()

    private fun dieOnce(marker: String) {
        val task = TaskContext.get()
        if (task.partitionId() != 1 || task.attemptNumber() > 0) return
        try {
            Files.createFile(Path.of(marker + task.stageId()))
        } catch (e: FileAlreadyExistsException) {
            // The second batch: the first one is in the database already, in the table of this attempt.
            Files.createFile(Path.of(marker))
            ProcessBuilder("kill", "-9", "${ProcessHandle.current().pid()}").start().waitFor()
        }
    }

    private fun resident(spark: SparkSession): Long =
        onExecutors(spark) {
            Path
                .of("/proc/self/status")
                .readLines()
                .first {
                    it.startsWith("VmRSS")
                }.filter { it.isDigit() }
        }.maxOf { it.toLong() } /
            1024

    /** What a function returns on each executor. */
    private fun onExecutors(
        spark: SparkSession,
        what: Said,
    ): List<String> {
        val function = EachExecutor(what)
        return spark
            .range(
                0,
                TASKS,
                1,
                TASKS.toInt(),
            ).mapPartitions(function, Encoders.STRING())
            .distinct()
            .collectAsList()
            .sorted()
    }

    private fun interface Said : Serializable {
        fun say(): String
    }

    private class EachExecutor(
        private val what: Said,
    ) : MapPartitionsFunction<Long, String> {
        override fun call(numbers: Iterator<Long>): Iterator<String> {
            val said = what.say()
            while (numbers.hasNext()) numbers.next()
            return listOf(said).iterator()
        }
    }

    private const val TASKS = 16L

    /** Each of four tasks has two batches of them. */
    private const val ROWS_ON_GPUS = 400_000L
}
