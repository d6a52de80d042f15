package dev.arrowdevice.benchmarks

import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.ProgramResult
import com.github.ajalt.clikt.core.UsageError
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.multiple
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.double
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.clikt.parameters.types.restrictTo
import dev.arrowdevice.benchmarks.measure.Extent
import dev.arrowdevice.benchmarks.measure.Instrument
import dev.arrowdevice.benchmarks.measure.Jvms
import dev.arrowdevice.benchmarks.measure.Measuring
import dev.arrowdevice.benchmarks.report.Results
import dev.arrowdevice.benchmarks.report.Run
import dev.arrowdevice.benchmarks.report.notHere
import dev.arrowdevice.benchmarks.report.printQuickLines
import dev.arrowdevice.benchmarks.report.printTable
import dev.arrowdevice.benchmarks.report.quoteIn
import dev.arrowdevice.benchmarks.report.toLine
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteExisting
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

/**
 * Measures tasks and reports them.
 *
 * @param root the folder of the sources, whose docs have the figures
 * @param instrument makes the instrument, from the time for a benchmark and the folder for its logs
 */
internal class RunCommand(
    private val catalogue: List<Task>,
    private val root: Path,
    private val instrument: (Duration, Path) -> Instrument = ::Jvms,
) : CliktCommand(name = "./benchmarks/run") {
    private val patterns by argument(
        "TASK",
        help = "The tasks, like exchange/int32 or 'exchange/*'; all where none is named",
    ).multiple()
    private val quick by option(
        "--quick",
        help = "The main budgets in some six minutes, a line for each",
    ).flag()
    private val list by option("--list", help = "Lists the tasks instead of running them").flag()
    private val minutes by option(
        "--minutes",
        help = "The time for all of them; $QUICK_MINUTES for --quick, else $FULL_MINUTES",
    ).double().restrictTo(0.0, MOST_MINUTES)
    private val output by option(
        "--output",
        help = "The folder for JSON, table and pictures; docs/benchmarks where everything is run",
    ).path(canBeFile = false)
    private val render by option(
        "--render",
        help = "Makes table, pictures and the figures in the pages from this results.json, and measures nothing",
    ).path(mustExist = true, canBeDir = false)

    override fun help(context: Context) =
        "Measures what things cost beside what users would otherwise pick. Ends with 1 if a budget is missed or a task fails."

    override fun run() {
        val chosen = chosen()
        if (list) return chosen.forEach { echo("${it.name}  ${it.what}") }
        val isWhole = !quick && patterns.isEmpty()
        val folder = (output ?: root.resolve("docs/benchmarks").takeIf { isWhole })?.also(::requireWritable)
        val results = render?.let(::read) ?: measure(chosen)
        if (quick) terminal.printQuickLines(results) else terminal.printTable(results)
        folder?.let(results::writeTo)
        if (isWhole && output == null && results.isComplete) pages().forEach(results::quoteIn)
        if (!results.isGood) throw ProgramResult(1)
    }

    /** Checked before the run: an hour later would be too late. */
    private fun requireWritable(folder: Path) {
        try {
            folder.createDirectories()
            createTempFile(folder, "results").deleteExisting()
        } catch (failure: IOException) {
            throw UsageError("nothing can be written to $folder: $failure")
        }
    }

    private fun read(file: Path): Results =
        try {
            Results.readFrom(file)
        } catch (failure: IOException) {
            throw UsageError("$file holds no results: ${failure.message?.lines()?.first()}")
        }

    private fun chosen(): List<Task> {
        patterns.find { pattern -> catalogue.none { it.matches(pattern) } }?.let {
            throw UsageError("there is no such task: $it; --list lists them")
        }
        val chosen =
            catalogue.filter { task ->
                (!quick || task.quick) &&
                    (patterns.isEmpty() || patterns.any { task.matches(it) })
            }
        if (chosen.isEmpty()) throw UsageError("none of these tasks has a line in the quick mode")
        return chosen
    }

    private fun measure(chosen: List<Task>): Results {
        val run = Run.now(commandLine(), root)
        val obstacles = chosen.associateWith { it.obstacle() }
        val possible = chosen.filter { obstacles[it] == null }
        val extent = extent()
        terminal.println(extent.plan(possible), stderr = true)
        val instrument = instrument(extent.runningTime(possible), root.resolve("benchmarks/target/runs"))
        val measured =
            ProgressLine(terminal)
                .use {
                    Measuring(instrument, extent, it).measure(possible)
                }.associateBy { it.task }
        return Results(run, chosen.map { task -> measured[task]?.toLine() ?: task.notHere(obstacles.getValue(task)!!) })
    }

    private fun extent(): Extent =
        Extent((minutes ?: if (quick) QUICK_MINUTES else FULL_MINUTES).minutes, samples = if (quick) 2 else 3)

    private fun commandLine(): String {
        val options =
            listOfNotNull("--quick".takeIf { quick }, minutes?.let { "--minutes $it" }, output?.let { "--output $it" })
        return (listOf(commandName) + options + patterns.map { if ('*' in it) "'$it'" else it }).joinToString(" ")
    }

    private fun pages(): List<Path> =
        listOf(root.resolve("README.md")) +
            root
                .resolve("docs")
                .takeIf { it.exists() }
                ?.listDirectoryEntries("*.md")
                .orEmpty()

    private companion object {
        private const val QUICK_MINUTES = 6.0
        private const val FULL_MINUTES = 55.0
        private const val MOST_MINUTES = 1440.0
    }
}

/** Whether a pattern of the command line matches this task: `*` is any part of a name. */
private fun Task.matches(pattern: String): Boolean =
    Regex(pattern.split('*').joinToString(".*", transform = Regex::escape)).matches(name)
