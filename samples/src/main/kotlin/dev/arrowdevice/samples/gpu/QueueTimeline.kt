package dev.arrowdevice.samples.gpu

import dev.arrowdevice.spi.DeviceEvent
import java.util.Locale
import java.util.concurrent.Phaser
import kotlin.time.Duration
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.TimeSource

/**
 * The times at which batches were written to pinned memory, transferred and computed on, as the host sees them. Events
 * call back when the work before them is done. A queue starts work when it was queued or, if that is later, when the
 * work before it was done. Thread-safe.
 */
internal class QueueTimeline {
    private val clock = TimeSource.Monotonic.markNow()
    private val batches = mutableListOf<Batch>()
    private val pending = Phaser(1)

    /** The times of one batch. */
    class Batch(
        val staging: Span,
    ) {
        var transferred: Duration = Duration.INFINITE
        var launched: Duration = Duration.INFINITE
        var computed: Duration = Duration.INFINITE
    }

    /** From one point in time, since the timeline was made, to another one. */
    data class Span(
        val from: Duration,
        val to: Duration,
    ) {
        val length: Duration get() = to - from
    }

    /** The time since the timeline was made. */
    fun now(): Duration = clock.elapsedNow()

    /**
     * Starts a batch, which the host has been writing to pinned memory since a point in time. Its transfer is queued
     * now.
     */
    fun staged(since: Duration): Batch = Batch(Span(since, now())).also { synchronized(batches) { batches += it } }

    /** Notes when the transfer is done: at the event, or now if there is none. */
    fun transfer(
        batch: Batch,
        event: DeviceEvent?,
    ) = at(event) { batch.transferred = it }

    /** Notes that the computation is queued now, and when it will be done. */
    fun compute(
        batch: Batch,
        event: DeviceEvent,
    ) {
        batch.launched = now()
        at(event) { batch.computed = it }
    }

    private fun at(
        event: DeviceEvent?,
        note: (Duration) -> Unit,
    ) {
        if (event == null) return synchronized(batches) { note(now()) }
        pending.register()
        try {
            event.whenComplete {
                synchronized(batches) { note(now()) }
                pending.arriveAndDeregister()
            }
        } catch (e: Throwable) {
            pending.arriveAndDeregister()
            throw e
        }
    }

    private class Spans(
        val staging: Span,
        val transfer: Span,
        val compute: Span,
    )

    /** Waits for the callbacks of all events, which come once their work is done. */
    private fun spans(): List<Spans> {
        pending.arriveAndAwaitAdvance()
        var transfersDone = Duration.ZERO
        var computationsDone = Duration.ZERO
        return synchronized(batches) { batches.toList() }.map { batch ->
            val transfer = Span(maxOf(batch.staging.to, transfersDone), batch.transferred).inOrder()
            val launched = maxOf(batch.launched, batch.transferred, computationsDone)
            val compute = Span(launched, batch.computed).inOrder()
            transfersDone = transfer.to
            computationsDone = compute.to
            Spans(batch.staging, transfer, compute)
        }
    }

    /** Callbacks of two queues may overtake each other by a little. */
    private fun Span.inOrder() = copy(to = maxOf(from, to))

    /** The time of transfers, of computations, and of both at once. */
    fun summary(): String {
        val spans = spans()
        val moving = union(spans.flatMap { listOf(it.staging, it.transfer) })
        val computing = spans.map { it.compute }
        return "batches were on their way for ${moving.time()}, the GPU computed for ${computing.time()}, " +
            "${both(moving, computing).inMillis} of it at the same time"
    }

    private fun List<Span>.time() = fold(Duration.ZERO) { sum, span -> sum + span.length }.inMillis

    /** The same time in order and without overlaps. */
    private fun union(spans: List<Span>): List<Span> {
        val union = mutableListOf<Span>()
        for (span in spans.sortedBy { it.from }) {
            val last = union.lastOrNull()
            if (last != null && span.from <= last.to) {
                union[union.lastIndex] = last.copy(to = maxOf(last.to, span.to))
            } else {
                union += span
            }
        }
        return union
    }

    /** The time that two lists of spans have in common, each in order and without overlaps. */
    private fun both(
        left: List<Span>,
        right: List<Span>,
    ): Duration {
        var sum = Duration.ZERO
        var i = 0
        var j = 0
        while (i < left.size && j < right.size) {
            sum += (minOf(left[i].to, right[j].to) - maxOf(left[i].from, right[j].from)).coerceAtLeast(Duration.ZERO)
            if (left[i].to < right[j].to) i++ else j++
        }
        return sum
    }

    /**
     * A line for each of some batches from the middle: `s` while the host writes to pinned memory, `t` while that is
     * transferred, `K` while the kernel runs.
     */
    fun chart(count: Int): String {
        val all = spans()
        val first = (all.size - count).coerceAtLeast(0) / 2
        val spans = all.drop(first).take(count)
        if (spans.isEmpty()) return ""
        val from = spans.minOf { it.staging.from }
        val column = ((spans.maxOf { it.compute.to } - from) / COLUMNS).coerceAtLeast(1.nanoseconds)

        fun mark(
            line: CharArray,
            span: Span,
            letter: Char,
        ) {
            val start = ((span.from - from) / column).toInt().coerceAtMost(COLUMNS - 1)
            val end = ((span.to - from) / column).toInt().coerceIn(start + 1, COLUMNS)
            line.fill(letter, start, end)
        }
        return buildString {
            appendLine("batch | each column is %.3f ms".format(Locale.ROOT, column / 1_000_000.nanoseconds))
            appendLine("------+" + "-".repeat(COLUMNS + 1))
            for ((index, batch) in spans.withIndex()) {
                val line = CharArray(COLUMNS) { ' ' }
                mark(line, batch.staging, 's')
                mark(line, batch.transfer, 't')
                mark(line, batch.compute, 'K')
                appendLine("%5d | %s".format(first + index, String(line)).trimEnd())
            }
        }
    }

    private companion object {
        const val COLUMNS = 80
    }
}

internal val Duration.inMillis: String get() = "%.1f ms".format(Locale.ROOT, this / 1_000_000.nanoseconds)
