package dev.arrowdevice.benchmarks.stream

import dev.arrowdevice.coroutines.StreamDispatcher
import kotlinx.coroutines.Dispatchers
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * Where a flow calls its producer.
 *
 * @property context the context that `asFlow` gets
 */
internal enum class Caller(
    val context: CoroutineContext,
) {
    /** On the collector's dispatcher; without prefetch, in its thread. */
    HERE(EmptyCoroutineContext),

    /** On a dispatcher for computations. */
    DEFAULT(Dispatchers.Default),

    /** On a dispatcher for calls that block, which is the default of `asFlow`. */
    STREAMS(StreamDispatcher),
}
