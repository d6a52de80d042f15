package dev.arrowdevice.testkit.driver

import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.testkit.SimulatedDriver.INVALID_VALUE
import dev.arrowdevice.testkit.SimulatedDriverMode
import dev.arrowdevice.testkit.SimulatedDriverMode.BLOCKING_CALLBACKS
import dev.arrowdevice.testkit.SimulatedDriverMode.IMPLICIT_SYNCHRONIZATION
import dev.arrowdevice.testkit.SimulatedDriverMode.MANAGED_MIGRATES
import dev.arrowdevice.testkit.SimulatedDriverMode.POOLS_WITHOUT_PEERS
import dev.arrowdevice.testkit.SimulatedDriverMode.ROUNDED_RANGES
import dev.arrowdevice.testkit.SimulatedDriverMode.SERIAL_CALLBACKS
import dev.arrowdevice.testkit.SimulatedDriverMode.SYNCHRONOUS_HOST_COPIES
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import java.lang.foreign.Arena
import java.lang.foreign.ValueLayout.JAVA_LONG
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException

/** Each mode does what it says, and is off by default. */
class SimulatedDriverModesTest :
    FunSpec({
        onEachLibrary("a copy between host memories blocks until it is done, and one to the device does not") {
            Arena.ofConfined().use { arena ->
                val pageable = arena.bytes(8).address()
                val from = mallocHost(8)
                val to = mallocHost(8)
                val memory = malloc(8)
                val stream = stream()
                driver.pause(stream)
                copyAsync(to, from, 8, stream) shouldBe 0
                driver.modes(setOf(SYNCHRONOUS_HOST_COPIES))
                copyAsync(memory, from, 8, stream) shouldBe 0
                blocksUntil({ driver.resume(stream) }) { copyAsync(to, from, 8, stream) }
                driver.pause(stream)
                blocksUntil({ driver.resume(stream) }) { copyAsync(pageable, memory, 8, stream) }
                destroyStream(stream) shouldBe 0
                listOf(from, to).forEach { freeHost(it) shouldBe 0 }
                free(memory) shouldBe 0
            }
        }

        onEachLibrary("freeing memory waits for all streams") {
            val pinned = mallocHost(8)
            val memory = malloc(8)
            val stream = stream()
            driver.modes(setOf(IMPLICIT_SYNCHRONIZATION))
            for (free in listOf({ freeHost(pinned) }, { free(memory) })) {
                val event = event()
                driver.pause(stream)
                record(event, stream) shouldBe 0
                blocksUntil({ driver.resume(stream) }) { free() }
                destroyEvent(event) shouldBe 0
            }
            destroyStream(stream) shouldBe 0
        }

        for ((mode, blocks) in listOf(setOf<SimulatedDriverMode>() to false, setOf(SERIAL_CALLBACKS) to true)) {
            onEachLibrary("a host function that blocks stops those of other streams: $blocks in the modes $mode") {
                driver.modes(mode)
                val (first, second) = List(2) { stream() }
                val end = CountDownLatch(1)
                val begun = CountDownLatch(1)
                val called = CompletableFuture<Unit>()
                addCallback(first, HostFunction(true) { begun.countDown().also { end.await() } }) shouldBe 0
                begun.await()
                addCallback(second, HostFunction(true) { called.complete(Unit) }) shouldBe 0
                if (blocks) shouldThrow<TimeoutException> { called.get(50, TimeUnit.MILLISECONDS) }
                if (!blocks) called.get(10, TimeUnit.SECONDS)
                end.countDown()
                called.get(10, TimeUnit.SECONDS)
                listOf(first, second).forEach {
                    synchronize(it) shouldBe 0
                    destroyStream(it) shouldBe 0
                }
            }
        }

        onEachLibrary("a copy waits for a host function that runs on another stream") {
            driver.modes(setOf(BLOCKING_CALLBACKS))
            val (first, second) = List(2) { stream() }
            val pinned = mallocHost(8)
            val memory = malloc(8)
            val end = CountDownLatch(1)
            val begun = CountDownLatch(1)
            addCallback(first, HostFunction(true) { begun.countDown().also { end.await() } }) shouldBe 0
            begun.await()
            blocksUntil(end::countDown) { copyAsync(memory, pinned, 8, second) }
            listOf(first, second).forEach {
                synchronize(it) shouldBe 0
                destroyStream(it) shouldBe 0
            }
            freeHost(pinned) shouldBe 0
            free(memory) shouldBe 0
        }

        onEachLibrary("the size of an allocation is rounded up") {
            val memory = malloc(640)
            rangeOf(memory + 1) shouldBe (memory to 640L)
            driver.modes(setOf(ROUNDED_RANGES))
            rangeOf(memory + 1) shouldBe (memory to 1024L)
            free(memory) shouldBe 0
        }

        onEachLibrary("memory of a pool is copied to another device only by the function for that") {
            val stream = stream()
            val memory = mallocAsync(8, stream)
            synchronize(stream) shouldBe 0
            val other = malloc(8)
            onDevice(1) {
                val elsewhere = stream()
                copyAsync(memory, other, 8, elsewhere) shouldBe 0
                synchronize(elsewhere) shouldBe 0
                driver.modes(setOf(POOLS_WITHOUT_PEERS))
                copyAsync(memory, other, 8, elsewhere) shouldBe INVALID_VALUE
                destroyStream(elsewhere) shouldBe 0
            }
            freeAsync(memory, stream) shouldBe 0
            free(other) shouldBe 0
            destroyStream(stream) shouldBe 0
        }

        onEachLibrary("managed memory lies on the device, and more than there is must not be asked for") {
            driver.modes(setOf(MANAGED_MIGRATES))
            val managed = mallocManaged(8)
            driver.hostCanRead(managed).shouldBeFalse()
            driver.poke(managed, byteArrayOf(7))
            driver.peek(managed, 1).single() shouldBe 7
            free(managed) shouldBe 0
            driver.modes(setOf())
            val readable = mallocManaged(8)
            driver.hostCanRead(readable).shouldBeTrue()
            free(readable) shouldBe 0
            Arena.ofConfined().use { arena ->
                val out = arena.allocate(JAVA_LONG).address()
                code(name("cuMemAllocManaged" to "hipMallocManaged"), out, 1L shl 50, 1)
            }
            driver.violations() shouldHaveSize 1
            driver.forget()
        }

        onEachLibrary("a stream waits for a value that the host writes") {
            val word = mallocHost(4)
            val stream = stream()
            NativeMemory.putInt(word, 0)
            if (isCuda) {
                ok("cuStreamWaitValue32_v2", stream, word, 1, 0)
            } else {
                ok("hipStreamWaitValue32", stream, word, 1, 0, 0xFFFFFFFF)
            }
            blocksUntil({ NativeMemory.putInt(word, 1) }) { synchronize(stream) }
            destroyStream(stream) shouldBe 0
            freeHost(word) shouldBe 0
        }
    })

/** The start and the size of the allocation of an address. */
private fun DriverCalls.rangeOf(address: Long): Pair<Long, Long> =
    Arena.ofConfined().use { arena ->
        val start = arena.allocate(JAVA_LONG)
        val size = arena.allocate(JAVA_LONG)
        ok(name("cuMemGetAddressRange_v2" to "hipMemGetAddressRange"), start.address(), size.address(), address)
        start.get(JAVA_LONG, 0) to size.get(JAVA_LONG, 0)
    }

/** Makes a call on another thread, which must not return before the end of what it waits for. */
private fun DriverCalls.blocksUntil(
    end: () -> Unit,
    call: () -> Int,
) {
    val context = if (isCuda) made("cuCtxGetCurrent") else 0
    val result =
        CompletableFuture.supplyAsync {
            if (isCuda) ok("cuCtxPushCurrent_v2", context)
            try {
                call()
            } finally {
                if (isCuda) made("cuCtxPopCurrent_v2")
            }
        }
    try {
        shouldThrow<TimeoutException> { result.get(50, TimeUnit.MILLISECONDS) }
    } finally {
        end()
    }
    result.get(10, TimeUnit.SECONDS) shouldBe 0
}

private fun DriverCalls.onDevice(
    device: Long,
    block: () -> Unit,
) {
    if (!isCuda) {
        ok("hipSetDevice", device)
        block()
        ok("hipSetDevice", 0)
        return
    }
    ok("cuCtxPushCurrent_v2", made("cuDevicePrimaryCtxRetain", device))
    block()
    made("cuCtxPopCurrent_v2")
    ok("cuDevicePrimaryCtxRelease_v2", device)
}
