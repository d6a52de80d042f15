package dev.arrowdevice.peers.arrowjava

import com.sun.management.ThreadMXBean
import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.Validation
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.OwnedArrays
import org.apache.arrow.c.ArrowArray
import org.apache.arrow.c.ArrowSchema
import org.apache.arrow.c.Data
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.memory.RootAllocator
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.IntVector
import org.apache.arrow.vector.VectorSchemaRoot
import java.lang.management.ManagementFactory

/** The cost of one exchange (export, import, release) with our library and with Arrow Java. */
internal class ExchangeCost(
    val what: String,
    val nanosOurs: Double,
    val nanosTheirs: Double,
    val ratio: Double,
    val heapBytesOurs: Long,
    val heapBytesTheirs: Long,
) {
    override fun toString(): String =
        "%-36s %8.0f ns against %8.0f ns: %5.1f times as fast; %,d bytes of heap against %,d".format(
            what,
            nanosOurs,
            nanosTheirs,
            ratio,
            heapBytesOurs,
            heapBytesTheirs,
        )
}

/**
 * Measures exchanges within this process: we with ourselves, Arrow Java with itself, on arrays of the same content. Both
 * take fresh struct memory each time. The two sides alternate, so that whatever else the machine does hits both.
 */
internal class ExchangeSpeed(
    private val rounds: Int = 11,
    private val nanosPerRound: Long = 30_000_000,
) : AutoCloseable {
    private val allocator: BufferAllocator = RootAllocator()
    private val theirVector = intVector("c")
    private val theirRoot = VectorSchemaRoot((0 until COLUMNS).map { intVector("column $it") as FieldVector })
    private val ourArray = intArray()
    private val ourSchema = Schema.of((0 until COLUMNS).map { Field.nullable("column $it", ArrowType.INT32) })
    private val ourBatch = RecordBatch.of(ourSchema, List(COLUMNS) { intArray() })

    fun array(): ExchangeCost {
        IntVector("c", allocator).use { target ->
            return compare(
                "int32 array, type known",
                {
                    CStruct.array().use { struct ->
                        ourArray.share().use { ArrowExport.exportArray(it, struct) }
                        ArrowImport.importArray(struct, ArrowType.INT32).close()
                    }
                },
                {
                    ArrowArray.allocateNew(allocator).use { struct ->
                        Data.exportVector(allocator, theirVector, null, struct)
                        Data.importIntoVector(allocator, struct, target, null)
                        target.clear()
                    }
                },
            )
        }
    }

    fun arrayWithSchema(): ExchangeCost =
        compare(
            "int32 array with schema",
            {
                CStruct.array().use { struct ->
                    CStruct.schema().use { schema ->
                        ourArray.share().use { ArrowExport.exportArray(it, struct, schema) }
                        ArrowImport.importArray(struct, schema).close()
                    }
                }
            },
            {
                ArrowArray.allocateNew(allocator).use { struct ->
                    ArrowSchema.allocateNew(allocator).use { schema ->
                        Data.exportVector(allocator, theirVector, null, struct, schema)
                        Data.importVector(allocator, struct, schema, null).close()
                    }
                }
            },
        )

    fun batch(): ExchangeCost {
        VectorSchemaRoot.create(theirRoot.schema, allocator).use { target ->
            return compare(
                "batch of $COLUMNS columns, type known",
                {
                    CStruct.array().use { struct ->
                        ourBatch.share().use { ArrowExport.exportBatch(it, struct) }
                        ArrowImport.importBatch(struct, ourSchema, Validation.STRUCTURE).close()
                    }
                },
                {
                    ArrowArray.allocateNew(allocator).use { struct ->
                        Data.exportVectorSchemaRoot(allocator, theirRoot, null, struct)
                        Data.importIntoVectorSchemaRoot(allocator, struct, target, null)
                        target.clear()
                    }
                },
            )
        }
    }

    fun batchWithSchema(): ExchangeCost =
        compare(
            "batch of $COLUMNS columns with schema",
            {
                CStruct.array().use { struct ->
                    CStruct.schema().use { schema ->
                        ourBatch.share().use { ArrowExport.exportBatch(it, struct, schema) }
                        ArrowImport.importBatch(struct, schema).close()
                    }
                }
            },
            {
                ArrowArray.allocateNew(allocator).use { struct ->
                    ArrowSchema.allocateNew(allocator).use { schema ->
                        Data.exportVectorSchemaRoot(allocator, theirRoot, null, struct, schema)
                        Data.importVectorSchemaRoot(allocator, struct, schema, null).close()
                    }
                }
            },
        )

    override fun close() {
        ourBatch.close()
        ourArray.close()
        theirRoot.close()
        theirVector.close()
        allocator.close()
    }

    private fun compare(
        what: String,
        ours: () -> Unit,
        theirs: () -> Unit,
    ): ExchangeCost {
        repeat(WARM_UP_ROUNDS) {
            nanosPerCall(ours)
            nanosPerCall(theirs)
        }
        val pairs = List(rounds) { nanosPerCall(ours) to nanosPerCall(theirs) }
        return ExchangeCost(
            what,
            median(pairs.map { it.first }),
            median(pairs.map { it.second }),
            median(pairs.map { it.second / it.first }),
            heapBytes(ours),
            heapBytes(theirs),
        )
    }

    private fun nanosPerCall(exchange: () -> Unit): Double {
        val start = threads.currentThreadCpuTime
        var calls = 0
        var elapsed: Long
        do {
            repeat(CALLS_BETWEEN_LOOKS) { exchange() }
            calls += CALLS_BETWEEN_LOOKS
            elapsed = threads.currentThreadCpuTime - start
        } while (elapsed < nanosPerRound)
        return elapsed.toDouble() / calls
    }

    private fun heapBytes(exchange: () -> Unit): Long {
        val before = threads.currentThreadAllocatedBytes
        repeat(HEAP_CALLS) { exchange() }
        return (threads.currentThreadAllocatedBytes - before) / HEAP_CALLS
    }

    private fun median(figures: List<Double>): Double = figures.sorted()[figures.size / 2]

    private fun intVector(name: String): IntVector {
        val vector = IntVector(name, allocator)
        vector.allocateNew(ROWS)
        repeat(ROWS) { vector.set(it, it) }
        vector.valueCount = ROWS
        return vector
    }

    private fun intArray(): DeviceArray {
        val values = CpuRuntime.INSTANCE.allocate(4L * ROWS)
        values.memory().put(0, IntArray(ROWS) { it }, 0, ROWS)
        val data =
            ArrayData(ArrowType.INT32, Device.CPU, ROWS.toLong(), 0, 0, arrayOf(null, values), arrayOf(), null)
        return OwnedArrays.of(data, values.owner)
    }

    private companion object {
        val threads = ManagementFactory.getThreadMXBean() as ThreadMXBean
        const val ROWS = 1_000
        const val COLUMNS = 100
        const val WARM_UP_ROUNDS = 10
        const val CALLS_BETWEEN_LOOKS = 100
        const val HEAP_CALLS = 1_000
    }
}

fun main() {
    ExchangeSpeed().use { speed ->
        println(speed.array())
        println(speed.arrayWithSchema())
        println(speed.batch())
        println(speed.batchWithSchema())
    }
}
