package dev.arrowdevice.coroutines

import dev.arrowdevice.RecordBatch
import kotlinx.coroutines.flow.Flow

/**
 * Batches that were collected. The list owns them, and [close] closes all of them. A batch of the list is borrowed and
 * valid until the list is closed; [share][RecordBatch.share] it to keep it longer.
 *
 * The list does not change, and any thread may use it. After [close], using one of its batches throws the exception of
 * a closed batch.
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
     * A flow of the batches, which can be collected any number of times while the list is open. Its batches are
     * borrowed, as in every flow, and the list keeps its own.
     */
    public fun asFlow(): Flow<RecordBatch> = flowOfBatches { for (batch in batches) emit(batch.share()) }

    /** Closes all batches. Idempotent; never throws. */
    override fun close() {
        batches.forEach { it.close() }
    }
}

/**
 * Collects all batches into one list that owns them, without a copy. Use it in place of `toList()`, which would keep
 * closed batches:
 *
 * ```kotlin
 * batches.collectBatches().use { all -> println(all.rowCount) }
 * ```
 *
 * **Failure and cancellation**: if the flow fails or the collection is cancelled, the batches collected so far are
 * closed. After that the caller closes the list. Call `use` in the same coroutine: `async`, `withContext` and
 * `withTimeout` lose the result of their block when they are cancelled.
 *
 * @throws IllegalStateException if nobody closes a batch of this flow, as after `map { newBatch }` and `map {
 * it.share() }`. The message says what to write instead
 */
public suspend fun Flow<RecordBatch>.collectBatches(): BatchList {
    val kept = ArrayList<RecordBatch>()
    try {
        collectBorrowed { kept += it.share() }
    } catch (e: Throwable) {
        kept.forEach { it.close() }
        throw e
    }
    return BatchList(kept)
}
