package dev.arrowdevice.samples.spark

import dev.arrowdevice.spark.cluster.LocalCluster
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import java.sql.DriverManager
import kotlin.io.path.exists

/** Where `adbc/drivers` installs them. */
private val DRIVERS: Path =
    (System.getenv("XDG_CACHE_HOME") ?: "${System.getProperty("user.home")}/.cache").let { cache ->
        Path.of(System.getenv("ARROW_DEVICE_ADBC") ?: "$cache/arrow-device/adbc", "drivers")
    }

class LateFlightsTest :
    FunSpec({
        val missing = "SQLite's driver is not installed: adbc/drivers installs it"
        val obstacle = LocalCluster.obstacle() ?: missing.takeUnless { DRIVERS.resolve("sqlite.toml").exists() }
        if (obstacle != null) {
            xtest("the sample for Spark is skipped: $obstacle") { }
        } else {
            test("the sample moves the rows, says what each task did, and its executors hold nothing") {
                val java = "${System.getProperty("java.home")}/bin/java"
                val classPath = System.getProperty("java.class.path")
                val process =
                    ProcessBuilder(java, "-cp", classPath, LateFlightsMain::class.java.name, "../data")
                        .apply { environment()["ADBC_DRIVER_PATH"] = "$DRIVERS" }
                        .redirectErrorStream(true)
                        .start()
                val lines = process.inputReader().readLines()
                process.waitFor() shouldBe 0
                lines.filter { it.startsWith("task ") }.size shouldBeGreaterThanOrEqual 4
                lines.filter { it.startsWith("executor ") }.shouldNotBeEmpty().forEach {
                    it shouldContain
                        " 0 unreleased"
                }
                // The table that it prints is read from its target.
                val expected =
                    DriverManager.getConnection("jdbc:duckdb:").use { connection ->
                        val sql =
                            "SELECT origin, count(*) FROM '../data/flights.parquet' WHERE dep_delay > 30 GROUP BY origin"
                        val rows = connection.createStatement().executeQuery(sql)
                        generateSequence {
                            if (rows.next()) "|${rows.getString(1)}|${rows.getLong(2)}|" else null
                        }.toList()
                    }
                lines.map { it.replace(" ", "") } shouldContainAll expected.shouldNotBeEmpty()
                lines.last() shouldBe "The cluster has stopped"
            }
        }
    })
