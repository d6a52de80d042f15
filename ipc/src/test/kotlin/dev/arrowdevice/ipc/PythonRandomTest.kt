package dev.arrowdevice.ipc

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import io.kotest.property.Arb
import io.kotest.property.RandomSource
import io.kotest.property.arbitrary.take
import java.nio.channels.FileChannel
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.outputStream

/** Random batches of all types go to pyarrow, and come back. */
class PythonRandomTest :
    FunSpec({
        test("random batches are valid for pyarrow, and what it writes of them has the same values")
            .config(enabledOrReasonIf = { Python.whyNot?.let(Enabled::disabled) ?: Enabled.enabled }) {
                ReleaseBalance.start().use {
                    inFolder { folder ->
                        val source = RandomSource.default()
                        withClue("seed ${source.seed}") {
                            val expected = write(folder, BatchShape.arb(), source)
                            Python.peers("random", "$folder").also(::println) shouldNotContain "FAILED"
                            val back = expected.filterKeys { folder.resolve("again/$it").exists() }
                            back.size shouldBeGreaterThan expected.size / 3
                            back.forEach { (name, values) ->
                                withClue(name) { read(folder.resolve("again/$name")) shouldBe values }
                            }
                        }
                    }
                }
            }
    })

/** Writes batches as streams and files. Returns the values of the columns of each. */
private fun write(
    folder: Path,
    shapes: Arb<BatchShape>,
    source: RandomSource,
): Map<String, List<List<Any?>>> {
    val expected = mutableMapOf<String, List<List<Any?>>>()
    shapes.take(iterations("ipc.python", 60), source).forEachIndexed { i, shape ->
        if (shape.schema.fields().all { isWritable(it.type()) }) {
            val compression = listOf(null, IpcCompression.LZ4_FRAME, IpcCompression.ZSTD)[i % 3]
            val options = IpcWriteOptions.defaults().withCompression(compression)
            val name = listOf("plain", "lz4", "zstd")[i % 3] + " $i"
            val made = shape.build()
            made.batch.use { batch ->
                folder.resolve("$name.stream").outputStream().use { it.write(streamOf(batch, options = options)) }
                ArrowFileWriter.open(folder.resolve("$name.arrow"), batch.schema, options).writing { it.write(batch) }
            }
            expected["$name.stream"] = made.values
            expected["$name.arrow"] = made.values
        }
    }
    return expected
}

private fun read(path: Path): List<List<Any?>> {
    val full = IpcReadOptions.defaults().withValidation(Validation.FULL)

    fun values(stream: DeviceArrayStream) =
        stream.use { reader ->
            reader.nextBatch()!!.use { batch -> List(batch.columnCount) { valuesOf(batch.column(it)) } }
        }
    return if (path.toString().endsWith(".arrow")) {
        arrowFile(path, full).use { values(it.stream()) }
    } else {
        values(arrowStream(FileChannel.open(path), full))
    }
}
