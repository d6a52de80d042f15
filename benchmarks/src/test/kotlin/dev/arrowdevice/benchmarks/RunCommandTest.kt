package dev.arrowdevice.benchmarks

import com.github.ajalt.clikt.core.main
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import dev.arrowdevice.benchmarks.measure.Fork
import dev.arrowdevice.benchmarks.measure.Instrument
import dev.arrowdevice.benchmarks.measure.MeasuringException
import dev.arrowdevice.benchmarks.measure.Sample
import dev.arrowdevice.benchmarks.report.Results
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.collections.shouldNotContain
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import javax.xml.parsers.DocumentBuilderFactory
import kotlin.io.path.createDirectories
import kotlin.io.path.createTempDirectory
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

class RunCommandTest :
    FunSpec({
        val folder = tempdir().toPath()

        fun root() = createTempDirectory(folder)

        test("the quick mode prints a line for each budget and ends with 0 if all are met") {
            val result =
                run(root(), madeUpTask("a/a", 8.0), madeUpTask("a/b"), madeUpTask("b/c", 0.5), arguments = "--quick")
            result.stdout shouldBe "budget a/a ratio=9.000 budget=8 met\nbudget b/c ratio=9.000 budget=0.5 met\n"
            result.statusCode shouldBe 0
        }

        test("the quick mode ends with 1 if a budget is missed, and still prints the others") {
            val result = run(root(), madeUpTask("a/a", 9.5), madeUpTask("b/c", 0.5), arguments = "--quick")
            result.stdout shouldBe "budget a/a ratio=9.000 budget=9.5 missed\nbudget b/c ratio=9.000 budget=0.5 met\n"
            result.statusCode shouldBe 1
        }

        test("a ratio equal to the budget meets it") {
            run(root(), madeUpTask("a/a", 9.0), arguments = "--quick").statusCode shouldBe 0
        }

        test("a task that fails has missed its budget, and its line has the reason") {
            val result = run(root(), madeUpTask("a/broken", 8.0), arguments = "--quick")
            result.stdout shouldBe "budget a/broken ratio=0.000 budget=8 missed\n"
            result.stderr shouldContain "a/broken failed: a/broken-ours failed: out of order"
            result.statusCode shouldBe 1
        }

        test("a task that this machine can't run has no line, and the output has the reason") {
            val result =
                run(
                    root(),
                    madeUpTask("a/gpu", 8.0, obstacle = "no GPU"),
                    madeUpTask("a/a", 8.0),
                    arguments = "--quick",
                )
            result.stdout shouldBe "budget a/a ratio=9.000 budget=8 met\n"
            result.stderr shouldContain "a/gpu was not measured: no GPU"
            result.statusCode shouldBe 0
        }

        test("progress is printed to the error output, and the quick mode writes no file") {
            val root = root()
            val result = run(root, madeUpTask("a/a", 8.0), arguments = "--quick")
            result.stderr.lines() shouldContain "2 of 2: a/a 9.00 (9.00 to 9.00)"
            root.listDirectoryEntries() shouldHaveSize 0
        }

        test("everything is printed as a table, with both sides, error, budget and bytes") {
            val result =
                run(
                    root(),
                    madeUpTask("a/a", 8.0),
                    madeUpTask("a/b"),
                    madeUpTask("a/broken"),
                    arguments = "",
                    onTerminal = true,
                )
            val lines = result.stdout.lines().map { it.trim().replace(Regex("\\s{2,}"), "|") }
            lines shouldContain "a/a|2 ns|18 ns them|9.00 (9.00 to 9.00)|≥ 8 met|100 B / 100 B"
            lines shouldContain "a/b|2 ns|18 ns them|9.00 (9.00 to 9.00)|100 B / 100 B"
            lines shouldContain "a/broken|–|–|failed|failed|–"
            result.statusCode shouldBe 1
        }

        test("limit and usage are printed with their units") {
            val garbage = madeUpTask("a/a", 1.0, Ratio.Garbage(1000.0))
            val allowance = madeUpTask("a/b", 1.0, Ratio.Allowance(1000.0))
            val result = run(root(), garbage, allowance, arguments = "", onTerminal = true)
            val lines = result.stdout.lines().map { it.trim().replace(Regex("\\s{2,}"), "|") }
            lines shouldContain "a/a|2 ns|–|10.0 (10.0 to 10.0)|≤ 1 kB of heap met|100 B"
            lines shouldContain "a/b|2 ns|18 ns them|> 100|≤ 1 µs more met|100 B / 100 B"
        }

        test("results are written as JSON, table and pictures, and to the pages that quote them") {
            val root = root()
            val readme =
                root
                    .resolve(
                        "README.md",
                    ).apply { writeText("It is <!-- a/a ratio -->1<!-- / --> times as fast.\n") }
            val page = root.resolve("docs").createDirectories().resolve("performance.md")
            page.writeText(
                "before\n<!-- benchmarks -->\nold\n<!-- /benchmarks -->\nafter <!-- a/a ours -->old<!-- / -->, <!-- a/a peer -->old<!-- / -->\n",
            )
            run(
                root,
                madeUpTask("a/a", 8.0),
                madeUpTask("a/b"),
                madeUpTask("a/c", 8.0, obstacle = "no GPU"),
                arguments = "",
            ).statusCode shouldBe
                0

            val written = root.resolve("docs/benchmarks")
            written.listDirectoryEntries().map { it.name }.sorted() shouldContainExactly
                listOf("a.svg", "results.json", "results.md")
            val results = Results.readFrom(written.resolve("results.json"))
            results.lines.map { it.name to it.met } shouldContainExactly
                listOf("a/a" to true, "a/b" to null, "a/c" to null)
            results.lines[0].ratio!! shouldBe (9.0 plusOrMinus 1e-9)
            results.lines[0].ours!!.samples shouldHaveSize 3
            results.run.command shouldBe "./benchmarks/run"
            results.run.jdk shouldContain System.getProperty("java.runtime.version")

            val table = written.resolve("results.md").readText()
            table.lines() shouldContain
                "| `a/a` what a/a is | 2 ns | 18 ns them | 9.00 (9.00 to 9.00) | ≥ 8, met | 100 B / 100 B |"
            table.lines() shouldContain "| `a/c` what a/c is | – | – | – | ≥ 8, not here | – |"
            table shouldContain "by `./benchmarks/run`, on"

            readme.readText() shouldBe "It is <!-- a/a ratio -->9<!-- / --> times as fast.\n"
            val (before, summary, after) = page.readText().split("<!-- benchmarks -->\n", "<!-- /benchmarks -->")
            before shouldBe "before\n"
            summary.lines() shouldContain "| [a](benchmarks/results.md#a) | them | 3 | 1 met; not here: `a/c` |"
            summary shouldContain "by `./benchmarks/run`, on"
            summary shouldNotContain "what a/a is"
            after shouldBe "\nafter <!-- a/a ours -->2 ns<!-- / -->, <!-- a/a peer -->18 ns<!-- / -->\n"
        }

        test("a section has a picture, which is SVG with a labelled axis and a row for each ratio") {
            val root = root()
            val tasks =
                listOf(
                    madeUpTask("a/a", 8.0),
                    madeUpTask("a/missed", 20.0),
                    madeUpTask("a/broken"),
                    madeUpTask("b/alone"),
                )
            run(root, *tasks.toTypedArray(), arguments = "--output $root/out")
            picturesIn(root) shouldContainExactly listOf("a.svg")
            val texts = textsOf(root.resolve("out/a.svg"))
            texts shouldContain "times as fast as the peer (logarithmic axis); more is better, 1 is as fast"
            texts shouldContain "a/missed"
            texts shouldNotContain "a/broken"
            texts shouldNotContain "b/alone"
            root.resolve("out/results.md").readText() shouldContain "](a.svg)"
        }

        test(
            "tasks with another unit have a picture of their own, with amounts instead of ratios",
        ) {
            val root = root()
            val garbage = Ratio.Garbage(1000.0)
            run(
                root,
                madeUpTask("a/a", 8.0),
                madeUpTask("a/b"),
                madeUpTask("a/heap", 1.0, garbage),
                madeUpTask("a/more-heap", 1.0, garbage),
                arguments = "--output $root/out",
            )
            picturesIn(root) shouldContainExactly listOf("a-heap.svg", "a.svg")
            val heap = textsOf(root.resolve("out/a-heap.svg"))
            heap shouldContain "heap that an operation allocates (linear axis); less is better"
            heap shouldContain "100 B"
            heap shouldNotContain "10×"
            heap shouldNotContain "a/b"
            textsOf(root.resolve("out/a.svg")) shouldNotContain "a/heap"
        }

        test("small groups share a section, whose rows name different peers") {
            val root = root()
            run(
                root,
                madeUpTask("c/a", peer = "C"),
                madeUpTask("cpp/a", peer = "C++"),
                arguments = "--output $root/out",
            )
            picturesIn(root) shouldContainExactly listOf("native.svg")
            val texts = textsOf(root.resolve("out/native.svg"))
            texts shouldContain "c/a (C)"
            texts shouldContain "cpp/a (C++)"
            root.resolve("out/results.md").readText().lines() shouldContain "## native"
        }

        test("a run of some tasks does not change the docs") {
            val root = root()
            val result = run(root, madeUpTask("a/a"), madeUpTask("b/a"), arguments = "a/*")
            result.stdout shouldContain "a/a"
            result.stdout shouldNotContain "b/a"
            root.resolve("docs").exists() shouldBe false
        }

        test("results of an earlier run are rendered without measuring") {
            val root = root()
            run(root, madeUpTask("a/a", 8.0), arguments = "--output $root/out")
            root.resolve("README.md").writeText("<!-- a/a ratio --><!-- / -->")
            val broken = RunCommand(listOf(madeUpTask("a/broken")), root, { _, _ -> error("measures") })
            broken.test("--render $root/out/results.json").statusCode shouldBe 0
            root.resolve("README.md").readText() shouldBe "<!-- a/a ratio -->9<!-- / -->"
        }

        test("pages don't quote a run in which a task failed") {
            val root = root()
            root.resolve("README.md").writeText("<!-- a/a ratio -->8<!-- / -->")
            run(root, madeUpTask("a/a", 8.0), madeUpTask("a/broken"), arguments = "").statusCode shouldBe 1
            root.resolve("README.md").readText() shouldBe "<!-- a/a ratio -->8<!-- / -->"
            root.resolve("docs/benchmarks/results.json").exists() shouldBe true
        }

        test("tasks are listed") {
            run(root(), madeUpTask("a/a"), madeUpTask("b/a"), arguments = "--list").stdout shouldBe
                "a/a  what a/a is\nb/a  what b/a is\n"
        }

        test("an unknown task is reported") {
            val result = run(root(), madeUpTask("a/a"), arguments = "b/*")
            result.stderr shouldContain "there is no such task: b/*"
            result.statusCode shouldBe 1
        }

        test("an unknown task is reported together with known ones") {
            run(root(), madeUpTask("a/a"), arguments = "a/a a/typo").stderr shouldContain "no such task: a/typo"
        }

        test("problems with measuring or writing are reported before anything is measured") {
            val file = root().resolve("file").apply { writeText("{") }
            mapOf(
                "--output $file" to "is a file",
                "--output $file/out" to "nothing can be written to",
                "--render $file" to "holds no results",
                "--minutes NaN" to "not in the valid range",
                "--minutes 1e300" to "not in the valid range",
            ).forEach { (arguments, message) ->
                val result = run(root(), madeUpTask("a/a"), arguments = arguments)
                result.stderr shouldContain message
                result.stderr shouldNotContain "2 of 2"
                result.statusCode shouldBe 1
            }
        }

        test("processes that a run has started end with it") {
            val process = processOf(StarterMain::class.java)
            val child = ProcessHandle.of(process.inputReader().readLine().toLong())
            process.waitFor() shouldBe 0
            child.ifPresent { it.onExit().get(10, TimeUnit.SECONDS) }
        }

        test("a missed budget ends the process with 1, a met one with 0") {
            processOf("8") shouldBe (0 to "budget a/a ratio=9.000 budget=8 met")
            processOf("10") shouldBe (1 to "budget a/a ratio=9.000 budget=10 missed")
        }
    })

private val figures: Instrument =
    Instrument { task ->
        if ("broken" in task.name) throw MeasuringException("${task.name}-ours failed: out of order")
        Sample(Fork(listOf(2.0), heapBytes = 100.0), Fork(listOf(18.0), heapBytes = 100.0).takeIf { task.peer != null })
    }

/** The SVG files that a run with `--output out` has written. */
private fun picturesIn(root: Path): List<String> =
    root
        .resolve("out")
        .listDirectoryEntries("*.svg")
        .map { it.name }
        .sorted()

/** The text in a picture. */
private fun textsOf(picture: Path): List<String> {
    val document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(picture.toFile())
    document.documentElement.tagName shouldBe "svg"
    val texts = document.getElementsByTagName("text")
    return (0 until texts.length).map { texts.item(it).textContent.trim() }
}

private fun run(
    root: Path,
    vararg tasks: Task,
    arguments: String,
    onTerminal: Boolean = false,
): CliktCommandTestResult =
    RunCommand(tasks.toList(), root, { _, _ -> figures }).test(arguments, width = 200, outputInteractive = onTerminal)

/** The exit code and the output of a process whose one task has this budget, and the ratio 9. */
private fun processOf(budget: String): Pair<Int, String> {
    val process = processOf(MadeUpMain::class.java, budget)
    val output = process.inputStream.bufferedReader().use { it.readText() }
    return process.waitFor() to output.trim()
}

private fun processOf(
    type: Class<*>,
    vararg arguments: String,
): Process {
    val java =
        ProcessHandle
            .current()
            .info()
            .command()
            .get()
    return ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), type.name, *arguments)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
}

/** Starts a process that would run for long, prints its number and ends. */
internal object StarterMain {
    @JvmStatic
    fun main(arguments: Array<String>) {
        Main.endChildrenWithThisProcess()
        println(ProcessBuilder("sleep", "600").start().pid())
    }
}

internal object MadeUpMain {
    @JvmStatic
    fun main(arguments: Array<String>) {
        RunCommand(listOf(madeUpTask("a/a", arguments.single().toDouble())), Path.of(""), { _, _ -> figures })
            .main(arrayOf("--quick"))
    }
}
