package dev.arrowdevice.coroutines

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.ForeignException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.importStream
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

internal suspend fun kept(
    batches: Flow<RecordBatch>,
    work: (List<RecordBatch>) -> Unit,
) {
    // example: kept
    val kept = ArrayList<RecordBatch>()
    try {
        batches.map { it.share() }.toList(kept) // A list of yours: what is in it when the stream fails is not lost.
        work(kept)
    } finally {
        kept.forEach { it.close() }
    }
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

internal suspend fun enough(startQuery: (Long) -> Unit): Long {
    // example: async
    var rows = 0L
    asyncDeviceStream(window = 4) { handlerAddress -> startQuery(handlerAddress) }
        .take(100) // Then the producer is cancelled, and what it still sends is discarded.
        .collect { batch -> rows += batch.rowCount }
    // end
    return rows
}
