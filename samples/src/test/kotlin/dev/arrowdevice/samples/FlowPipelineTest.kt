package dev.arrowdevice.samples

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import java.util.concurrent.atomic.AtomicLong

private const val MAIN = "FlowPipelineMain"
private const val INTERRUPTED = 130

class FlowPipelineTest :
    FunSpec({
        extension(EverythingReleased)

        test("the second database has the result that SQL computes in one, and everything was released") {
            val rows = 300_000
            SampleProcess(MAIN, "$rows").use { sample ->
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe 0 }
                lines.tableOf("from_hour") shouldBe inSql(ANSWER.format(rows))
                lines[lines.size - 2] shouldMatch Regex("""300,000 rows in .*s""")
                lines.last() shouldMatch Regex("""\d+ arrays exchanged, 0 unreleased""")
                sample.errors() shouldContain "100%"
            }
        }

        test("Ctrl-C in the middle stops it, and everything is released") {
            SampleProcess(MAIN, "400000000").use { sample ->
                sample.awaitProgress(Regex(""" [1-9]\d?%"""))
                sample.interrupt()
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe INTERRUPTED }
                lines.size shouldBe 2
                val (stopped) = Regex("""stopped after ([\d,]+) rows""").matchEntire(lines[0])!!.destructured
                (stopped.replace(",", "").toLong() in 1_000_000L..399_999_999L) shouldBe true
                lines[1] shouldMatch Regex("""\d{2,} arrays exchanged, 0 unreleased""")
            }
        }

        test("Ctrl-C before the first batch stops it, and everything is released") {
            SampleProcess(MAIN, "400000000").use { sample ->
                sample.awaitProgress(Regex("""rows"""))
                sample.interrupt()
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe INTERRUPTED }
                lines.first() shouldMatch Regex("""stopped after [\d,]+ rows""")
                lines.last() shouldMatch Regex("""\d+ arrays exchanged, 0 unreleased""")
            }
        }

        test("a cancel before the flow is collected leaves nothing open") {
            val rows = AtomicLong()
            val job =
                launch {
                    cancel()
                    FlowPipeline(1_000_000, rows::addAndGet).run()
                }
            job.join()
            job.isCancelled shouldBe true
            rows.get() shouldBe 0
        }

        test("an invalid number of rows is refused with a message") {
            for (rows in listOf("many", "-5")) {
                SampleProcess(MAIN, rows).use { sample ->
                    sample.await() shouldBe (2 to listOf(""))
                    sample.errors().trim() shouldBe "\"$rows\" is no number of rows, such as 20000000"
                }
            }
        }
    })

private const val ANSWER = """
    WITH
        trips AS (
            SELECT range * 7919 %% 86400 // 3600 AS hour, range * 104729 %% 20000 AS metres,
                   CASE WHEN range %% 3 = 0 THEN range %% 500 ELSE 0 END AS tip
            FROM range(%d)
        )
    SELECT hour // 6 * 6 AS from_hour, count(*),
           round(avg(350 + metres * (CASE WHEN hour < 6 THEN 3 ELSE 2 END) // 10 + tip) / 100, 2)
    FROM trips
    GROUP BY from_hour
    ORDER BY from_hour
"""
