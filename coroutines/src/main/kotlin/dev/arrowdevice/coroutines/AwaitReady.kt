package dev.arrowdevice.coroutines

import dev.arrowdevice.array.ArrayView
import dev.arrowdevice.array.RecordBatch
import dev.arrowdevice.memory.DeviceEvent
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.suspendCancellableCoroutine
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.resume

/**
 * Suspends until the array's data is there: until the event that came with it has completed. No thread is blocked where
 * the device's runtime can call back. Returns at once on the CPU.
 *
 * **Cancellation**: returns at once. The memory is kept until the event has completed, because the runtime still looks at
 * the event, so that the array may be closed meanwhile.
 *
 * @throws IllegalStateException if the array has an event and no runtime is registered for its device, or was closed
 */
public suspend fun ArrayView.awaitReady() {
    readyEvent().awaitCompletion { share() }
}

/** Suspends until the batch's data is there; see [ArrayView.awaitReady]. */
public suspend fun RecordBatch.awaitReady() {
    readyEvent().awaitCompletion { share() }
}

private suspend inline fun DeviceEvent?.awaitCompletion(keep: () -> AutoCloseable) {
    if (this == null || isComplete) return
    awaitCallback(keep())
}

/** The event belongs to [memory], which is closed when both the coroutine and the runtime's callback are done with it. */
private suspend fun DeviceEvent.awaitCallback(memory: AutoCloseable) {
    val users = AtomicInteger(2)
    try {
        suspendCancellableCoroutine { continuation ->
            try {
                whenComplete {
                    val last = users.decrementAndGet() == 0
                    continuation.resume(Unit)
                    // Closing may call the device, which a callback of its runtime must not.
                    if (last) Dispatchers.IO.dispatch(EmptyCoroutineContext) { memory.close() }
                }
            } catch (e: Throwable) {
                users.decrementAndGet()
                throw e
            }
        }
    } finally {
        if (users.decrementAndGet() == 0) memory.close()
    }
}
