@file:OptIn(InternalArrowApi::class)

package dev.arrowdevice.coroutines

import dev.arrowdevice.InternalArrowApi
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.spi.BorrowedBatches
import kotlinx.coroutines.flow.Flow

/**
 * Collects like `collect`, and refuses batches that nobody closes. Whoever emits a batch closes it when `emit` has
 * returned. So a batch that is open when the next one arrives, or at the end, would leak. It is closed here.
 */
internal suspend fun Flow<RecordBatch>.collectBorrowed(action: suspend (RecordBatch) -> Unit) {
    var last: RecordBatch? = null
    try {
        collect { batch ->
            val before = last
            last = batch
            refuseOpen(before)
            action(batch)
        }
        refuseOpen(last)
    } catch (e: Throwable) {
        // The owner of a batch has closed it before the failure arrives here, so nobody owns a batch that is open.
        last?.takeIf { it.isLive }?.let {
            BorrowedBatches.end(it)
            e.addSuppressed(IllegalStateException(NOT_CLOSED))
        }
        throw e
    }
}

/** [collectBorrowed] for the modules of this project that end a flow of batches. */
@InternalArrowApi
public suspend fun Flow<RecordBatch>.collectLent(action: suspend (RecordBatch) -> Unit): Unit = collectBorrowed(action)

private fun refuseOpen(batch: RecordBatch?) {
    if (batch != null && batch.isLive) {
        BorrowedBatches.end(batch)
        throw IllegalStateException(NOT_CLOSED)
    }
}

internal const val NOT_CLOSED =
    "a batch of this flow was still open after its emit had returned, so nobody would have closed it. It is closed " +
        "now. In place of map { newBatch } write mapBatches { newBatch }; in place of emit(batch) write " +
        "emitBatch(batch), or emitBatch(batch.share()) if you keep the batch; in place of map { it.share() } write " +
        "collectBatches() at the end. docs/flows.md says more"
