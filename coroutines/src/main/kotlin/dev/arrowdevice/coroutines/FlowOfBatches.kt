package dev.arrowdevice.coroutines

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.spi.BorrowedBatches
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.flow

/**
 * A cold flow of batches of your own: [block] runs for each collection, and each batch that it emits is closed when
 * `emit` returns, also if the collector fails or is cancelled.
 *
 * Emit the [share][RecordBatch.share] of a batch that you keep. Everything else is as in [flow]; in particular, `emit`
 * must be called in the coroutine of the block.
 */
public fun flowOfBatches(block: suspend FlowCollector<RecordBatch>.() -> Unit): Flow<RecordBatch> =
    flow { LendingCollector(this).block() }

/**
 * Emits a batch and closes it when `emit` returns, also if that fails. For `transform { }`, which may emit any number of
 * batches for one, and for `flow { }`; [mapBatches] and [flowOfBatches] do it by themselves.
 */
public suspend fun FlowCollector<RecordBatch>.emitBatch(batch: RecordBatch) {
    lend(batch) { emit(batch) }
}

private class LendingCollector(
    private val collector: FlowCollector<RecordBatch>,
) : FlowCollector<RecordBatch> {
    override suspend fun emit(value: RecordBatch) {
        collector.emitBatch(value)
    }
}

/** Lends a batch for as long as [block] runs. */
internal suspend inline fun lend(
    batch: RecordBatch,
    block: () -> Unit,
) {
    try {
        block()
    } finally {
        BorrowedBatches.end(batch)
    }
}
