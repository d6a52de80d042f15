package dev.arrowdevice.benchmarks.device

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.addAll
import dev.arrowdevice.recordBatch

internal object DeviceBatches {
    @JvmStatic
    fun of(
        columns: Int,
        rows: Int,
    ): RecordBatch =
        recordBatch {
            repeat(columns) { index ->
                column<Long>("c$index") { addAll(LongArray(rows) { it * (index + 1L) }) }
            }
        }
}
