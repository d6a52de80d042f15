package dev.arrowdevice.samples

import dev.arrowdevice.ArrowCounters
import kotlinx.coroutines.Job
import kotlinx.coroutines.runBlocking
import me.tongfei.progressbar.ProgressBar
import me.tongfei.progressbar.ProgressBarBuilder
import me.tongfei.progressbar.ProgressBarStyle
import java.util.Locale
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.measureTimedValue

/**
 * Runs work with a progress bar of rows. Ctrl-C cancels the work, and the program ends when it has released everything.
 *
 * @param cleanUp runs in the end in any case, also if the work was cancelled before it began
 * @param lastLine what is printed then: by default it counts what was exchanged
 */
internal fun <T> cancellableRun(
    rows: Long,
    work: suspend (onRows: (Long) -> Unit) -> T,
    cleanUp: () -> Unit = {},
    lastLine: () -> String = ::exchanged,
    onDone: (result: T, time: Duration) -> Unit,
) {
    val job = Job()
    val finished = CountDownLatch(1)
    Runtime.getRuntime().addShutdownHook(
        thread(start = false) {
            job.cancel()
            finished.await()
        },
    )
    // Whoever sees the bar may press Ctrl-C, so the hook comes first.
    val bar = progressBar(rows)
    try {
        val (result, time) = measureTimedValue { runBlocking(job) { work { bar.stepBy(it) } } }
        bar.close()
        onDone(result, time)
    } catch (e: Exception) {
        bar.close()
        if (!job.isCancelled) throw e
        println("stopped after %,d rows".format(Locale.ROOT, bar.current))
    } finally {
        try {
            cleanUp()
            println(lastLine())
        } finally {
            finished.countDown()
        }
    }
}

private fun exchanged(): String {
    val counters = ArrowCounters.now()
    return "${counters.exchangedArrays()} arrays exchanged, ${counters.unreleased()} unreleased"
}

/** On the standard error output. */
internal fun progressBar(rows: Long): ProgressBar =
    ProgressBarBuilder()
        .setTaskName("rows")
        .setInitialMax(rows)
        .setStyle(ProgressBarStyle.ASCII)
        .setUnit(" M", 1_000_000)
        .showSpeed()
        .build()
