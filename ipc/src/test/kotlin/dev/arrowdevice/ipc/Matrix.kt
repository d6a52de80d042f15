package dev.arrowdevice.ipc

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.peers.arrowcpp.ArrowCpp
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readBytes
import kotlin.io.path.readLines
import kotlin.io.path.readText

/**
 * The table of types and peers in `docs/ipc.md`: what each reads of what we have written, and what each has written and
 * we have read.
 *
 * @param folder where the Python side has made its files, checked ours, and left its results
 */
internal class Matrix(
    private val folder: Path,
) {
    private val results = folder.resolve("results.tsv").readLines().map { it.split('\t') }

    /** Where what we have written of an original is, without the ending. */
    private val ours: Map<String, String> =
        folder.resolve("ours").listDirectoryEntries("*.of").associate {
            Path.of(it.readText()).fileName.toString() to "$it".removeSuffix(".of")
        }

    /** The page with the table as it was seen just now. */
    fun updated(page: String): String {
        val rows =
            folder.resolve("types.txt").readLines().map {
                it to Row("pyarrow None $it", "polars None $it", "nanoarrow None $it")
            } +
                listOf("LZ4" to "lz4", "ZSTD" to "zstd").map { (title, name) ->
                    title to Row("pyarrow $name large", "polars $name", null)
                }
        val table =
            buildString {
                append("| | pyarrow | | polars | | nanoarrow | | Arrow Java | | Arrow C++ | |\n")
                append("| --- |" + " --- | --- |".repeat(PEERS) + "\n")
                append("| |" + " reads | writes |".repeat(PEERS) + "\n")
                for ((title, row) in rows) append("| `$title` | ${row.cells().joinToString(" | ")} |\n")
            }
        return page.substringBefore(BEGIN) + BEGIN + "\n\n" + table + "\n" + END + page.substringAfter(END)
    }

    /** A row is about a thing that pyarrow has written; the same by others has other names. */
    private inner class Row(
        private val pyarrow: String,
        private val polars: String,
        private val nanoarrow: String?,
    ) {
        fun cells(): List<String> =
            listOf(reads("pyarrow"), writes(pyarrow), reads("polars"), writes(polars), reads("nanoarrow")) +
                (nanoarrow?.let(::writes) ?: NO) +
                inProcess("Arrow Java", ArrowJava::ofStream, ArrowJava::ofFile) +
                inProcess("Arrow C++", { Cpp.ofStream(it).use(Cpp::written) }, { Cpp.ofFile(it).use(Cpp::written) })

        private fun reads(peer: String): String {
            val of = results.filter { it[2] == peer && it[0].substringBeforeLast('.') == pyarrow }
            return cell(of.map { (_, form, _, result) -> (form == ".stream") to (result == "same") })
        }

        /** What a peer has written was read, or the test has failed before. */
        private fun writes(name: String): String =
            cell(listOf(".stream", ".arrow").map { (it == ".stream") to folder.resolve(name + it).exists() })

        /**
         * A peer of the same process, which reads what we have written, and writes again what it has read.
         * What it refuses, it refuses from pyarrow too.
         */
        private fun inProcess(
            peer: String,
            ofStream: (ByteArray) -> ByteArray,
            ofFile: (ByteArray) -> ByteArray,
        ): List<String> {
            val path = ours.getValue("$pyarrow.stream")
            val forms =
                listOf(
                    Triple(true, ofStream, ".stream"),
                    Triple(false, ofFile, ".arrow"),
                ).map { (isStream, again, ending) ->
                    val bytes =
                        try {
                            again(Path.of(path + ending).readBytes())
                        } catch (e: Exception) {
                            val theirs = runCatching { again(folder.resolve(pyarrow + ending).readBytes()) }
                            withClue("$peer refuses ours, $ending of $pyarrow: $e") { theirs.isFailure shouldBe true }
                            null
                        }
                    val original = Path.of("$path.stream").readBytes()
                    if (bytes != null) withClue("$peer, $pyarrow$ending") { sameBatches(bytes, original) }
                    isStream to (bytes != null)
                }
            return listOf(cell(forms), cell(forms.take(1)))
        }
    }

    private fun cell(forms: List<Pair<Boolean, Boolean>>): String {
        val (streams, files) = forms.partition { it.first }.toList().map { part -> part.any { it.second } }
        withClue("the same form is read, and is not: $forms") {
            forms.distinct().size shouldBe forms.map { it.first }.distinct().size
        }
        return when {
            streams && (files || forms.none { !it.first }) -> "✓"
            streams -> "streams"
            files -> "files"
            else -> NO
        }
    }

    companion object {
        val file: Path = Python.root.resolve("docs/ipc.md")

        private const val PEERS = 5
        private const val NO = "–"
        private const val BEGIN = "<!-- matrix: begin, made by PythonPeerTest -->"
        private const val END = "<!-- matrix: end -->"

        /** Why the table can't be made; null if it can. */
        val whyNot: String? get() = Python.whyNot ?: ArrowCpp.whyUnavailable()
    }
}

private fun sameBatches(
    theirs: ByteArray,
    ours: ByteArray,
) {
    val read = listOf(theirs, ours).map(::batchesOf)
    try {
        read[0].size shouldBe read[1].size
        read[0].zip(read[1]).forEach { (left, right) ->
            // Arrow Java forgets the names of elements within dictionaries, so types are not compared.
            compare(left, List(right.schema.fields().size) { valuesOf(right.column(it)) })
        }
    } finally {
        read.flatten().forEach(RecordBatch::close)
    }
}

private fun batchesOf(bytes: ByteArray): List<RecordBatch> =
    arrowStream(ByteBuffer.wrap(bytes), IpcReadOptions.defaults().withValidation(Validation.FULL)).use { reader ->
        generateSequence { reader.nextBatch() }.toList()
    }
