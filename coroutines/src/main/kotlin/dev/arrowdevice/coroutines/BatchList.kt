package dev.arrowdevice.coroutines

import dev.arrowdevice.RecordBatch
import kotlinx.coroutines.flow.Flow

/**
 * Batches that were collected, and their one owner: [close] closes all of them. A batch of the list is borrowed and lives
 * as long as the list; [share][RecordBatch.share] it to keep it longer.
 *
 * The list does not change, and may be used by any thread. Of a batch that is used after [close], the exception of a
 * closed batch is thrown.
 */
public class BatchList internal constructor(
    private val batches: List<RecordBatch>,
) : AbstractList<RecordBatch>(),
    RandomAccess,
    AutoCloseable {
    override val size: Int get() = batches.size

    /** The number of rows of all batches. */
    public val rowCount: Long get() = batches.sumOf { it.rowCount }

    /** The batch at [index], borrowed. */
    override fun get(index: Int): RecordBatch = batches[index]

    /**
     * The batches as a flow, which can be collected again and again while the list is open. What it emits is borrowed, as
     * in every flow, and the list keeps its own.
     */
    public fun asFlow(): Flow<RecordBatch> = flowOfBatches { for (batch in batches) emit(batch.share()) }

    /** Closes all batches. Idempotent, never throws. */
    override fun close() {
        batches.forEach { it.close() }
    }
}

/**
 * Collects all batches into one list that owns them, without a copy, in place of `toList()`, which would keep batches that
 * are closed:
 *
 * ```kotlin
 * batches.collectBatches().use { all -> println(all.rowCount) }
 * ```
 *
 * **Failure and cancellation**: if the flow fails or the collection is cancelled, what was collected so far is closed.
 * Whoever gets the list closes it. Call `use` in the same coroutine: `async`, `withContext` and `withTimeout` lose what
 * their block returns when they are cancelled.
 *
 * @throws IllegalStateException if a batch of this flow is closed by nobody, which `map { newBatch }` and
 * `map { it.share() }` lead to; the message says what to write instead
 */
public suspend fun Flow<RecordBatch>.collectBatches(): BatchList {
    val kept = ArrayList<RecordBatch>()
    try {
        collectLent { kept += it.share() }
    } catch (e: Throwable) {
        kept.forEach { it.close() }
        throw e
    }
    return BatchList(kept)
}
