package dev.arrowdevice.peers

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation
import dev.arrowdevice.spi.NativeMemory
import java.util.concurrent.ConcurrentLinkedQueue

/** Struct memory for one test, zeroed (which reads as released), and the C peer that fills it. */
class Structs : AutoCloseable {
    val peer: CPeer = CPeer.load()
    private val memory = ConcurrentLinkedQueue<Long>()

    fun schema(): Long = zeroed(SchemaStruct.SIZE)

    fun array(): Long = zeroed(ArrayStruct.SIZE)

    fun deviceArray(): Long = zeroed(DEVICE_ARRAY_SIZE)

    fun stream(): Long = zeroed(STREAM_SIZE)

    fun deviceStream(): Long = zeroed(DEVICE_STREAM_SIZE)

    fun bytes(vararg bytes: Int): Long {
        val address = zeroed(bytes.size.coerceAtLeast(1))
        bytes.forEachIndexed { i, byte -> NativeMemory.putByte(address + i, byte.toByte()) }
        return address
    }

    /** The address of zeroed memory. */
    fun zeroed(bytes: Int): Long = peer.heap.allocate(bytes.toLong()).also { memory += it }

    fun produceSchema(
        field: PeerField,
        vararg quirks: PeerQuirk,
    ): SchemaStruct = SchemaStruct(schema()).also { peer.produceSchema(field, it.address, *quirks) }

    fun produceArray(
        schema: SchemaStruct,
        options: PeerOptions,
    ): ArrayStruct = ArrayStruct(array()).also { peer.produceArray(schema.address, options, it.address) }

    override fun close() = memory.forEach(peer.heap::free)

    private companion object {
        const val DEVICE_ARRAY_SIZE = 128
        const val STREAM_SIZE = 40
        const val DEVICE_STREAM_SIZE = 48
    }
}

/** Runs a test with struct memory of its own. */
inline fun <T> withStructs(test: Structs.() -> T): T = Structs().use { it.test() }

/** An imported array of the C peer; its memory is the peer's. */
fun Structs.imported(
    field: PeerField,
    options: PeerOptions,
): DeviceArray {
    val schema = produceSchema(field)
    return ArrowImport.importArray(
        CStruct.arrayAt(produceArray(schema, options).address),
        CStruct.schemaAt(schema.address),
        Validation.FULL,
    )
}

/** The same values in memory of the SDK. */
fun Structs.own(
    field: PeerField,
    options: PeerOptions,
): DeviceArray = imported(field, options).use { it.copyTo(Device.CPU) }

/** The same values as an imported batch. */
fun Structs.importedBatch(
    field: PeerField,
    options: PeerOptions,
): RecordBatch {
    val schema = produceSchema(field)
    return ArrowImport.importBatch(
        CStruct.arrayAt(produceArray(schema, options).address),
        CStruct.schemaAt(schema.address),
        Validation.FULL,
    )
}
