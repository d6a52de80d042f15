package dev.arrowdevice.spark

import dev.arrowdevice.testkit.ReleaseBalance
import org.apache.spark.sql.DataFrameReader
import org.apache.spark.sql.Dataset
import org.apache.spark.sql.Row
import org.apache.spark.sql.SparkSession
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively

/** Spark in this process, with two threads for tasks; for all tests, and until the process ends. */
internal val spark: SparkSession by lazy {
    SparkSession
        .builder()
        .master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", Files.createTempDirectory("arrow-device-spark").toString())
        .getOrCreate()
}

internal fun reader(vararg options: Pair<String, String>): DataFrameReader =
    spark.read().format("arrow-device").also { reader ->
        options.forEach { (name, value) -> reader.option(name, value) }
    }

internal fun Dataset<*>.rows(): List<Row> = toDF().collectAsList()

/** Runs a test in a folder of its own, and checks that nothing is left of it in native memory. */
@OptIn(ExperimentalPathApi::class)
internal fun inFolder(test: (Path) -> Unit) {
    spark // Its threads are not the test's.
    val folder = Files.createTempDirectory("arrow-device-spark")
    try {
        ReleaseBalance.start().use { test(folder) }
    } finally {
        folder.deleteRecursively()
    }
}

/** All messages of a failure, as Spark wraps them. */
internal fun Throwable.messages(): String = generateSequence(this) { it.cause }.joinToString("\n") { "$it" }
