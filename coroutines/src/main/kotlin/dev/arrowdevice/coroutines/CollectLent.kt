package dev.arrowdevice.coroutines

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.spi.BorrowedBatches
import kotlinx.coroutines.flow.Flow

/**
 * Collects as `collect` does, and refuses batches that nobody closes: whoever emits a batch has closed it when its `emit`
 * has returned, so one that is open when the next one comes, or at the end, would leak. It is closed here.
 */
internal suspend fun Flow<RecordBatch>.collectLent(action: suspend (RecordBatch) -> Unit) {
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
        // A lender has closed its batch before the failure came here: one that is open is nobody's.
        last?.takeIf { it.isLive }?.let {
            BorrowedBatches.end(it)
            e.addSuppressed(IllegalStateException(UNLENT))
        }
        throw e
    }
}

private fun refuseOpen(batch: RecordBatch?) {
    if (batch != null && batch.isLive) {
        BorrowedBatches.end(batch)
        throw IllegalStateException(UNLENT)
    }
}

internal const val UNLENT =
    "a batch of this flow was still open after its emit had returned, so nobody would close it; it is closed now. In " +
        "place of map { newBatch } write mapBatches { newBatch }; in place of emit(batch) write emitBatch(batch), " +
        "or emitBatch(batch.share()) if you keep the batch; in place of map { it.share() } write collectBatches() " +
        "at the end. docs/flows.md says more"
