package dev.arrowdevice.samples.gpu

import dev.arrowdevice.samples.SampleProcess
import dev.arrowdevice.samples.inSql
import dev.arrowdevice.samples.tableOf
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith

private const val INTERRUPTED = 130
private const val TIME = """([\d.]+) ms"""

/** The sample on a machine without a GPU; on one that has a GPU, as if it had none. */
private fun sample(vararg arguments: String) =
    SampleProcess(
        "gpu.GpuPipelineMain",
        *arguments,
        options = listOf("-Ddev.arrowdevice.cuda.library=/nowhere/libcuda.so.1"),
    )

class GpuPipelineMainTest :
    FunSpec({
        test("the sums are those of SQL, the output says why there is no GPU, and everything was released") {
            val rows = 700_000
            sample("$rows").use { sample ->
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe 0 }
                lines.first() shouldStartWith "The GPU is a simulated device"
                lines.first() shouldContain "/nowhere/libcuda.so.1"
                lines.tableOf("hour") shouldBe inSql(ANSWER.format(rows))
                lines shouldContain "DuckDB by itself finds the same"
                lines.last() shouldMatch Regex("""\d+ arrays exchanged, 0 unreleased""")
                sample.errors() shouldContain "100%"
            }
        }

        test("the timeline has a line for each batch: first written, then transferred, then computed on") {
            sample("700000").use { sample ->
                val (_, lines) = sample.await()
                val chart = lines.dropWhile { !it.startsWith("------+-") }.drop(1).takeWhile { " | " in it }
                chart shouldHaveSize 6
                for ((number, line) in chart.withIndex()) {
                    line.substringBefore(" | ").trim() shouldBe "$number"
                    line.substringAfter(" | ").trim() shouldMatch Regex("""s* *t* *K+""")
                }
                val (moving, computing, both) =
                    Regex(
                        "batches were on their way for $TIME, the GPU computed for $TIME, $TIME of it at the same time",
                    ).matchEntire(lines.single { it.startsWith("batches were") })!!
                        .destructured
                (both.toDouble() <= minOf(moving.toDouble(), computing.toDouble())) shouldBe true
            }
        }

        test("Ctrl-C in the middle stops it, and everything is released") {
            sample("800000000").use { sample ->
                sample.awaitProgress(Regex(""" [1-9]\d?%"""))
                sample.interrupt()
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe INTERRUPTED }
                lines[lines.size - 2] shouldMatch Regex("""stopped after [\d,]{9,} rows""")
                lines.last() shouldMatch Regex("""\d{2,} arrays exchanged, 0 unreleased""")
            }
        }

        test("Ctrl-C before the first batch stops it, and everything is released") {
            sample("800000000").use { sample ->
                sample.awaitProgress(Regex("""rows"""))
                sample.interrupt()
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe INTERRUPTED }
                lines[lines.size - 2] shouldMatch Regex("""stopped after [\d,]+ rows""")
                lines.last() shouldMatch Regex("""\d+ arrays exchanged, 0 unreleased""")
            }
        }

        test("an invalid number of rows is refused with a message") {
            sample("many").use { sample ->
                sample.await() shouldBe (2 to listOf(""))
                sample.errors().trim() shouldBe "\"many\" is no number of rows, such as 20000000"
            }
        }
    })

/** As a person would write it, not as the sample does. */
private const val ANSWER = """
    WITH
        trips AS (
            SELECT range * 7919 %% 86400 // 3600 AS hour, range * 104729 %% 20000 AS metres,
                   CASE WHEN range %% 3 = 0 THEN range %% 500 ELSE 0 END AS tip
            FROM range(%d)
        )
    SELECT hour, count(*), sum(350 + tip + CASE WHEN hour < 6 THEN 3 * metres // 10 ELSE metres // 5 END)::BIGINT
    FROM trips GROUP BY hour ORDER BY hour
"""
