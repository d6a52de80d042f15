package dev.arrowdevice.samples

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeSorted
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldMatch

private const val WINDOW = 3
private const val BATCHES = 8

/** A line of the timeline; what the other party does is empty. */
private class Line(
    val millis: Long,
    val producer: String,
    val waiting: Int,
    val consumer: String,
)

class AsyncExchangeTest :
    FunSpec({
        val output by lazy {
            SampleProcess("AsyncExchangeMain").use { sample ->
                val (code, lines) = sample.await()
                withClue(sample.errors()) { code shouldBe 0 }
                lines
            }
        }

        val timeline by lazy {
            output
                .drop(2)
                .takeWhile { it.isNotBlank() }
                .map { line ->
                    val (millis, producer, waiting, consumer) = line.split("|").map { it.trim() } + ""
                    Line(millis.toLong(), producer, waiting.length, consumer)
                }
        }

        fun count(
            lines: List<Line>,
            text: String,
        ) = lines.count { it.producer.startsWith(text) || it.consumer.startsWith(text) }

        test("all values arrive, and everything is released") {
            val values = BATCHES * 1_000L
            val (sum, most) =
                Regex("""sum (\d+), at most (\d) tasks waited, the window is $WINDOW""")
                    .matchEntire(output[output.size - 2])!!
                    .destructured
            sum.toLong() shouldBe values * (values - 1) / 2
            most.toInt() shouldBeLessThanOrEqual WINDOW
            output.last() shouldMatch Regex("""\d+ arrays exchanged, 0 unreleased""")
        }

        test("producer and consumer work in order, the producer ahead") {
            timeline.map { it.millis }.shouldBeSorted()
            timeline.first().millis shouldBeLessThanOrEqual 50
            timeline.first().producer shouldBe "schema"
            timeline.mapNotNull { Regex("""task (\d).*""").matchEntire(it.producer)?.groupValues?.get(1) } shouldBe
                List(BATCHES) { "$it" }
            timeline.mapNotNull { it.consumer.substringAfter("extracted ", "").ifEmpty { null } } shouldBe
                List(BATCHES) { "$it" }
            for ((index, line) in timeline.withIndex()) {
                if (line.consumer.startsWith("extracted")) {
                    val before = timeline.take(index)
                    (count(before, "task") > count(before, "extracted")) shouldBe true
                }
            }
            timeline.last().consumer shouldBe "end of the stream"
            count(timeline, "release") shouldBe 1
        }

        test("requests come before tasks, and at most a window of them is outstanding") {
            for ((index, line) in timeline.withIndex()) {
                line.waiting shouldBeLessThanOrEqual WINDOW
                val task = Regex("""task (\d), demand was (\d)""").matchEntire(line.producer) ?: continue
                val (number, demand) = task.destructured
                val before = timeline.take(index)
                // The first request is for the window, each other for one.
                val requested = WINDOW + count(before, "done, requests 1 more")
                (count(before, "is asked for more") >= 1) shouldBe true
                (number.toInt() < requested) shouldBe true
                demand.toLong() shouldBeGreaterThan 0
                demand.toInt() shouldBeLessThanOrEqual WINDOW
                count(before, "task") - count(before, "done") shouldBeLessThanOrEqual WINDOW - 1
            }
            (count(timeline, "waits: no demand") >= 1) shouldBe true
        }

        test("the producer prints once that it waits until it gets a request") {
            val parts = timeline.filter { it.producer.isNotEmpty() }.map { it.producer.substringBefore(' ') }
            parts.zipWithNext().none { it == ("waits:" to "waits:") } shouldBe true
        }
    })
