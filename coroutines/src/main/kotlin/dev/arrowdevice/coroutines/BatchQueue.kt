package dev.arrowdevice.coroutines

import dev.arrowdevice.DeviceArray
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlin.coroutines.resume

/**
 * The arrays between one coroutine, which adds them when they are wanted, and one thread, which takes them. Owns the
 * arrays in it.
 *
 * @param prefetch the number of arrays that are added before they are asked for; half of them are taken before more are
 * wanted, so that the two meet rarely. With 0, each is added when the thread has asked for it
 * @param arrived is called after something has changed for the thread that takes
 */
internal class BatchQueue(
    private val prefetch: Int,
    private val arrived: () -> Unit,
) {
    /** Guards the state. */
    private val arrays = ArrayDeque<DeviceArray>()
    private var wanted = false
    private var producer: CancellableContinuation<Unit>? = null
    private var ended = false
    private var closed = false

    /** Why there is nothing behind the last array; null if the arrays have ended as they should. */
    var failure: Throwable? = null
        private set

    /** Whether all arrays have been taken and no more will come. */
    val isExhausted: Boolean
        get() = synchronized(arrays) { ended && arrays.isEmpty() }

    /** Suspends until another array is wanted. */
    suspend fun awaitDemand() {
        suspendCancellableCoroutine { continuation ->
            val isWanted =
                synchronized(arrays) {
                    if (!wanted) {
                        producer = continuation
                    }
                    wanted
                }
            if (isWanted) {
                continuation.resume(Unit)
            }
        }
    }

    /** Adds an array, which the queue owns then. */
    fun add(array: DeviceArray) {
        val refused =
            synchronized(arrays) {
                if (!closed) {
                    arrays.addLast(array)
                    wanted = arrays.size < prefetch
                }
                closed
            }
        if (refused) {
            array.close()
        } else {
            arrived()
        }
    }

    /** Ends the queue behind the arrays in it. The first call counts. */
    fun end(cause: Throwable?) {
        synchronized(arrays) {
            if (!ended) {
                ended = true
                failure = cause
            }
        }
        arrived()
    }

    /** The next array, which the caller owns then. If there is none, another one is wanted, and the result is null. */
    fun take(): DeviceArray? {
        var resumed: CancellableContinuation<Unit>? = null
        val next =
            synchronized(arrays) {
                val first = arrays.removeFirstOrNull()
                if (first == null || (prefetch > 0 && arrays.size <= prefetch / 2)) {
                    wanted = true
                    resumed = producer
                    producer = null
                }
                first
            }
        resumed?.resume(Unit)
        return next
    }

    /** Closes the arrays in the queue, and those that are added later. */
    fun close() {
        val left =
            synchronized(arrays) {
                closed = true
                arrays.toList().also { arrays.clear() }
            }
        left.forEach { it.close() }
    }
}
