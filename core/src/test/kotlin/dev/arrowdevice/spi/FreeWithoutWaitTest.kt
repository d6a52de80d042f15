package dev.arrowdevice.spi

import dev.arrowdevice.Device
import dev.arrowdevice.builder.MemoryBalance
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.lang.reflect.Proxy
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeUnit

/** A driver without queue-ordered memory, whose free waits or does not. */
private class Frees(
    private val waits: Boolean,
) : DeviceDriver by none {
    val calls = CopyOnWriteArrayList<String>()

    override fun device(): Device = Device.CPU

    override fun description() = "a driver for a test"

    override fun isHostReadable(kind: MemoryKind) = false

    override fun hasQueueOrderedMemory() = false

    override fun defaultQueue() = 0L

    override fun freeWaitsForWork(kind: MemoryKind) = waits

    override fun synchronizeDevice() {
        calls += "synchronizeDevice"
    }

    override fun close() {
        calls += "close"
    }
}

private val none: DeviceDriver =
    Proxy.newProxyInstance(DeviceDriver::class.java.classLoader, arrayOf(DeviceDriver::class.java)) { _, method, _ ->
        throw UnsupportedOperationException(method.name)
    } as DeviceDriver

class FreeWithoutWaitTest :
    FunSpec({
        extension(MemoryBalance())

        for ((waits, expected) in mapOf(false to listOf("synchronizeDevice", "free"), true to listOf("free"))) {
            for (kind in MemoryKind.entries) {
                test(
                    "memory of the kind $kind that foreign code has used is freed by $expected if free waits: $waits",
                ) {
                    val driver = Frees(waits)
                    val context = DriverContext(driver)
                    DriverRuntime(context, Device.CPU, Device.CPU, kind).use { runtime ->
                        context.release()
                        val freed = CompletableFuture<Unit>()
                        runtime.releaseAfterForeignUse(
                            object : ReferenceCounted() {
                                override fun free() {
                                    driver.calls += "free"
                                    freed.complete(Unit)
                                }
                            },
                        )
                        freed.get(10, TimeUnit.SECONDS)
                        driver.calls shouldBe expected
                    }
                }
            }
        }
    })
