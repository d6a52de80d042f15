package dev.arrowdevice.dataframe

import dev.arrowdevice.RecordBatch

/** What the tests in Python call. */
object PyArrowFrames {
    /** The batch by way of a frame, in the batch's own memory or copied. */
    @JvmStatic
    fun back(
        batch: RecordBatch,
        copied: Boolean,
    ): RecordBatch =
        batch.toDataFrame().use { lent ->
            val frame = if (copied) lent.frame.onHeap() else lent.frame
            frame.toRecordBatch(batch.schema)
        }

    /** The same with the types that the frame's columns have. */
    @JvmStatic
    fun derived(batch: RecordBatch): RecordBatch = batch.toDataFrame().use { it.frame.toRecordBatch() }

    /** The values of a frame over the batch, as text. */
    @JvmStatic
    fun values(batch: RecordBatch): String = batch.toDataFrame().use { valuesOf(it.frame).toString() }
}
