package dev.arrowdevice.benchmarks.measure

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

class DisturbancesTest :
    FunSpec({
        test("the wait of JMH's workers is reported, and that of no other thread") {
            val tasks = tempdir().toPath()

            fun task(
                number: String,
                name: String,
                schedstat: String,
            ) {
                val task = tasks.resolve(number).createDirectories()
                task.resolve("comm").writeText("$name\n")
                task.resolve("schedstat").writeText("$schedstat\n")
            }
            task("11", "C2 CompilerThre", "5 700 3")
            task("12", "dev.arrowdevice", "5 300 3")
            task("13", "dev.arr..rker-2", "5 40 3")
            waits(tasks) shouldBe mapOf("12" to 300L, "13" to 40L)
        }

        test("nothing is reported if the system doesn't count it") {
            waits(tempdir().toPath().resolve("absent")).shouldBeEmpty()
        }

        val counted = Path.of("/proc/self/task").toFile().exists()
        test("a JVM names its threads so that JMH's workers are found").config(enabled = counted) {
            // Native threads have the name of the one that began them: a driver's, whose copies a worker has measured.
            val others = waits(Path.of("/proc/self/task")).keys
            val runs = CountDownLatch(1)
            val found = CountDownLatch(1)
            val worker =
                thread(name = "dev.arrowdevice.benchmarks.Some.benchmark-jmh-worker-1") {
                    runs.countDown()
                    found.await()
                }
            runs.await()
            val workers = waits(Path.of("/proc/self/task")).keys - others
            found.countDown()
            worker.join()
            workers shouldHaveSize 1
        }
    })
