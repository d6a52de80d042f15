package dev.arrowdevice.benchmarks

import com.github.ajalt.mordant.animation.progress.ThreadProgressTaskAnimator
import com.github.ajalt.mordant.animation.progress.animateOnThread
import com.github.ajalt.mordant.animation.progress.execute
import com.github.ajalt.mordant.terminal.PrintRequest
import com.github.ajalt.mordant.terminal.Terminal
import com.github.ajalt.mordant.terminal.TerminalInterface
import com.github.ajalt.mordant.widgets.progress.progressBar
import com.github.ajalt.mordant.widgets.progress.progressBarContextLayout
import com.github.ajalt.mordant.widgets.progress.text
import com.github.ajalt.mordant.widgets.progress.timeElapsed
import dev.arrowdevice.benchmarks.measure.Measurement
import dev.arrowdevice.benchmarks.measure.Progress
import dev.arrowdevice.benchmarks.report.ratioText
import dev.arrowdevice.benchmarks.report.toLine
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors

/** Shows the progress on the error output: a bar on a terminal, else a line for each sample. */
internal class ProgressLine(
    private val terminal: Terminal,
) : Progress,
    AutoCloseable {
    private val executor: ExecutorService =
        Executors.newSingleThreadExecutor {
            Thread(it, "progress").apply {
                isDaemon =
                    true
            }
        }
    private val bar = if (terminal.terminalInfo.outputInteractive) bar().also { it.execute(executor) } else null
    private var done = 0L

    override fun begins(measurement: Measurement) {
        bar?.update { context = measurement.task.name }
    }

    override fun ends(
        measurement: Measurement,
        left: Int,
    ) {
        done++
        val line = measurement.toLine()
        bar?.update {
            completed = done
            total = done + left
        } ?: terminal.println(
            "$done of ${done + left}: ${line.name} ${measurement.failure ?: line.ratioText()}",
            stderr = true,
        )
    }

    override fun close() {
        bar?.run {
            clear()
            stop()
        }
        executor.shutdown()
    }

    private fun bar(): ThreadProgressTaskAnimator<String> =
        progressBarContextLayout<String>(textFps = 2, animationFps = 2) {
            text { context }
            progressBar()
            text { "$completed of ${total ?: "?"}" }
            timeElapsed()
        }.animateOnThread(
            Terminal(terminalInterface = OnErrorOutput(terminal.terminalInterface)),
            context = "",
            total = null,
        )
}

/** A terminal that prints every line to the error output, so that the standard output has the table only. */
private class OnErrorOutput(
    private val terminal: TerminalInterface,
) : TerminalInterface by terminal {
    override fun completePrintRequest(request: PrintRequest) =
        terminal.completePrintRequest(request.copy(stderr = true))
}
