package dev.arrowdevice.serialization.internal

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.builder.RecordBatchBuilder
import kotlinx.serialization.SerializationException
import kotlinx.serialization.SerializationStrategy
import kotlinx.serialization.modules.SerializersModule

/** Builds batches of objects. After a row that failed it is only closed. */
internal class BatchWriter<T>(
    private val plan: BatchPlan,
    private val serializer: SerializationStrategy<T>,
    module: SerializersModule,
) : AutoCloseable {
    private val builder = RecordBatchBuilder.of(plan.schema)
    private val rows: ValueWriter
    private var finished = 0L

    /** The number of rows since the last batch. */
    var pending: Int = 0
        private set

    init {
        try {
            rows = writerOf(plan.rows, builder.rows, module)
        } catch (e: Throwable) {
            builder.close()
            throw e
        }
    }

    fun add(row: T) {
        try {
            if (row == null) throw SerializationException("the row is null")
            rows.write(serializer, row)
        } catch (e: RuntimeException) {
            // Of a value that its column can't hold, of a getter, or of a null that Java has let through.
            val place = Path.nameOf(plan.root) + rows.place()
            val reason = withoutColumn(e.message ?: e.toString())
            throw SerializationException("$place, row ${finished + pending}: $reason", e)
        }
        pending++
    }

    /** The rows since the last batch. The caller closes it. */
    fun finish(): RecordBatch {
        val batch = builder.finish()
        finished += pending
        pending = 0
        return batch
    }

    override fun close() {
        builder.close()
    }

    private companion object {
        val COLUMN = Regex("""^(column ".*?", )?row \d+: """)

        /** A builder's message names column and row too. */
        fun withoutColumn(message: String): String = message.replace(COLUMN, "")
    }
}
