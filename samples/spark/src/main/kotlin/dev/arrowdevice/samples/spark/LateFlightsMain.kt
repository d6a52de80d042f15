package dev.arrowdevice.samples.spark

import dev.arrowdevice.spark.cluster.LocalCluster
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.absolute
import kotlin.system.exitProcess

/** Starts a cluster on loopback, runs [LateFlights] in it, and stops it. */
internal object LateFlightsMain {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val flights = Path.of(arguments[0]).resolve("flights.parquet").absolute()
        val folder = Files.createTempDirectory("late-flights")
        val target = folder.resolve("late.db")
        println("Starting a master and two workers, which takes some seconds")
        val (status, log) =
            LocalCluster.start().use { cluster ->
                // Ctrl-C stops the cluster too.
                val stop = Thread(cluster::close)
                Runtime.getRuntime().addShutdownHook(stop)
                val classPath = LocalCluster.ownClassPath(*libraries)
                val program = LateFlights::class.java.name
                val status = cluster.submit(program, classPath, listOf("$flights", "$target"), ::println)
                Runtime.getRuntime().removeShutdownHook(stop)
                status to cluster.log()
            }
        folder.toFile().deleteRecursively()
        println("The cluster has stopped")
        if (status != 0) {
            System.err.println(log)
            exitProcess(1)
        }
    }

    private val libraries =
        arrayOf("kotlin-stdlib", "kotlinx-coroutines-core", "jspecify", "jackson-dataformat-toml", "duckdb_jdbc")
}
