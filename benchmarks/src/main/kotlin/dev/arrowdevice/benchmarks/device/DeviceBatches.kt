package dev.arrowdevice.benchmarks.device

import dev.arrowdevice.array.RecordBatch
import dev.arrowdevice.dsl.addAll
import dev.arrowdevice.dsl.recordBatch

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
