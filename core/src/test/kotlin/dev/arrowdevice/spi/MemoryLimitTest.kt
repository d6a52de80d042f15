package dev.arrowdevice.spi

import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.addAll
import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.deviceArray
import dev.arrowdevice.deviceArrayOf
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

private fun CpuRuntime.left() = memoryInfo!!.free()

class MemoryLimitTest :
    FunSpec({
        extension(MemoryBalance())

        test("arrays count against the limit until they are closed") {
            val runtime = CpuRuntime.withLimit(1 shl 20)
            val array = deviceArray<Long>(runtime) { addAll(1L..1000L) }
            runtime.left() shouldBeLessThan (1L shl 20) - 8000
            array.share().use { array.close() }
            runtime.left() shouldBe (1L shl 20)
        }

        test("a builder that exceeds the limit fails, names the limit and leaves nothing behind") {
            val runtime = CpuRuntime.withLimit(10_000)
            shouldThrow<OutOfDeviceMemoryException> {
                deviceArray<Long>(runtime) { addAll(1L..100_000L) }
            }.message shouldContain "limit of 10000 bytes"
            runtime.left() shouldBe 10_000L
        }

        test("a copy counts against the limit, and one that exceeds it leaves the source as it was") {
            val runtime = CpuRuntime.withLimit(128)
            deviceArrayOf(1, 2, 3).use { small -> small.copyTo(runtime).use { it.getInt(2) shouldBe 3 } }
            deviceArray<Int> { addAll(1..1000) }.use { large ->
                shouldThrow<OutOfDeviceMemoryException> { large.copyTo(runtime) }
                large.getInt(999) shouldBe 1000
            }
            runtime.left() shouldBe 128L
        }

        test("memory of another producer counts while it is reserved") {
            val runtime = CpuRuntime.withLimit(1000)
            val reserved = runtime.reserve(900)
            runtime.left() shouldBe 100L
            shouldThrow<OutOfDeviceMemoryException> { runtime.allocate(128) }
            shouldThrow<OutOfDeviceMemoryException> { runtime.reserve(101) }.message shouldContain "limit of 1000 bytes"
            reserved.release()
            runtime.left() shouldBe 1000L
            shouldThrow<IllegalArgumentException> { runtime.reserve(-1) }
            CpuRuntime.INSTANCE.reserve(Long.MAX_VALUE).release()
        }

        test("two limits are independent, and the CPU has none") {
            CpuRuntime
                .withLimit(64)
                .allocate(64)
                .owner
                .release()
            CpuRuntime.withLimit(0).let { shouldThrow<OutOfDeviceMemoryException> { it.allocate(0) } }
            CpuRuntime.INSTANCE.memoryInfo shouldBe null
            shouldThrow<IllegalArgumentException> { CpuRuntime.withLimit(-1) }
        }
    })
