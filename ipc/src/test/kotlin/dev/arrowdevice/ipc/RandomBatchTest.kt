package dev.arrowdevice.ipc

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.property.checkAll
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.channels.Channels

/** Random batches of all types and layouts, written and read, have the values that they were made of. */
class RandomBatchTest :
    FunSpec({
        val full = IpcReadOptions.defaults().withValidation(Validation.FULL)

        fun check(
            batch: RecordBatch,
            values: List<List<Any?>>,
            options: IpcWriteOptions = IpcWriteOptions.defaults(),
        ) {
            val bytes = streamOf(batch, options = options)
            readers(bytes, full).forEach { (name, open) ->
                withClue(name) {
                    open().use { reader ->
                        reader.schema shouldBe batch.schema
                        reader.nextBatch()!!.use { read ->
                            values.forEachIndexed { i, expected ->
                                withClue("column $i: ${read.column(i).type}") {
                                    valuesOf(read.column(i)) shouldBe
                                        expected
                                }
                            }
                        }
                        reader.nextBatch() shouldBe null
                    }
                }
            }
        }

        test("a random batch, whole and in slices, comes back from a stream in a channel and in memory") {
            ReleaseBalance.start().use {
                checkAll(iterations("ipc", 400), BatchShape.arb()) { shape ->
                    if (shape.schema.fields().all { isWritable(it.type()) }) {
                        val made = shape.build()
                        made.batch.use { batch ->
                            check(batch, made.values)
                            val from = batch.rowCount / 3
                            val length = batch.rowCount - batch.rowCount / 4 - from
                            batch.slice(from, length).use { check(it, made.cut(from, length)) }
                        }
                    }
                }
            }
        }
    })

/** The same bytes from a channel, from the heap and from memory. */
internal fun readers(
    bytes: ByteArray,
    options: IpcReadOptions,
): Map<String, () -> DeviceArrayStream> =
    mapOf(
        "channel" to { arrowStream(Channels.newChannel(bytes.inputStream()), options) },
        "heap" to { arrowStream(ByteBuffer.wrap(bytes), options) },
        "memory" to { arrowStream(direct(bytes), options) },
    )

internal fun direct(bytes: ByteArray): ByteBuffer = ByteBuffer.allocateDirect(bytes.size).put(bytes).flip()

/** Whether Arrow IPC can express a type: it has no dictionaries of dictionaries, and one place for an extension. */
internal fun isWritable(type: ArrowType): Boolean {
    val storage = type.storageType()
    if (storage is DictionaryType) {
        val values = storage.valueType()
        val fits =
            when {
                values.storageType() is DictionaryType -> false
                values is ExtensionType -> type !is ExtensionType && values.name().startsWith("arrow.")
                else -> true
            }
        return fits && values.storageType().children().all { isWritable(it.type()) }
    }
    return storage.children().all { isWritable(it.type()) }
}
