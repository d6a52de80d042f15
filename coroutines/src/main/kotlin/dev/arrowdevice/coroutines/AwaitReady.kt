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
 * Suspends until the array's data is ready, that is, until its event is complete. No thread is blocked if the device's
 * runtime has callbacks. Returns at once on the CPU.
 *
 * **Cancellation**: returns at once. The memory is kept until the event is complete, because the runtime still uses the
 * event. The array may be closed meanwhile.
 *
 * @throws IllegalStateException if the array was closed, or has an event and no runtime is registered for its device
 */
public suspend fun ArrayView.awaitReady() {
    if (readyEvent != null) share().let { memory -> memory.readyEvent.awaitCompletion(memory) }
}

/** Suspends until the batch's data is ready; see [ArrayView.awaitReady]. */
public suspend fun RecordBatch.awaitReady() {
    if (readyEvent != null) share().let { memory -> memory.readyEvent.awaitCompletion(memory) }
}

/**
 * Waits for the event, which belongs to [memory]: others may close the array meanwhile. [memory] is closed when both
 * the coroutine and the runtime's callback are done with it.
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
                    // Closing the memory and resuming the coroutine may call the device, which is not allowed in a
                    // callback of its runtime.
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
