package dev.arrowdevice.oneapi

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.CStruct
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

/**
 * `sycl::free` need not wait, so memory that a consumer's kernel may still read is freed later. (That of SYCL's CPU device waits: what
 * happens with others is in the core's `FreeWithoutWaitTest`.)
 */
class SyclForeignUseTest :
    FunSpec({
        onRealSycl("the end of all work is the end of that of all queues that were created") {
            val queue = driver.createQueue()
            try {
                PausedQueue(queue).use { paused ->
                    val ended = CompletableFuture.runAsync(driver::synchronizeDevice)
                    shouldThrow<TimeoutException> { ended.get(50, TimeUnit.MILLISECONDS) }
                    paused.resume()
                    ended.get(10, TimeUnit.SECONDS)
                }
            } finally {
                driver.destroyQueue(queue)
            }
        }

        for (kind in MemoryKind.entries) {
            onRealSycl("memory of the kind $kind is freed after the work that its consumer has queued") {
                open(kind) { runtime ->
                    Devices.register(runtime)
                    val array = deviceArrayOf(1, 2, 3).use { it.copyTo(runtime) }
                    val values = checkNotNull(array.data.buffer(1))
                    val struct = CStruct.deviceArray()
                    runtime.allocateStaging(values.byteSize).lend { seen ->
                        runtime.createQueue().use { consumer ->
                            ArrowExport.exportDeviceArray(array, struct)
                            PausedQueue(consumer.handle).use { paused ->
                                runtime.copyAsync(values, 0, seen, 0, values.byteSize, consumer)
                                struct.close()
                                val freed = CompletableFuture.runAsync(ReleaseBalance::awaitDeferredReleases)
                                shouldThrow<TimeoutException> { freed.get(50, TimeUnit.MILLISECONDS) }
                                paused.resume()
                                consumer.synchronize()
                                freed.get(10, TimeUnit.SECONDS)
                                List(3) { seen.memory().getInt(4L * it) } shouldBe listOf(1, 2, 3)
                            }
                        }
                    }
                }
            }
        }
    })
