@file:OptIn(InternalArrowApi::class)

package dev.arrowdevice.coroutines

import dev.arrowdevice.InternalArrowApi
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.spi.BorrowedBatches
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.flow

/**
 * Makes a cold flow of batches that you build. [block] runs for each collection. Each batch that it emits is closed
 * when `emit` returns, even if the collector fails or is cancelled.
 *
 * To keep a batch, emit its [share][RecordBatch.share]. Everything else is as in [flow]; in particular, `emit` must be
 * called in the coroutine of the block.
 */
public fun flowOfBatches(block: suspend FlowCollector<RecordBatch>.() -> Unit): Flow<RecordBatch> =
    flow { BorrowingCollector(this).block() }

/**
 * Emits a batch and closes it when `emit` returns, even if `emit` fails. Use it in `transform { }`, which may emit any
 * number of batches for one, and in `flow { }`. [mapBatches] and [flowOfBatches] call it for you.
 */
public suspend fun FlowCollector<RecordBatch>.emitBatch(batch: RecordBatch) {
    lend(batch) { emit(batch) }
}

private class BorrowingCollector(
    private val collector: FlowCollector<RecordBatch>,
) : FlowCollector<RecordBatch> {
    override suspend fun emit(value: RecordBatch) {
        collector.emitBatch(value)
    }
}

/** Lends a batch until [block] ends. */
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
