package dev.arrowdevice

/**
 * Calls [action] with each batch, which is closed when it returns; [share][RecordBatch.share] it to keep it. The stream
 * stays open, for the caller to close.
 */
public inline fun DeviceArrayStream.forEachBatch(action: (RecordBatch) -> Unit) {
    while (true) {
        val batch = nextBatch() ?: return
        batch.use(action)
    }
}

/**
 * The batches of the stream, once. Each is borrowed: it is closed when the next one is asked for, or the end is reached;
 * [share][RecordBatch.share] it to keep it. Who stops before the end closes the batch that came last. The stream stays
 * open, for the caller to close.
 */
public fun DeviceArrayStream.asSequence(): Sequence<RecordBatch> =
    sequence {
        while (true) {
            val batch = nextBatch() ?: break
            batch.use { yield(it) }
        }
    }.constrainOnce()

/**
 * A stream of these batches, which are made as they are asked for and go over to whom takes them from the stream. The
 * caller closes the stream, or exports it.
 *
 * @param schema that of every batch
 */
public fun Sequence<RecordBatch>.toDeviceArrayStream(schema: Schema): DeviceArrayStream =
    DeviceArrayStream.of(schema, iterator())

/** A stream of these batches, which go over to it; those that nobody takes are closed with it. */
public fun List<RecordBatch>.toDeviceArrayStream(schema: Schema): DeviceArrayStream = DeviceArrayStream.of(schema, this)
