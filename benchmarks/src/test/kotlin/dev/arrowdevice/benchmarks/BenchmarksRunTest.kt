package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.database.Database
import dev.arrowdevice.benchmarks.database.DatabaseProgram
import dev.arrowdevice.benchmarks.database.DatabaseProgram.Work
import dev.arrowdevice.benchmarks.database.Way
import dev.arrowdevice.benchmarks.measure.label
import dev.arrowdevice.benchmarks.measure.options
import dev.arrowdevice.benchmarks.program.ArrowJavaFirstExchange
import dev.arrowdevice.benchmarks.program.FirstExchange
import dev.arrowdevice.benchmarks.program.TenMillionExchanges
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.SimulatedDriver
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import org.openjdk.jmh.annotations.Mode
import org.openjdk.jmh.runner.Runner
import org.openjdk.jmh.runner.options.TimeValue
import java.time.Duration

/** The benchmarks work and release everything; here each runs once, in this JVM, with little data. */
class BenchmarksRunTest :
    FunSpec({
        System.setProperty("jmh.ignoreLock", "true")
        // Ahead of JCuda, which then takes it for the driver of a GPU.
        val driver = SimulatedDriver.load(SimulatedDriver.Library.CUDA)
        val before = driver.counters()
        val log = tempdir().resolve("jmh.log").path

        benchmarks().map { it.small() }.distinct().forEach { jmh ->
            test("${jmh.label} on ${jmh.threads} threads releases everything") {
                ReleaseBalance.start().use {
                    val options =
                        jmh
                            .options()
                            .forks(0)
                            .mode(Mode.SingleShotTime)
                            .warmupIterations(0)
                            .measurementIterations(1)
                            .measurementTime(TimeValue.NONE)
                            .output(log)
                            .build()
                    Runner(options).run() shouldHaveSize 1
                }
            }
        }

        test("copies to a GPU free everything, and the driver finds no mistake") {
            driver.awaitIdle(Duration.ofSeconds(5)) shouldBe 0
            driver.violations().shouldBeEmpty()
            // Streams on which callbacks have waited are kept for the next.
            driver
                .counters()
                .unbalancedSince(before)
                .filterNot { "streams of" in it }
                .shouldBeEmpty()
        }

        test("a first exchange releases everything, ours and the peer's") {
            ReleaseBalance.start().use {
                FirstExchange.main(emptyArray())
                ArrowJavaFirstExchange.main(emptyArray())
            }
        }

        for (work in Work.entries) {
            for (database in Database.entries) {
                for (way in ways(work, database)) {
                    val name = "$work of ${database.title} by $way finds all rows, and releases everything"
                    val obstacle = database.obstacle()
                    if (obstacle != null) {
                        xtest("$name: $obstacle") {}
                    } else {
                        test(name) { DatabaseProgram.run(work, database, way, rows = 3000) shouldBeGreaterThan 0.0 }
                    }
                }
            }
        }

        test("exchanges whose memory is measured release everything") {
            ReleaseBalance.start().use {
                TenMillionExchanges.main(arrayOf("1000"))
            }
        }
    })

private fun ways(
    work: Work,
    database: Database,
): List<Way> = Way.entries.filter { it != Way.ARROW_JAVA || (work == Work.SCAN && database == Database.DUCKDB) }

/** The same with the least numbers, which are the benchmark's own defaults; other parameters choose what is run, and stay. */
private fun Jmh.small(): Jmh {
    val defaults = defaults().mapValues { it.value.first() }
    return copy(
        parameters =
            parameters.mapValues { (name, value) ->
                val numbers = listOfNotNull(value.toLongOrNull(), defaults[name]?.toLongOrNull())
                if (numbers.size == 2) numbers.min().toString() else value
            },
        operations = 1,
    )
}
