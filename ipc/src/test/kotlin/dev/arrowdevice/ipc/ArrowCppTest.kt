package dev.arrowdevice.ipc

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.Validation
import dev.arrowdevice.exportTo
import dev.arrowdevice.importBatch
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.peers.arrowcpp.ArrowCpp
import dev.arrowdevice.peers.arrowcpp.CppException
import dev.arrowdevice.peers.arrowcpp.CppIpc
import dev.arrowdevice.peers.arrowcpp.CppRecordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.property.checkAll
import java.nio.ByteBuffer

/** Arrow C++ 21, as it is in the native library of arrow-dataset, reads what we write and writes what we read. */
class ArrowCppTest :
    FunSpec({
        val available = { ArrowCpp.whyUnavailable()?.let(Enabled::disabled) ?: Enabled.enabled }

        test("random batches come back from Arrow C++, which reads our streams and files and writes streams")
            .config(enabledOrReasonIf = { available() }) {
                var exchanged = 0
                val refused = sortedMapOf<String, Int>()
                val before = ArrowCpp.liveObjects() to ArrowCpp.bytesAllocated()
                ReleaseBalance.start().use {
                    withFile { path ->
                        checkAll(iterations("cppipc", 200), BatchShape.arb(2)) { shape ->
                            if (shape.schema.fields().all { isWritable(it.type()) && !isBeyondCpp(it.type()) }) {
                                val made = shape.build()
                                made.batch.use { batch ->
                                    write(path, listOf(batch))
                                    val read =
                                        try {
                                            listOf(Cpp.ofStream(streamOf(batch)), Cpp.ofFile(path.toFile().readBytes()))
                                        } catch (e: CppException) {
                                            refused.merge(e.message.orEmpty().take(80), 1, Int::plus)
                                            emptyList()
                                        }
                                    read.forEach { cpp ->
                                        cpp.use { withClue("$shape") { it.compareWith(made.values) } }
                                    }
                                    exchanged += read.size
                                }
                            }
                        }
                    }
                }
                println("$exchanged batches through Arrow C++; refused by it: $refused")
                exchanged shouldBeGreaterThan 100
                (ArrowCpp.liveObjects() to ArrowCpp.bytesAllocated()) shouldBe before
            }
    })

/** What Arrow C++ 21 exports without all buffers, an extension over views (apache/arrow#46659); and what it refuses, runs of runs. */
private fun isBeyondCpp(type: ArrowType): Boolean {
    val storage = type.storageType()
    val isWrong =
        (type is ExtensionType && storage == ArrowType.UTF8_VIEW) ||
            (storage is RunEndEncodedType && storage.values().type().storageType() is RunEndEncodedType)
    val inner = storage.children().map { it.type() } + listOfNotNull((storage as? DictionaryType)?.valueType())
    return isWrong || inner.any(::isBeyondCpp)
}

/** Batches that Arrow C++ has read. */
internal class Cpp(
    private val batches: List<CppRecordBatch>,
) : AutoCloseable {
    /** The batches as they come over the C interface. */
    fun imported(): List<RecordBatch> =
        batches.map { batch ->
            importBatch(Validation.FULL) { array, schema -> batch.exportTo(array.address, schema.address) }
        }

    /** The same batches as a stream that Arrow C++ writes. */
    fun written(): ByteArray = CppIpc.writeStream(batches)

    fun validateFull() = batches.forEach { it.validateFull() }

    /** C++ finds nothing wrong in the only batch, and has these values; and what C++ writes of it, too. */
    fun compareWith(values: List<List<Any?>>) {
        validateFull()
        imported().single().use { compare(it, values) }
        val full = IpcReadOptions.defaults().withValidation(Validation.FULL)
        arrowStream(ByteBuffer.wrap(written()), full).use { reader -> reader.nextBatch()!!.use { compare(it, values) } }
    }

    override fun close() = batches.forEach { it.close() }

    companion object {
        fun ofStream(bytes: ByteArray): Cpp {
            val batches = mutableListOf<CppRecordBatch>()
            try {
                CppIpc.readStream(bytes).use { reader -> generateSequence { reader.next() }.forEach(batches::add) }
            } catch (e: CppException) {
                batches.forEach { it.close() }
                throw e
            }
            return Cpp(batches)
        }

        fun ofFile(bytes: ByteArray): Cpp = Cpp(CppIpc.readFile(bytes))
    }
}

/** The values of a batch are these. */
internal fun compare(
    batch: RecordBatch,
    values: List<List<Any?>>,
) = values.forEachIndexed { i, expected ->
    withClue("column $i: ${batch.column(i).type}") { valuesOf(batch.column(i)) shouldBe expected }
}
