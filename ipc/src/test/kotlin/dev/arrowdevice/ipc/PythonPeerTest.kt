package dev.arrowdevice.ipc

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.extension
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Reads what Python's peers write, of every type, and writes it again for them to read. */
class PythonPeerTest :
    FunSpec({
        val available = { Python.whyNot?.let(Enabled::disabled) ?: Enabled.enabled }

        test("what Python's peers write is read and written again, and they read the same, as docs/ipc.md says")
            .config(enabledOrReasonIf = { Matrix.whyNot?.let(Enabled::disabled) ?: Enabled.enabled }) {
                ReleaseBalance.start().use {
                    inFolder { folder ->
                        Python.peers("make", "$folder")
                        val originals = folder.listDirectoryEntries("*.{stream,arrow}")
                        originals.size shouldBeGreaterThan 400
                        val ours = folder.resolve("ours").createDirectory()
                        originals.forEachIndexed { i, path -> rewrite(path, ours, "$i", compressionOf(path)) }
                        requireSame(folder)
                        val updated = Matrix(folder).updated(Matrix.file.readText())
                        if (System.getProperty("ipc.write") == "true") Matrix.file.writeText(updated)
                        withClue("$HOW brings the table up to date") { Matrix.file.readText() shouldBe updated }
                    }
                }
            }

        test("Arrow's integration files are read and written again, and pyarrow reads the same")
            .config(enabledOrReasonIf = { available() }) {
                ReleaseBalance.start().use {
                    inFolder { folder ->
                        val ours = folder.resolve("ours").createDirectory()
                        var read = 0
                        golden().filterNot { "bigendian" in it.parent.name }.forEachIndexed { i, path ->
                            withClue(
                                "$path",
                            ) { rewrite(path, ours, "$i ${path.parent.name} ${path.name}", null, validation(path)) }
                            read++
                        }
                        read shouldBeGreaterThan 100
                        requireSame(folder)
                    }
                }
            }

        test("big-endian streams and files are refused by name") {
            ReleaseBalance.start().use {
                val bigEndian = golden().filter { "bigendian" in it.parent.name }
                bigEndian.size shouldBeGreaterThan 10
                bigEndian.forEach { path ->
                    shouldThrow<ArrowIpcException> { open(path, IpcReadOptions.defaults()) }.message shouldContain
                        "big-endian"
                }
            }
        }
    })

private const val HOW =
    "mvn test -pl core,testkit,bridges/arrow-java,peers,coroutines,cuda,rocm,ipc -Dtest=PythonPeerTest -Dipc.write=true"

/** Python's peers compare what was written again. What polars says in its panics is not of interest otherwise. */
private fun requireSame(folder: Path) {
    val said = Python.peers("check", "$folder")
    println(said.trim().lines().last())
    said shouldNotContain "FAILED"
}

private fun golden(): List<Path> =
    Python.golden
        .listDirectoryEntries()
        .filterNot { it.isRegularFile() }
        .flatMap { it.listDirectoryEntries("*.{stream,arrow_file}") }
        .sorted()

/** Old files have dates that are no whole days, and decimals of more digits than declared. */
private fun validation(path: Path): Validation =
    if (path.parent.name == "0.14.1") Validation.STRUCTURE else Validation.FULL

private fun compressionOf(path: Path): IpcCompression? =
    when {
        "lz4" in path.name -> IpcCompression.LZ4_FRAME
        "zstd" in path.name -> IpcCompression.ZSTD
        else -> null
    }

/** Reads a file with full validation, and writes what it has as a stream and as a file. */
private fun rewrite(
    path: Path,
    ours: Path,
    name: String,
    compression: IpcCompression?,
    validation: Validation = Validation.FULL,
) {
    val full = IpcReadOptions.defaults().withValidation(validation)
    val options = IpcWriteOptions.defaults().withCompression(compression)
    withClue(path.name) {
        val batches = mutableListOf<RecordBatch>()
        val schema =
            open(path, full).use { (stream) ->
                generateSequence { stream.nextBatch() }.forEach(batches::add)
                stream.schema
            }
        ours.resolve("$name.of").writeText("$path")
        val stream = Files.newByteChannel(ours.resolve("$name.stream"), WRITE)
        ArrowStreamWriter.open(stream, schema, options).writing { batches.forEach(it::write) }
        ArrowFileWriter.open(ours.resolve("$name.arrow"), schema, options).writing { batches.forEach(it::write) }
        batches.forEach(RecordBatch::close)
    }
}

private val WRITE = setOf(java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.WRITE)

/** A stream, with what must be closed after it. */
private class Opened(
    val stream: DeviceArrayStream,
    private val after: AutoCloseable?,
) : AutoCloseable {
    operator fun component1() = stream

    override fun close() {
        stream.close()
        after?.close()
    }
}

private fun open(
    path: Path,
    options: IpcReadOptions,
): Opened =
    if (path.extension != "stream") {
        arrowFile(path, options).let { Opened(it.stream(), it) }
    } else {
        Opened(arrowStream(FileChannel.open(path), options), null)
    }

internal inline fun inFolder(block: (Path) -> Unit) {
    val folder = Files.createTempDirectory("ipc")
    try {
        block(folder)
    } finally {
        folder.toFile().deleteRecursively()
    }
}
