package dev.arrowdevice.cuda.program

import dev.arrowdevice.cuda.balanced
import dev.arrowdevice.cuda.cuda
import dev.arrowdevice.deviceArrayOf
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.yield
import java.util.concurrent.atomic.AtomicLong
import kotlin.coroutines.resume
import kotlin.random.Random
import kotlin.system.exitProcess

/**
 * Cancels coroutines that wait for copies to a GPU, at times of chance, and closes the arrays at once: `<times>`. The balance
 * at the end says whether everything was released.
 */
internal object CancelsWaits {
    private const val DEPTH = 1000

    @JvmStatic
    fun main(arguments: Array<String>) {
        val times = arguments[0].toInt()
        val random = Random(times)
        val cancelled = AtomicLong()
        balanced {
            cuda(0).use { gpu ->
                gpu.createQueue().use { queue ->
                    deviceArrayOf(1, 2, 3).use { array ->
                        runBlocking(Dispatchers.Default) {
                            repeat(times) { count ->
                                // Copies that are pending have pinned memory, of which there is not room for all.
                                if (count % DEPTH == 0) queue.synchronize()
                                val onGpu = array.copyToAsync(gpu, queue)
                                val waits =
                                    launch(start = CoroutineStart.UNDISPATCHED) {
                                        try {
                                            suspendCancellableCoroutine { waiting ->
                                                checkNotNull(onGpu.readyEvent).whenComplete { waiting.resume(Unit) }
                                            }
                                        } finally {
                                            if (!coroutineContext[kotlinx.coroutines.Job]!!.isActive) {
                                                cancelled
                                                    .incrementAndGet()
                                            }
                                        }
                                    }
                                repeat(random.nextInt(4)) { yield() }
                                waits.cancel()
                                onGpu.close()
                            }
                        }
                    }
                }
            }
        }
        println("$times waits, ${cancelled.get()} of them cancelled while they waited; everything is released")
        exitProcess(0)
    }
}
