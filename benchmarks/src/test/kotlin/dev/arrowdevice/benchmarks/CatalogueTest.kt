package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.measure.Parking
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.openjdk.jmh.runner.BenchmarkList
import org.openjdk.jmh.runner.format.OutputFormatFactory
import org.openjdk.jmh.runner.options.VerboseMode

class CatalogueTest :
    FunSpec({
        test("no two tasks have the same name") {
            catalogue.map { it.name }.shouldBeUnique()
        }

        test("the name of a task has its group, and needs no quotes in a shell") {
            catalogue.map { it.name }.filterNot { Regex("[a-z0-9-]+/[A-Za-z0-9.-]+").matches(it) }.shouldBeEmpty()
        }

        test("no two tasks compare the same") {
            catalogue.map { listOf(it.ours, it.peer?.measured, it.ratio) }.shouldBeUnique()
        }

        test("every method with JMH's annotation is run by a task") {
            val methods =
                BenchmarkList.defaultList().getAll(
                    OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
                    emptyList(),
                )
            val run = benchmarks().map { "${it.type.canonicalName}.${it.method}" }
            val ofTests = Parking::class.java.packageName
            (methods.map { it.username }.filterNot { it.startsWith(ofTests) } - run.toSet()).shouldBeEmpty()
        }

        benchmarks().distinctBy { Triple(it.type, it.method, it.parameters) }.forEach { jmh ->
            test("${jmh.type.simpleName}.${jmh.method} with ${jmh.parameters} is one benchmark") {
                jmh.benchmarkMethod().shouldNotBeNull()
                val defaults = jmh.defaults()
                jmh.parameters.keys.forEach { withClue("its parameters") { defaults.keys shouldContain it } }
                (defaults.keys - jmh.parameters.keys).map { "$it has several values and is not given" }.shouldBeEmpty()
            }
        }

        budgets.forEach { (what, budget, names, quick) ->
            test("there is a task for the budget: $what") {
                names.forEach { name ->
                    withClue(name) {
                        val task = catalogue.find { it.name == name }.shouldNotBeNull()
                        task.quick shouldBe quick
                        task.inWords() shouldBe budget
                    }
                }
            }
        }
    })

/** The JMH benchmarks of the catalogue, each once. */
internal fun benchmarks(): List<Jmh> = catalogue.flatMap { it.sides }.filterIsInstance<Jmh>().distinct()

private fun Task.inWords(): String =
    when (val ratio = ratio) {
        Ratio.TimesAsFast -> "$budget times as fast"
        is Ratio.Allowance -> "${ratio.nanos / budget!!} ns more"
        is Ratio.Garbage -> "${ratio.bytes / budget!!} bytes of heap"
        is Ratio.Growth -> "${ratio.bytes / budget!!} bytes of growth"
    }

private data class DesignedBudget(
    val what: String,
    val budget: String,
    val names: List<String>,
    val quick: Boolean = true,
)

/**
 * The budgets of the design, in its order, as the tasks that report them.
 */
private val budgets =
    listOf(
        DesignedBudget(
            "export, import and release of an int32 array against arrow-java",
            "8.0 times as fast",
            listOf("exchange/int32"),
        ),
        DesignedBudget("the same of a batch of 100 columns", "8.0 times as fast", listOf("exchange/batch-100")),
        DesignedBudget(
            "a root of arrow-java as a batch against its export",
            "5.0 times as fast",
            listOf("arrow-java/from-batch-100"),
        ),
        DesignedBudget(
            "a batch as a root of arrow-java against its import",
            "1.5 times as fast",
            listOf("arrow-java/to-batch-100"),
        ),
        DesignedBudget("sum over 10 M int64 against a plain loop", "0.95 times as fast", listOf("read/int64")),
        DesignedBudget("10 M nullable int32 in the DSL against setSafe", "2.0 times as fast", listOf("build/int32")),
        DesignedBudget(
            "bulk copy against System.arraycopy",
            "0.9 times as fast",
            listOf("copy/to-array-64k", "copy/from-array-64k", "copy/to-array-10M", "copy/from-array-10M"),
        ),
        DesignedBudget("a flow over the bare get_next loop", "1000.0 ns more", listOf("flow/here")),
        DesignedBudget("no native leak", "1000000.0 bytes of growth", listOf("memory/native")),
        DesignedBudget(
            "heap of an exchanged batch",
            "1024.0 bytes of heap",
            listOf("garbage/int32", "garbage/batch-1"),
        ),
        DesignedBudget(
            "host to GPU from pinned memory against the raw copy",
            "0.95 times as fast",
            listOf("gpu/to-device"),
        ),
        DesignedBudget(
            "host to GPU from pageable memory against the driver's copy from there",
            "0.9 times as fast",
            listOf("gpu/to-device-plain"),
            quick = false,
        ),
        DesignedBudget("two threads against one", "1.7 times as fast", listOf("threads/export-import")),
        DesignedBudget(
            "a column among many",
            "0.8 times as fast",
            listOf("scaling/columns-100", "scaling/columns-1000"),
        ),
        DesignedBudget(
            "a large result of DuckDB over ADBC against JDBC",
            "5.0 times as fast",
            listOf("adbc/duckdb-scan"),
            quick = false,
        ),
        DesignedBudget(
            "the same against arrow-java",
            "1.5 times as fast",
            listOf("adbc/duckdb-scan-arrow-java"),
            quick = false,
        ),
        DesignedBudget(
            "a result of PostgreSQL over ADBC against JDBC",
            "1.5 times as fast",
            listOf("adbc/postgresql-scan"),
            quick = false,
        ),
        DesignedBudget(
            "the calls of a query over the same calls in C",
            "5000.0 ns more",
            listOf("adbc/one-row"),
            quick = false,
        ),
        DesignedBudget(
            "objects of a class against the DSL by hand, at most 1.5 times as long",
            "0.67 times as fast",
            listOf("data/classes-to-batch", "data/batch-to-classes"),
            quick = false,
        ),
        DesignedBudget(
            "small batches of Arrow IPC against arrow-java",
            "3.0 times as fast",
            listOf("ipc/write-small", "ipc/read-small"),
        ),
        DesignedBudget(
            "large batches of Arrow IPC that a channel copies, against arrow-java",
            "1.0 times as fast",
            listOf("ipc/write-columns", "ipc/read-columns", "ipc/write-strings", "ipc/read-strings"),
            quick = false,
        ),
        DesignedBudget("those that are not copied", "5.0 times as fast", listOf("ipc/read-columns-in-place")),
        DesignedBudget("a mapped column against its bytes", "0.91 times as fast", listOf("ipc/file-sum")),
        DesignedBudget("compression against the codec alone", "0.9 times as fast", listOf("ipc/write-zstd")),
        DesignedBudget(
            "the same of the other codec, and decompression",
            "0.9 times as fast",
            listOf("ipc/read-zstd", "ipc/write-lz4", "ipc/read-lz4"),
            quick = false,
        ),
        DesignedBudget(
            "heap of a small batch of Arrow IPC",
            "2048.0 bytes of heap",
            listOf("ipc/write-small-garbage", "ipc/read-small-garbage"),
            quick = false,
        ),
        DesignedBudget(
            "filter, take and concat beside Arrow C++, at most 1.5 times as long",
            "0.67 times as fast",
            listOf("int64", "utf8-short").flatMap { kind ->
                listOf("filter-1", "filter-50", "filter-99", "take").map { "operations/$it-$kind" }
            } + "operations/concat-utf8-short",
            quick = false,
        ),
        DesignedBudget(
            "concat at the speed of memory",
            "0.9 times as fast",
            listOf("operations/concat-int64"),
            quick = false,
        ),
    )
