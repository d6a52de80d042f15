package dev.arrowdevice.benchmarks.stream

import dev.arrowdevice.coroutines.StreamDispatcher
import kotlinx.coroutines.Dispatchers
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * Where a flow calls its producer.
 *
 * @property context what `asFlow` is given
 */
internal enum class Caller(
    val context: CoroutineContext,
) {
    /** On the collector's dispatcher; without prefetch, in its thread. */
    HERE(EmptyCoroutineContext),

    /** On a dispatcher for work. */
    DEFAULT(Dispatchers.Default),

    /** On a dispatcher for calls that block, which is what `asFlow` does if nothing is said. */
    STREAMS(StreamDispatcher),
}
