package dev.arrowdevice.spi

import dev.arrowdevice.Device
import dev.arrowdevice.builder.MemoryBalance
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.lang.reflect.Proxy

private const val KB = 1L shl 10
private const val MB = 1L shl 20

/** Frees memory, and does nothing else. */
private class FreesOnly(
    private val kept: Long,
) : DeviceDriver by unsupported {
    val freed = mutableListOf<Any>()

    override fun device(): Device = Device.CPU

    override fun keptStaging(): Long = kept

    override fun free(
        kind: MemoryKind,
        address: Long,
    ) {
        freed += address
    }

    override fun close() {
        freed += "closed"
    }
}

private val unsupported: DeviceDriver =
    Proxy.newProxyInstance(DeviceDriver::class.java.classLoader, arrayOf(DeviceDriver::class.java)) { _, method, _ ->
        throw UnsupportedOperationException(method.name)
    } as DeviceDriver

private fun <T> withCache(
    kept: Long,
    body: FreesOnly.(DriverContext) -> T,
): FreesOnly {
    val driver = FreesOnly(kept)
    val context = DriverContext(driver)
    driver.body(context)
    context.release()
    return driver
}

/** Memory that was in use until now. */
private fun DriverContext.giveBack(
    address: Long,
    blockSize: Long,
) {
    retain()
    StagingBlock(this, address, blockSize).release()
}

class StagingCacheTest :
    FunSpec({
        extension(MemoryBalance())

        test("a block is at most a quarter larger than what was asked for, or 4 KB") {
            withCache(128 * MB) { context ->
                val cache = context.staging()
                cache.blockSize(1) shouldBe 4 * KB
                cache.blockSize(4 * KB) shouldBe 4 * KB
                cache.blockSize(4 * KB + 1) shouldBe 5 * KB
                cache.blockSize(4 * MB) shouldBe 4 * MB
                for (size in listOf(5000L, 70_000L, 4 * MB + 1, 50 * MB - 7)) {
                    cache.blockSize(size) shouldBeInRange size..size + size / 4 + 1
                    cache.blockSize(cache.blockSize(size)) shouldBe cache.blockSize(size)
                }
            }
        }

        test("blocks of a size are used again, the last one first, and no others") {
            withCache(MB) { context ->
                val cache = context.staging()
                cache.take(4 * KB) shouldBe 0
                context.giveBack(100, 4 * KB)
                context.giveBack(200, 4 * KB)
                context.giveBack(300, 8 * KB)
                cache.take(4 * KB) shouldBe 200
                cache.take(4 * KB) shouldBe 100
                cache.take(4 * KB) shouldBe 0
                cache.take(8 * KB) shouldBe 300
                freed.shouldBeEmpty()
            }
        }

        test("beyond the bound the blocks are freed that came back first") {
            withCache(16 * KB) { context ->
                context.giveBack(100, 8 * KB)
                context.giveBack(200, 4 * KB)
                context.giveBack(300, 4 * KB)
                freed.shouldBeEmpty()
                context.giveBack(400, 4 * KB)
                freed shouldBe listOf(100L)
                context.staging().take(8 * KB) shouldBe 0
                context.giveBack(500, 8 * KB)
                freed shouldBe listOf(100L, 200L)
            }
        }

        test("what is larger than half of the bound is not kept, and nothing of a driver that keeps nothing") {
            withCache(MB) { it.staging().blockSize(MB / 2 + 1) shouldBe 0 }
            withCache(MB) { it.staging().blockSize(MB / 2) shouldBeLessThanOrEqual MB / 2 }
            withCache(0) { it.staging().blockSize(1) shouldBe 0 }
        }

        test("Devices.trim frees what is kept, and leaves what is in use") {
            withCache(MB) { context ->
                context.giveBack(100, 4 * KB)
                context.giveBack(200, 8 * KB)
                context.staging().take(4 * KB) shouldBe 100
                Devices.trim()
                freed shouldBe listOf(200L)
                context.giveBack(100, 4 * KB)
                freed shouldBe listOf(200L)
                Devices.trim()
                freed shouldBe listOf(200L, 100L)
            }
        }

        test("all that is kept is freed before the device is closed, which a block in use keeps open") {
            val driver = FreesOnly(MB)
            val context = DriverContext(driver)
            context.giveBack(100, 4 * KB)
            context.retain()
            val used = StagingBlock(context, 200, 4 * KB)
            context.release()
            driver.freed.shouldBeEmpty()
            used.release()
            driver.freed shouldBe listOf(100L, 200L, "closed")
            Devices.trim()
            driver.freed.size shouldBe 3
        }
    })
