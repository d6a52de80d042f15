package dev.arrowdevice.benchmarks.stream

import dev.arrowdevice.CArrayStreamStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.addAll
import dev.arrowdevice.benchmarks.exchange.CStreams
import dev.arrowdevice.coroutines.asFlow
import dev.arrowdevice.coroutines.asyncDeviceStream
import dev.arrowdevice.coroutines.emitBatch
import dev.arrowdevice.coroutines.exportToAsyncHandler
import dev.arrowdevice.coroutines.exportToStream
import dev.arrowdevice.peers.PeerAsyncProducer
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.runBlocking

/** Flows as Kotlin code writes them. */
internal object Flows {
    /** Collects on the calling thread if nothing switches threads, else on [Dispatchers.Default]. */
    @JvmStatic
    fun rows(
        stream: DeviceArrayStream,
        caller: Caller,
        prefetch: Int,
    ): Long {
        val batches = stream.asFlow(caller.context, prefetch)
        val alone = caller == Caller.HERE && prefetch == 0
        return if (alone) runBlocking { batches.rows() } else runBlocking(Dispatchers.Default) { batches.rows() }
    }

    private suspend fun Flow<RecordBatch>.rows(): Long {
        var rows = 0L
        collect { rows += it.rowCount }
        return rows
    }

    /** The number of batches of an async stream. */
    @JvmStatic
    fun asyncBatches(
        window: Int,
        producer: PeerAsyncProducer,
    ): Long =
        runBlocking {
            var count = 0L
            asyncDeviceStream(window) { producer.start(it) }.collect { count++ }
            count
        }

    /** Sends a flow of the same batch, repeated, to an async handler, all on this thread. */
    @JvmStatic
    fun sent(
        batch: RecordBatch,
        batches: Int,
        handler: CAsyncDeviceStreamHandlerStruct,
    ): Unit =
        runBlocking {
            shares(batch, batches).exportToAsyncHandler(batch.schema, handler, this).join()
        }

    private fun shares(
        batch: RecordBatch,
        batches: Int,
    ) = flow { repeat(batches) { emitBatch(batch.share()) } }

    /** Exports a flow of the same batch, repeated, to a stream, which C reads on this thread. */
    @JvmStatic
    fun exported(
        batch: RecordBatch,
        batches: Int,
        prefetch: Int,
        stream: CArrayStreamStruct,
    ): Long {
        val flow = shares(batch, batches)
        val job = flow.exportToStream(batch.schema, stream, CoroutineScope(Dispatchers.Default), prefetch = prefetch)
        return CStreams.consume(stream.address).also { runBlocking { job.join() } }
    }
}

internal object Batches {
    /** One int32 column `n`. */
    @JvmStatic
    fun ofRows(rows: Int): RecordBatch =
        recordBatch {
            column<Int>("n") { addAll(IntArray(rows) { it }) }
        }
}
