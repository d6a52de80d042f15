package dev.arrowdevice.coroutines

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.ForeignException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.addAll
import dev.arrowdevice.importStream
import dev.arrowdevice.recordBatch
import dev.arrowdevice.values
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.consume
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.fold
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.retry
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.transform
import kotlinx.coroutines.launch

// The examples of docs/flows.md, which are copied from here: see FlowsDocTest.

internal suspend fun pulled(query: (Long) -> Unit): Long {
    // example: pulled
    var rows = 0L
    importStream { stream -> query(stream.address) }.asFlow().collect { batch ->
        rows += batch.rowCount
    } // Each batch is closed when this block is done with it, the stream after the last one.
    // end
    return rows
}

internal suspend fun ahead(stream: DeviceArrayStream): Long {
    // example: ahead
    val batches = stream.asFlow(context = Dispatchers.Default, prefetch = 2)
    val rows = batches.map { it.rowCount }.fold(0L) { sum, count -> sum + count }
    // end
    return rows
}

internal suspend fun made(
    batches: Flow<RecordBatch>,
    totals: (RecordBatch) -> RecordBatch,
): Long {
    var rows = 0L
    // example: made
    batches
        .mapBatches { totals(it) } // What the lambda makes is closed when the collector is done with it.
        .mapBatches(Dispatchers.Default) { it.slice(0, 1) }
        .collect { rows += it.rowCount }
    // end
    return rows
}

internal fun own(counts: List<Int>): Flow<RecordBatch> {
    // example: own
    val batches =
        flowOfBatches {
            for (count in counts) emit(recordBatch { column<Int>("n") { addAll(1..count) } })
        }
    // end
    return batches
}

internal fun several(batches: Flow<RecordBatch>): Flow<RecordBatch> {
    // example: several
    val rows = batches.transform { batch -> for (row in 0 until batch.rowCount) emitBatch(batch.slice(row, 1)) }
    // end
    return rows
}

internal suspend fun kept(
    batches: Flow<RecordBatch>,
    work: (List<RecordBatch>) -> Unit,
) {
    // example: kept
    batches.collectBatches().use { all -> work(all) } // Closes them all; if the stream fails, what it has so far.
    // end
}

internal suspend fun queued(
    batches: Flow<RecordBatch>,
    work: suspend (RecordBatch) -> Unit,
) {
    // example: queued
    coroutineScope {
        val queue = Channel<RecordBatch>(2) { it.close() } // Closes what is in it when the work is cancelled or fails.
        launch {
            batches.collect { queue.send(it.share()) }
            queue.close()
        }
        queue.consume {
            for (batch in queue) batch.use { work(it) }
        }
    }
    // end
}

internal suspend fun retried(open: () -> DeviceArrayStream): List<Long> {
    // example: retried
    val batches = flow { emitAll(open().asFlow()) } // A new stream for each collection, read from its beginning.
    val rows = batches.map { it.rowCount }.retry(2) { it is ForeignException }.toList()
    // end
    return rows
}

internal suspend fun exported(
    batches: Flow<RecordBatch>,
    schema: Schema,
    engine: (Long) -> Unit,
) {
    // example: exported
    coroutineScope {
        batches.exportToStream(schema, this, prefetch = 4) { stream -> engine(stream.address) }
    }
    // end
}

internal suspend fun enough(startQuery: (Long) -> Unit): Long {
    // example: async
    var rows = 0L
    asyncDeviceStream(window = 4) { handler -> startQuery(handler.address) }
        .take(100) // Then the producer is cancelled, and what it still sends is discarded.
        .collect { batch -> rows += batch.rowCount }
    // end
    return rows
}
