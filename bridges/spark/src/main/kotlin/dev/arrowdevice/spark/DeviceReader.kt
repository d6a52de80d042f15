package dev.arrowdevice.spark

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import org.apache.spark.TaskContext
import org.apache.spark.sql.connector.read.PartitionReader
import org.apache.spark.sql.types.DataTypes
import org.apache.spark.sql.types.StructField
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnVector
import org.apache.spark.sql.vectorized.ColumnarBatch
import org.apache.spark.util.TaskCompletionListener

/**
 * The batches of a partition. Each is released when the next one is asked for, and the last one, with the stream, when the
 * reader is closed or the task ends, however it ends. The end of a task closes it while another thread, such as one that feeds
 * Python, may be reading: that one's batch is released as well.
 */
internal class DeviceReader(
    private val partition: StreamPartition,
    private val columns: StructType,
    private val memory: TaskMemory,
) : PartitionReader<ColumnarBatch> {
    private var stream: DeviceArrayStream? = null
    private var held: HeldBatch? = null
    private val casts = ArrayList<DeviceArray>()
    private var ended = false
    private var closed = false

    init {
        TaskContext.get()?.addTaskCompletionListener(TaskCompletionListener { close() })
    }

    @Synchronized
    override fun next(): Boolean {
        check(!closed) { "the reader has been closed" }
        if (ended) return false
        releaseBatch()
        val stream = this.stream ?: memory.within { partition.open(memory) }.also { this.stream = it }
        held = memory.hold { stream.nextBatch() }
        if (held == null) {
            // Spark closes the reader when the task ends, and a task may have many partitions one after the other.
            ended = true
            stream.close()
        }
        return !ended
    }

    @Synchronized
    override fun get(): ColumnarBatch {
        val batch = checkNotNull(held) { "there is no batch" }.batch
        require(batch.rowCount <= Int.MAX_VALUE) {
            "a batch of ${batch.rowCount} rows: Spark takes batches of less than 2^31 rows; make smaller ones"
        }
        val vectors = columns.fields().map { vector(batch, it) }
        return ColumnarBatch(vectors.toTypedArray(), batch.rowCount.toInt())
    }

    private fun vector(
        batch: RecordBatch,
        field: StructField,
    ): ColumnVector {
        val index = batch.schema.fields().indexOfFirst { it.name() == field.name() }
        require(
            index >= 0,
        ) { "the stream of $partition has no column \"${field.name()}\"; there are: ${batch.schema.names()}" }
        val view = planned(batch.column(index), field)
        require(
            field.nullable() || view.nullCount == 0L,
        ) { "column \"${field.name()}\" has nulls, which its schema excludes" }
        return DeviceColumnVector(view, field.dataType())
    }

    /**
     * Some databases find the type of a column in its first rows, so that one partition may differ from what was planned. A
     * column of nulls may be of any type, and a narrower number is widened.
     */
    private fun planned(
        view: ArrayView,
        field: StructField,
    ): ArrayView {
        if (sameType(sparkType(field.name(), view.type), field.dataType())) return view
        if (field.dataType() == DataTypes.DoubleType && DeviceColumnVector.isInteger(view)) return view
        val type = arrowType(field.name(), field.dataType())
        if (view.nullCount == view.length && view.type.storageType() == view.type) return nulls(type, view.length)
        return try {
            memory.within { view.cast(type) }.also { casts += it }
        } catch (e: IllegalArgumentException) {
            throw IllegalStateException(
                "column \"${field.name()}\" is ${view.type} in $partition, and was planned as " +
                    "${field.dataType().sql()}: cast it in the query that is read",
                e,
            )
        }
    }

    private fun nulls(
        type: ArrowType,
        length: Long,
    ): ArrayView =
        dev.arrowdevice.builder.ArrayBuilder.of(type).use { builder ->
            for (i in 0 until length) builder.appendNull()
            builder.finish().also { casts += it }
        }

    private fun releaseBatch() {
        casts.forEach { it.close() }
        casts.clear()
        held?.close()
        held = null
    }

    @Synchronized
    override fun close() {
        if (closed) return
        closed = true
        try {
            releaseBatch()
        } finally {
            stream?.close()
        }
    }
}
