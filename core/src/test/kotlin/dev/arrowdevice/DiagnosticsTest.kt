package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.arrayOf
import dev.arrowdevice.internal.diagnostics.Flight
import dev.arrowdevice.internal.diagnostics.Log
import dev.arrowdevice.spi.Diagnostics
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.comparables.shouldBeGreaterThanOrEqualTo
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import jdk.jfr.Recording
import jdk.jfr.consumer.RecordedEvent
import jdk.jfr.consumer.RecordingFile
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.logging.Handler
import java.util.logging.Level
import java.util.logging.LogRecord
import java.util.logging.Logger
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteExisting

/** Failures that no exception can report are logged once, and recorded once. */
class DiagnosticsTest :
    FunSpec({
        extension(MemoryBalance())

        test("a lost owner is logged with the stack of its creation") {
            val messages =
                logged("dev.arrowdevice.leaks") {
                    Diagnostics.captureStacks(true)
                    try {
                        loseAnArray()
                    } finally {
                        Diagnostics.captureStacks(false)
                    }
                }
            messages shouldHaveSize 1
            messages.single().level shouldBe Level.WARNING
            messages.single().message shouldContain "leaked an array that was never closed"
            messages.single().thrown.stackTraceToString() shouldContain "loseAnArray"
        }

        test("a lost owner is recorded") {
            val events = recorded { logged("dev.arrowdevice.leaks") { loseAnArray() } }
            val leaks = events.filter { it.eventType.name == "dev.arrowdevice.Leak" }
            leaks shouldHaveSize 1
            leaks.single().getString("owner") shouldContain "an array that was never closed (int32, "
        }

        test("a failure of a release is logged, recorded and counted") {
            val before = ArrowCounters.now()
            val messages = mutableListOf<LogRecord>()
            val events =
                recorded {
                    messages +=
                        logged("dev.arrowdevice.releases") {
                            Diagnostics.lateFailure(DeviceException(Device.CPU, "free", 7, "no such memory"))
                        }
                }
            messages.map { it.message } shouldBe
                listOf("while releasing: free failed on ${Device.CPU} with 7 (no such memory)")
            val failures = events.filter { it.eventType.name == "dev.arrowdevice.LateFailure" }
            failures shouldHaveSize 1
            failures.single().getString("failure") shouldContain "free failed"
            (ArrowCounters.now() - before).lateFailures() shouldBe 1
        }

        test("a failure of anything but a device is logged with its stack") {
            val messages =
                logged("dev.arrowdevice.releases") { Diagnostics.lateFailure(IllegalStateException("a bug")) }
            messages shouldHaveSize 1
            messages.single().thrown.message shouldBe "a bug"
        }

        test("a listener gets the failure in place of the log, and the earlier listener can be restored") {
            val told = mutableListOf<String>()
            val before = Diagnostics.onLateFailure { told += it.operation }
            val messages =
                try {
                    logged("dev.arrowdevice.releases") {
                        Diagnostics.lateFailure(DeviceException(Device.CPU, "free", 7, "no such memory"))
                    }
                } finally {
                    Diagnostics.onLateFailure(before)
                }
            told shouldBe listOf("free")
            messages.shouldBeEmpty()
        }

        test("an exception in a callback is an error in the log") {
            val messages =
                logged(
                    "dev.arrowdevice.callbacks",
                ) { Log.CALLBACKS.report("exception", IllegalStateException("a bug")) }
            messages.map { it.level } shouldBe listOf(Level.SEVERE)
        }

        test("an exception of the logger is ignored") {
            val logger = Logger.getLogger("dev.arrowdevice.shutdown")
            logger.setFilter { error("the filter is broken") }
            try {
                Log.SHUTDOWN.report("a message")
            } finally {
                logger.filter = null
            }
        }

        test("the end of the JVM is recorded with the outstanding exports and owners") {
            val events = recorded { Flight.shutdown(3) }
            events.filter { it.eventType.name == "dev.arrowdevice.Shutdown" }.map {
                it.getLong("unreleasedExports")
            } shouldBe listOf(3L)
        }

        test("a recording has the counters") {
            arrayOf(ArrowType.INT32, 1, 2, 3).use { array ->
                val held = ArrowCounters.now()
                val events = recorded { array.getInt(0) shouldBe 1 }
                val counters = events.filter { it.eventType.name == "dev.arrowdevice.Counters" }
                withClue("snapshots") { counters.size shouldBeGreaterThanOrEqualTo 1 }
                counters.forEach { it.getLong("hostBuffers") shouldBe held.hostBuffers() }
                val figures = ArrowCounters::class.java.recordComponents.map { it.name }
                figures.filterNot(counters.first()::hasField).shouldBeEmpty()
            }
        }
    })

/** The messages of one logger while the body runs; the console gets none of them. */
private fun logged(
    name: String,
    body: () -> Unit,
): List<LogRecord> {
    val records = ConcurrentLinkedQueue<LogRecord>()
    val handler =
        object : Handler() {
            override fun publish(record: LogRecord) {
                records += record
            }

            override fun flush() = Unit

            override fun close() = Unit
        }
    val logger = Logger.getLogger(name)
    logger.useParentHandlers = false
    logger.addHandler(handler)
    try {
        body()
    } finally {
        logger.removeHandler(handler)
        logger.useParentHandlers = true
    }
    return records.toList()
}

private fun recorded(body: () -> Unit): List<RecordedEvent> {
    val file = createTempFile("diagnostics", ".jfr")
    try {
        Recording().use { recording ->
            listOf("Leak", "LateFailure", "Shutdown").forEach { recording.enable("dev.arrowdevice.$it") }
            recording.enable("dev.arrowdevice.Counters").with("period", "beginChunk")
            recording.start()
            body()
            recording.stop()
            recording.dump(file)
        }
        return RecordingFile.readAllEvents(file)
    } finally {
        file.deleteExisting()
    }
}

/** Loses an array, and waits until the leak has been found and reported. */
private fun loseAnArray() {
    val before = ArrowCounters.now().leaks()
    arrayOf(ArrowType.INT32, 1, 2, 3).getInt(0) shouldBe 1
    val deadline = System.nanoTime() + 20_000_000_000
    while (ArrowCounters.now().leaks() == before && System.nanoTime() < deadline) System.gc()
}
