package dev.arrowdevice.ipc

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.TypeId
import dev.arrowdevice.UnionType
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.property.checkAll
import org.apache.arrow.flatbuf.Message
import org.apache.arrow.memory.RootAllocator
import org.apache.arrow.vector.dictionary.DictionaryProvider
import org.apache.arrow.vector.ipc.ArrowFileReader
import org.apache.arrow.vector.ipc.ArrowReader
import org.apache.arrow.vector.ipc.ArrowStreamReader
import org.apache.arrow.vector.ipc.ArrowStreamWriter
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.channels.Channels
import java.nio.file.Path
import kotlin.io.path.readBytes

/** Arrow Java reads what we write, and writes it again; we read the same of that. */
class ArrowJavaTest :
    FunSpec({
        test("what Arrow Java reads of our streams and files and writes again is what we wrote") {
            var exchanged = 0
            val refused = sortedMapOf<String, Int>()
            ReleaseBalance.start().use {
                withFile { path ->
                    checkAll(iterations("arrowjava", 300), BatchShape.arb(2)) { shape ->
                        if (shape.schema.fields().all { isWritable(it.type()) }) {
                            val made = shape.build()
                            made.batch.use { batch ->
                                val bytes = streamOf(batch)
                                val again =
                                    try {
                                        write(path, listOf(batch))
                                        throughArrowJava(bytes, path)
                                    } catch (e: Exception) {
                                        refused.merge("$e".substringAfterLast("Exception: ").take(60), 1, Int::plus)
                                        emptyList()
                                    }
                                exchanged += again.size
                                again.forEach { withClue("$shape") { compareStream(it, made.values) } }
                            }
                        }
                    }
                }
            }
            println("$exchanged batches through Arrow Java; refused by it: $refused")
            exchanged shouldBeGreaterThan 100
        }

        // The reason for isKept: not what we write is wrong, but what Arrow Java makes of it.
        test(
            "Arrow Java cuts the children of a dense union to the number of its elements, though offsets lead further",
        ) {
            ReleaseBalance.start().use {
                val bytes = unionWithGap().use { streamOf(it) }
                arrowStream(ByteBuffer.wrap(bytes), FULL).use { reader -> reader.nextBatch()!!.close() }
                val again = ArrowJava.ofStream(bytes)
                childLengths(bytes) shouldBe listOf(2L, 3L)
                childLengths(again) shouldBe listOf(2L, 2L)
                shouldThrow<ArrowIpcException> { arrowStream(ByteBuffer.wrap(again), FULL).use { it.nextBatch() } }
                    .message shouldContain "offset"
            }
        }
    })

private val FULL = IpcReadOptions.defaults().withValidation(Validation.FULL)

/** What Arrow Java writes of what it has read of a stream, and of the same as a file, if it keeps it. */
private fun throughArrowJava(
    stream: ByteArray,
    file: Path,
): List<ByteArray> =
    if (isKept(stream)) listOf(ArrowJava.ofStream(stream), ArrowJava.ofFile(file.readBytes())) else emptyList()

internal object ArrowJava {
    /** So that it fails with an exception where it doubles buffers without end, as for dictionaries of lists of nulls. */
    private const val MEMORY = 1L shl 28

    /** The stream that Arrow Java writes of what it has read of this one. */
    fun ofStream(bytes: ByteArray): ByteArray = again { ArrowStreamReader(ByteArrayInputStream(bytes), it) }

    /** The stream that Arrow Java writes of what it has read of a file. */
    fun ofFile(bytes: ByteArray): ByteArray = again { ArrowFileReader(ByteArrayReadableSeekableByteChannel(bytes), it) }

    private fun again(open: (RootAllocator) -> ArrowReader): ByteArray {
        val out = ByteArrayOutputStream()
        RootAllocator(MEMORY).use { allocator ->
            open(allocator).use { reader ->
                val dictionaries = reader as DictionaryProvider
                ArrowStreamWriter(reader.vectorSchemaRoot, dictionaries, Channels.newChannel(out)).use { writer ->
                    writer.start()
                    while (reader.loadNextBatch()) writer.writeBatch()
                    writer.end()
                }
            }
        }
        return out.toByteArray()
    }
}

/**
 * Whether Arrow Java 19 keeps the dense unions of a stream. `DenseUnionVector.setValueCount`, which is called when a
 * batch has been loaded, counts the elements of each type id and cuts the children to these numbers. But the format
 * lets a child have values that no element refers to, and elements share values; then offsets lead behind the end of
 * the child, or values are lost.
 */
private fun isKept(bytes: ByteArray): Boolean =
    arrowStream(ByteBuffer.wrap(bytes)).use { reader -> reader.nextBatch()!!.use { isKept(it.asStruct().data) } }

private fun isKept(data: ArrayData): Boolean {
    val type = data.type.storageType()
    if (type.id() == TypeId.DENSE_UNION) {
        val counts = IntArray(data.childCount)
        val childOf = (type as UnionType).childIndices()
        for (i in 0 until data.length) {
            counts[
                childOf[
                    data
                        .buffer(0)!!
                        .memory()
                        .getByte(i)
                        .toInt(),
                ],
            ]++
        }
        if (counts.indices.any { data.child(it).length != counts[it].toLong() }) return false
    }
    return (0 until data.childCount).all { isKept(data.child(it)) } && data.dictionary?.let(::isKept) != false
}

/** Two elements of a dense union, which are the first and the last of the three values of its child. */
private fun unionWithGap(): RecordBatch {
    val union = UnionType(TypeId.DENSE_UNION, listOf(0), listOf(Field.nullable("n", ArrowType.INT32)))
    val schema = Schema.of(Field.nullable("u", union))

    fun array(
        type: ArrowType,
        length: Long,
        vararg buffers: DeviceBuffer?,
        child: ArrayData? = null,
    ) = ArrayData(type, Device.CPU, length, 0, 0, buffers, listOfNotNull(child).toTypedArray(), null)
    val (numbers, ids, offsets) = listOf(ints(7, 8, 9), ints(0), ints(0, 2))
    val elements = array(union, 2, ids, offsets, child = array(ArrowType.INT32, 3, null, numbers))
    return OwnedArrays.batchOf(
        schema,
        array(ArrowType.struct(schema.fields()), 2, null, child = elements),
        ReferenceCounted.all(numbers.owner, ids.owner, offsets.owner),
        null,
    )
}

private fun ints(vararg values: Int): DeviceBuffer {
    val bytes = ByteBuffer.allocateDirect(values.size * 4).order(ByteOrder.nativeOrder())
    values.forEach { bytes.putInt(it) }
    return DeviceBuffer.ofByteBuffer(bytes.flip()) {}
}

/** The lengths of the arrays in the record batch of a stream. */
private fun childLengths(bytes: ByteArray): List<Long> {
    val message = Message.getRootAsMessage(ByteBuffer.wrap(split(bytes).last()).also { it.position(8) }.slice())
    val batch =
        message.header(
            org.apache.arrow.flatbuf
                .RecordBatch(),
        ) as org.apache.arrow.flatbuf.RecordBatch
    return List(batch.nodesLength()) { batch.nodes(it).length() }
}

private fun compareStream(
    bytes: ByteArray,
    values: List<List<Any?>>,
) = arrowStream(ByteBuffer.wrap(bytes), FULL).use { reader -> reader.nextBatch()!!.use { compare(it, values) } }
