package dev.arrowdevice.samples.gpu

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.coroutines.flowOfBatches
import kotlinx.coroutines.flow.Flow

/**
 * The same rows in batches of [rows] rows, of which the last may have fewer. DuckDB's driver returns 2,048 rows at a
 * time: too few to keep a GPU at work.
 */
internal fun Flow<RecordBatch>.gathered(
    schema: Schema,
    rows: Int,
): Flow<RecordBatch> =
    flowOfBatches {
        RecordBatchBuilder.of(schema).use { builder ->
            var gathered = 0
            collect { batch ->
                var from = 0L
                while (from < batch.rowCount) {
                    val to = minOf(batch.rowCount, from + rows - gathered)
                    builder.append(batch, from until to)
                    gathered += (to - from).toInt()
                    from = to
                    if (gathered == rows) {
                        gathered = 0
                        emit(builder.finish())
                    }
                }
            }
            if (gathered > 0) emit(builder.finish())
        }
    }

private fun RecordBatchBuilder.append(
    batch: RecordBatch,
    rows: LongRange,
) = batch.borrow { reader ->
    for (index in 0 until columnCount) {
        val from = reader.child(index)
        val into = column(index)
        for (row in rows) into.append(from, row)
    }
}
