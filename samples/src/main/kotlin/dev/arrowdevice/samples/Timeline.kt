package dev.arrowdevice.samples

import java.util.Collections
import kotlin.time.TimeSource

/** The events of two parties in order, on one clock that starts with the first event. Thread-safe. */
internal class Timeline {
    private val start by lazy { TimeSource.Monotonic.markNow() }
    private val events = Collections.synchronizedList(mutableListOf<Event>())

    private class Event(
        val millis: Long,
        val producer: Boolean,
        val text: String,
        val waiting: Int,
    )

    fun producer(
        text: String,
        waiting: Int,
    ) {
        add(true, text, waiting)
    }

    fun consumer(
        text: String,
        waiting: Int,
    ) {
        add(false, text, waiting)
    }

    private fun add(
        producer: Boolean,
        text: String,
        waiting: Int,
    ) {
        synchronized(events) { events += Event(start.elapsedNow().inWholeMilliseconds, producer, text, waiting) }
    }

    /** A line for each event, with a bar of the tasks that wait. */
    override fun toString(): String =
        buildString {
            appendLine("  ms | producer                     | waiting | consumer")
            appendLine("-----+------------------------------+---------+---------------------------")
            synchronized(events) {
                for (event in events) {
                    val left = if (event.producer) event.text else ""
                    val right = if (event.producer) "" else event.text
                    val bar = "#".repeat(event.waiting)
                    appendLine("%4d | %-28s | %-7s | %s".format(event.millis, left, bar, right).trimEnd())
                }
            }
        }
}
