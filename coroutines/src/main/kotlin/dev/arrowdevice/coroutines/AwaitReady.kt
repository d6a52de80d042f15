package dev.arrowdevice.coroutines

import dev.arrowdevice.ArrayView
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.spi.DeviceEvent
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
    if (readyEvent != null) share().let { memory -> memory.readyEvent.awaitCompletion(memory) }
}

/** Suspends until the batch's data is there; see [ArrayView.awaitReady]. */
public suspend fun RecordBatch.awaitReady() {
    if (readyEvent != null) share().let { memory -> memory.readyEvent.awaitCompletion(memory) }
}

/**
 * The event belongs to [memory], which must be there before the event is asked anything, since others may close the array
 * meanwhile. It is closed when both the coroutine and the runtime's callback are done with it.
 */
private suspend fun DeviceEvent?.awaitCompletion(memory: AutoCloseable) {
    val complete =
        try {
            this == null || isComplete
        } catch (e: Throwable) {
            memory.close()
            throw e
        }
    if (this == null || complete) memory.close() else awaitCallback(memory)
}

private suspend fun DeviceEvent.awaitCallback(memory: AutoCloseable) {
    val users = AtomicInteger(2)
    try {
        suspendCancellableCoroutine { continuation ->
            try {
                whenComplete {
                    // Closing may call the device, and so may the coroutine, which a callback of its runtime must not.
                    if (users.decrementAndGet() == 0) {
                        Dispatchers.IO.dispatch(EmptyCoroutineContext) { memory.close() }
                    }
                    continuation.context.resumingLater { continuation.resume(Unit) }
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
