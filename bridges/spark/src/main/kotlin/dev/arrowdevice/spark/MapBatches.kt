@file:JvmName("SparkBatches")

package dev.arrowdevice.spark

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.builder.RecordBatchBuilder
import org.apache.spark.TaskContext
import org.apache.spark.api.java.function.MapPartitionsFunction
import org.apache.spark.sql.Dataset
import org.apache.spark.sql.Encoders
import org.apache.spark.sql.Row
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.TaskCompletionListener
import java.io.Serializable

/** A function of batches that Spark sends to its executors. Whatever it refers to has to be [Serializable]. */
public fun interface BatchFunction : Serializable {
    /**
     * Computes the rows that replace those of a batch.
     *
     * @param batch some rows of one partition, valid until the function returns; `share()` keeps them longer
     * @return a batch of as many rows as it likes, which is closed after its rows were read; it may be [batch] itself
     */
    public fun apply(batch: RecordBatch): RecordBatch
}

/**
 * The rows that a function makes of these, batch by batch, on Spark's executors.
 *
 * ```kotlin
 * import dev.arrowdevice.spark.mapBatches
 * import org.apache.spark.sql.Dataset
 * import org.apache.spark.sql.Row
 *
 * fun lastRows(rows: Dataset<Row>): Dataset<Row> = rows.mapBatches { batch -> batch.slice(batch.rowCount - 1, 1) }
 * ```
 *
 * Each partition's rows are copied into batches of up to `spark.datasource.arrow-device.batch.rows` rows (65,536), and those of
 * the results into Spark's rows. What both take of native memory counts against `spark.datasource.arrow-device.memory.limit`,
 * see docs/spark.md. The function is called on the thread of a task, one batch after the other; a task that fails is tried again
 * from its first row. What the function throws fails the task. Lazy, like all that Spark does.
 *
 * @param result the columns of the function's batches; those of this dataset if null
 * @throws UnsupportedOperationException if there is no Arrow type for a column, or Spark has none for one of the result
 */
@JvmOverloads
public fun Dataset<*>.mapBatches(
    result: Schema? = null,
    function: BatchFunction,
): Dataset<Row> {
    val schema = schema()
    schema.toArrowSchema()
    val mapped = result?.toSparkSchema() ?: schema
    val options = SourceOptions.ofSession(sparkSession())
    val java8 = sparkSession().conf().get("spark.sql.datetime.java8API.enabled", "false").toBoolean()
    val task = BatchMapping(function, schema, mapped, options.memoryLimit, options.batchRows, java8)
    return toDF().mapPartitions(task, Encoders.row(mapped))
}

private class BatchMapping(
    private val function: BatchFunction,
    private val schema: StructType,
    private val result: StructType,
    private val memoryLimit: Long?,
    private val batchRows: Int,
    private val java8: Boolean,
) : MapPartitionsFunction<Row, Row> {
    override fun call(rows: Iterator<Row>): Iterator<Row> {
        val mapped =
            MappedRows(rows, function, schema, ExternalRows(result, java8), TaskMemory.of(memoryLimit), batchRows)
        TaskContext.get()?.addTaskCompletionListener(TaskCompletionListener { mapped.close() })
        return mapped
    }
}

/** The rows of the results, one batch after the other; no more than one batch and its result are there at a time. */
private class MappedRows(
    private val rows: Iterator<Row>,
    private val function: BatchFunction,
    schema: StructType,
    private val external: ExternalRows,
    private val memory: TaskMemory,
    private val batchRows: Int,
) : AbstractIterator<Row>(),
    AutoCloseable {
    private val columns = schema.fields().size
    private val builder = RecordBatchBuilder.of(schema.toArrowSchema(), memory.runtime, ExternalRows.ADAPTER)
    private var held: HeldBatch? = null
    private var reader: ((Long) -> Row)? = null
    private var row = 0L
    private var count = 0L

    override fun computeNext() {
        while (row == count) {
            if (!rows.hasNext()) {
                close()
                return done()
            }
            nextBatch()
        }
        setNext(reader!!(row++))
    }

    private fun nextBatch() {
        held?.close()
        held = null
        val input = read()
        try {
            var same = false
            val result =
                memory.hold(input) {
                    function
                        .apply(
                            input,
                        ).also { same = it === input }
                        .let { if (same) it.share() else it }
                }!!
            held = result
            reader = external.reader(result.batch)
            count = result.batch.rowCount
            row = 0
        } finally {
            input.close()
        }
    }

    private fun read(): RecordBatch =
        memory.within {
            var taken = 0
            var bytes = 0L
            while (taken < batchRows && bytes < RowBatches.ENOUGH_BYTES && rows.hasNext()) {
                val next = rows.next()
                for (i in 0 until columns) {
                    val value = next.get(i) as Any?
                    builder.column(i).append(value)
                    bytes += ExternalRows.byteSize(value)
                }
                taken++
            }
            builder.finish()
        }

    override fun close() {
        held?.close()
        held = null
        builder.close()
    }
}
