package dev.arrowdevice.testkit.driver

import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.SimulatedDriver.ILLEGAL_ADDRESS
import dev.arrowdevice.testkit.SimulatedDriver.LAUNCH_FAILED
import dev.arrowdevice.testkit.SimulatedDriver.Library
import dev.arrowdevice.testkit.SimulatedDriver.NOT_READY
import dev.arrowdevice.testkit.SimulatedDriver.OUT_OF_MEMORY
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.spec.style.scopes.ContainerScope
import io.kotest.datatest.withData
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import java.lang.foreign.Arena
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/**
 * The behaviour of every face: memory, order, errors. The mistakes that it reports are in
 * [SimulatedDriverMistakesTest].
 */
class SimulatedDriverTest :
    FunSpec({
        onEachLibrary("the bytes of device memory are accessed by copies only") {
            Arena.ofConfined().use { arena ->
                val from = arena.bytes(1000) { it }
                val to = arena.bytes(1000)
                val memory = malloc(1000)
                memory % 256 shouldBe 0
                driver.hostCanRead(memory).shouldBeFalse()
                copy(memory, from.address(), 1000) shouldBe 0
                copy(to.address(), memory, 1000) shouldBe 0
                to.list() shouldBe from.list()
                driver.peek(memory + 10, 2).toList() shouldBe listOf<Byte>(10, 11)
                driver.poke(memory, byteArrayOf(99))
                copy(to.address(), memory, 1) shouldBe 0
                to.list().first() shouldBe 99
                free(memory) shouldBe 0
            }
        }

        onEachLibrary("what was queued when the device was lost is never done, even if the device comes back") {
            val (stream, memory, pinned) = Triple(stream(), malloc(1), mallocHost(1))
            driver.poke(memory, byteArrayOf(1))
            NativeMemory.putByte(pinned, 2)
            driver.pause(stream)
            copyAsync(memory, pinned, 1, stream) shouldBe 0
            driver.loseDevice(0, LAUNCH_FAILED)
            driver.clearErrors()
            driver.resume(stream)
            synchronize(stream) shouldBe 0
            driver.peek(memory, 1).single() shouldBe 1
            listOf(destroyStream(stream), freeHost(pinned), free(memory)) shouldBe listOf(0, 0, 0)
        }

        onEachLibrary("pinned and managed memory can be read until it is freed") {
            val pinned = mallocHost(100)
            val managed = mallocManaged(100)
            for (address in listOf(pinned, managed)) {
                driver.hostCanRead(address + 99).shouldBeTrue()
                NativeMemory.putByte(address, 7)
            }
            driver.counters().pinnedBytes() shouldBe 100
            driver.counters().managedBytes() shouldBe 100
            freeHost(pinned) shouldBe 0
            free(managed) shouldBe 0
            driver.hostCanRead(pinned).shouldBeFalse()
            driver.hostCanRead(managed).shouldBeFalse()
        }

        onEachLibrary(
            "a copy on a paused stream is pending, and done once the stream was resumed and its event is complete",
        ) {
            Arena.ofConfined().use { arena ->
                val from = arena.bytes(8) { 5 }
                val to = arena.bytes(8)
                val memory = malloc(8)
                val stream = stream()
                val event = event()
                driver.pause(stream)
                queryEvent(event) shouldBe 0
                copyAsync(memory, from.address(), 8, stream) shouldBe 0
                copyAsync(to.address(), memory, 8, stream) shouldBe 0
                record(event, stream) shouldBe 0
                queryEvent(event) shouldBe NOT_READY
                queryStream(stream) shouldBe NOT_READY
                driver.queued(stream) shouldBe 3
                to.list().sum() shouldBe 0
                driver.resume(stream)
                synchronizeEvent(event) shouldBe 0
                to.list().sum() shouldBe 40
                queryEvent(event) shouldBe 0
                destroyEvent(event) shouldBe 0
                destroyStream(stream) shouldBe 0
                free(memory) shouldBe 0
            }
        }

        onEachLibrary("a stream that waits for a paused event goes on when the event is resumed") {
            Arena.ofConfined().use { arena ->
                val from = arena.bytes(8) { 5 }
                val memory = malloc(16)
                val first = stream()
                val second = stream()
                val event = event()
                driver.pauseEvent(event)
                copyAsync(memory, from.address(), 8, first) shouldBe 0
                record(event, first) shouldBe 0
                waitEvent(second, event) shouldBe 0
                copyAsync(memory + 8, memory, 8, second) shouldBe 0
                driver.queued(second) shouldBe 2
                queryStream(second) shouldBe NOT_READY
                driver.resumeEvent(event)
                synchronize(second) shouldBe 0
                driver.peek(memory + 8, 1).single() shouldBe 5
                val ran =
                    driver.trace().filter { "ran" in it }.map {
                        it
                            .substringAfter(
                                "ran ",
                            ).substringBefore(' ')
                    }
                ran.take(4) shouldBe listOf("copy", "record", "wait", "copy")
                destroyEvent(event) shouldBe 0
                destroyStream(first) shouldBe 0
                destroyStream(second) shouldBe 0
                free(memory) shouldBe 0
            }
        }

        onEachLibrary("an event can be recorded again and destroyed while a stream waits for it") {
            val memory = malloc(8)
            val first = stream()
            val second = stream()
            val event = event()
            driver.pause(first)
            copyAsync(memory, memory, 8, first) shouldBe 0
            record(event, first) shouldBe 0
            waitEvent(second, event) shouldBe 0
            record(event, second) shouldBe 0
            destroyEvent(event) shouldBe 0
            queryStream(second) shouldBe NOT_READY
            destroyStream(first) shouldBe 0
            driver.counters().streams() shouldBe 1
            driver.live().single { "destroyed" in it } shouldContain "paused"
            driver.reset()
            synchronize(second) shouldBe 0
            destroyStream(second) shouldBe 0
            free(memory) shouldBe 0
        }

        onEachLibrary("the default stream waits for blocking streams, and they wait for it") {
            val memory = malloc(8)
            val blocking = stream(flags = 0)
            val free = stream(flags = 1)
            driver.pause(blocking)
            copyAsync(memory, memory, 8, blocking) shouldBe 0
            copyAsync(memory, memory, 8, 0) shouldBe 0
            copyAsync(memory, memory, 8, free) shouldBe 0
            synchronize(free) shouldBe 0
            queryStream(0) shouldBe NOT_READY
            driver.resume(blocking)
            synchronize(0) shouldBe 0
            queryStream(blocking) shouldBe 0
            destroyStream(blocking) shouldBe 0
            destroyStream(free) shouldBe 0
            free(memory) shouldBe 0
        }

        onEachLibrary("stream-ordered memory is live until its stream has done the free") {
            val stream = stream()
            val memory = mallocAsync(64, stream)
            copyAsync(memory, memory, 64, stream) shouldBe 0
            synchronize(stream) shouldBe 0
            driver.pause(stream)
            freeAsync(memory, stream) shouldBe 0
            driver.counters().poolBytes() shouldBe 64
            driver.resume(stream)
            synchronize(stream) shouldBe 0
            driver.counters().poolBytes() shouldBe 0
            destroyStream(stream) shouldBe 0
        }

        onEachLibrary("an allocation beyond the device's memory fails") {
            driver.deviceBytes(1000)
            val memory = malloc(600)
            Arena.ofConfined().use { arena ->
                val out = arena.bytes(8).address()
                code(name("cuMemAlloc_v2" to "hipMalloc"), out, 401) shouldBe OUT_OF_MEMORY
                code(name("cuMemAllocAsync" to "hipMallocAsync"), out, 401, 0) shouldBe OUT_OF_MEMORY
                val info = arena.bytes(16)
                ok(name("cuMemGetInfo_v2" to "hipMemGetInfo"), info.address(), info.address() + 8)
                NativeMemory.getLong(info.address()) shouldBe 400
                NativeMemory.getLong(info.address() + 8) shouldBe 1000
            }
            free(malloc(400)) shouldBe 0
            free(memory) shouldBe 0
        }

        onEachLibrary("a call fails on request, once, and does nothing then") {
            val name = name("cuMemAlloc" to "hipMalloc")
            driver.failNext(name, OUT_OF_MEMORY, 1)
            val memory = malloc(8)
            Arena.ofConfined().use { arena ->
                code(name("cuMemAlloc_v2" to "hipMalloc"), arena.bytes(8).address(), 8) shouldBe OUT_OF_MEMORY
            }
            driver.counters().deviceAllocations() shouldBe 1
            free(memory) shouldBe 0
            free(malloc(8)) shouldBe 0
        }

        onEachLibrary(
            "a failed copy is reported by later calls, host functions are skipped, and callbacks get the error",
        ) {
            val memory = malloc(8)
            val stream = stream()
            val event = event()
            val told = CompletableFuture<Int>()
            driver.pause(stream)
            driver.failCopy(LAUNCH_FAILED, 0)
            copyAsync(memory, memory, 8, stream) shouldBe 0
            record(event, stream) shouldBe 0
            if (face !=
                Library.ROCM_5
            ) {
                launchHostFunction(stream, HostFunction(false) { told.complete(-1) }) shouldBe 0
            }
            addCallback(stream, HostFunction(true) { told.complete(it) }) shouldBe 0
            driver.resume(stream)
            synchronizeEvent(event) shouldBe LAUNCH_FAILED
            told.get(10, TimeUnit.SECONDS) shouldBe LAUNCH_FAILED
            synchronize(stream) shouldBe LAUNCH_FAILED
            queryEvent(event) shouldBe LAUNCH_FAILED
            destroyEvent(event) shouldBe LAUNCH_FAILED
            destroyStream(stream) shouldBe LAUNCH_FAILED
            free(memory) shouldBe LAUNCH_FAILED
            driver.clearErrors()
            synchronizeDevice() shouldBe 0
        }

        onEachLibrary(
            "all calls for a lost device return its code, everything can be freed, and nobody waits for its queues",
        ) {
            val memory = malloc(8)
            val stream = stream()
            driver.pause(stream)
            copyAsync(memory, memory, 8, stream) shouldBe 0
            driver.loseDevice(0, 46)
            queryStream(stream) shouldBe 46
            copyAsync(memory, memory, 8, stream) shouldBe 46
            free(memory) shouldBe 46
            driver.violations() shouldBe emptyList()
            driver.resume(stream)
            driver.awaitIdle(Duration.ofSeconds(10)) shouldBe 0
            destroyStream(stream) shouldBe 46
        }

        onEachLibrary("host functions run in order, on the stream's thread, and may not call the driver") {
            val stream = stream()
            val seen = CompletableFuture<Pair<Int, Long>>()
            val block: (
                Int,
            ) -> Unit = { seen.complete(queryStream(stream) to driver.counters().callbacksPending()) }
            val launched =
                if (face == Library.ROCM_5) {
                    addCallback(stream, HostFunction(true, block))
                } else {
                    launchHostFunction(stream, HostFunction(false, block))
                }
            launched shouldBe 0
            synchronize(stream) shouldBe 0
            seen.get(10, TimeUnit.SECONDS) shouldBe ((if (isCuda) 800 else 801) to 1L)
            driver.violations().single() shouldContain "within a host function"
            driver.forget()
            destroyStream(stream) shouldBe 0
        }

        test("each release of HIP has its version, its pointer types and its functions") {
            for ((face, types) in mapOf(
                Library.ROCM_5 to (0 to 1),
                Library.ROCM_6 to (1 to 2),
                Library.ROCM_7 to (1 to 2),
            )) {
                val calls = DriverCalls(face)
                ReleaseBalance.start(calls.driver).use {
                    calls.on {
                        made("hipRuntimeGetVersion").toInt() / 10_000_000 shouldBe face.version()
                        val attributes = { address: Long ->
                            Arena.ofConfined().use { arena ->
                                val out = arena.bytes(32)
                                val code = code("hipPointerGetAttributes", out.address(), address)
                                code to NativeMemory.getInt(out.address())
                            }
                        }
                        val pinned = mallocHost(8)
                        val memory = malloc(8)
                        attributes(pinned) shouldBe (0 to types.first)
                        attributes(memory + 7) shouldBe (0 to types.second)
                        Arena.ofConfined().use { arena ->
                            val unknown = attributes(arena.bytes(8).address())
                            unknown shouldBe (if (face == Library.ROCM_5) 1 to 0 else 0 to 0)
                        }
                        driver.symbols().find("hipLaunchHostFunc").isPresent shouldBe (face != Library.ROCM_5)
                        freeHost(pinned) shouldBe 0
                        free(memory) shouldBe 0
                    }
                }
            }
        }

        test("a driver can lack functions, and is not the complete driver") {
            val old = DriverCalls(Library.CUDA, setOf("cuMemAllocAsync", "cuLaunchHostFunc"))
            old.driver
                .symbols()
                .find("cuMemAllocAsync")
                .isPresent
                .shouldBeFalse()
            old.driver
                .symbols()
                .find("cuMemAlloc_v2")
                .isPresent
                .shouldBeTrue()
            old.driver.path() shouldNotBe DriverCalls(Library.CUDA).driver.path()
            old.driver
                .path()
                .fileName
                .toString() shouldBe "libcuda.so.1"
        }

        test("many threads can use streams, events, copies and memory of their own") {
            val calls = DriverCalls(Library.CUDA)
            ReleaseBalance.start(calls.driver).use {
                calls.on { }
                calls.driver.delay(Duration.ofNanos(1_000))
                val threads = (0 until 8).map { CompletableFuture.runAsync { calls.exchange(it, rounds = 50) } }
                threads.forEach { it.get(60, TimeUnit.SECONDS) }
            }
            calls.driver.reset()
        }

        test("without a device the driver reports it") {
            for (face in Library.entries) {
                val calls = DriverCalls(face)
                calls.driver.devices(0)
                calls.code(if (calls.isCuda) "cuInit" else "hipInit", 0) shouldBe 100
                calls.driver.reset()
            }
        }

        test("invalid arguments are refused with a message") {
            val driver = DriverCalls(Library.CUDA).driver
            val failure = shouldThrow<IllegalArgumentException> { driver.pause(17) }
            failure.message shouldBe "the simulated driver needs a stream that is live and no default one"
        }
    })

/** Host to device to stream-ordered memory to host, over two streams that an event orders, on every other device. */
private fun DriverCalls.exchange(
    thread: Int,
    rounds: Int,
) {
    val device = (thread % 2).toLong()
    ok("cuCtxPushCurrent_v2", made("cuDevicePrimaryCtxRetain", device))
    for (round in 0 until rounds) {
        val first = stream(flags = (round % 2).toLong())
        val second = stream()
        val event = event()
        val from = mallocHost(4096)
        val to = mallocHost(4096)
        val memory = malloc(4096)
        NativeMemory.putByte(from + 4095, (thread + round).toByte())
        copyAsync(memory, from, 4096, first) shouldBe 0
        record(event, first) shouldBe 0
        waitEvent(second, event) shouldBe 0
        val ordered = mallocAsync(4096, second)
        copyAsync(ordered, memory, 4096, second) shouldBe 0
        copyAsync(to, ordered, 4096, second) shouldBe 0
        freeAsync(ordered, second) shouldBe 0
        record(event, second) shouldBe 0
        synchronizeEvent(event) shouldBe 0
        NativeMemory.getByte(to + 4095) shouldBe (thread + round).toByte()
        destroyEvent(event) shouldBe 0
        destroyStream(first) shouldBe 0
        destroyStream(second) shouldBe 0
        free(memory) shouldBe 0
        freeHost(from) shouldBe 0
        freeHost(to) shouldBe 0
    }
    made("cuCtxPopCurrent_v2")
    ok("cuDevicePrimaryCtxRelease_v2", device)
}
