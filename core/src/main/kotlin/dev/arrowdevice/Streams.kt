package dev.arrowdevice

/**
 * Calls [action] with each batch and closes the batch when [action] returns; [share][RecordBatch.share] it to keep it.
 * The caller closes the stream.
 */
public inline fun DeviceArrayStream.forEachBatch(action: (RecordBatch) -> Unit) {
    while (true) {
        val batch = nextBatch() ?: return
        batch.use(action)
    }
}

/**
 * The batches of the stream, once. A batch is borrowed: it is closed when the next one is requested or the end is
 * reached; [share][RecordBatch.share] it to keep it. A caller that stops before the end closes the last batch. The
 * caller closes the stream too.
 */
public fun DeviceArrayStream.asSequence(): Sequence<RecordBatch> =
    sequence {
        while (true) {
            val batch = nextBatch() ?: break
            batch.use { yield(it) }
        }
    }.constrainOnce()

/**
 * A stream of these batches. A batch is made when it is requested, and is owned by whoever takes it from the stream.
 * The caller closes the stream, or exports it.
 *
 * @param schema the schema of every batch
 */
public fun Sequence<RecordBatch>.toDeviceArrayStream(schema: Schema): DeviceArrayStream =
    DeviceArrayStream.of(schema, iterator())

/** A stream of these batches, which it owns. It closes the ones that nobody takes. */
public fun List<RecordBatch>.toDeviceArrayStream(schema: Schema): DeviceArrayStream = DeviceArrayStream.of(schema, this)
