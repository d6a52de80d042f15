package dev.arrowdevice.testkit.driver

import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.SimulatedDriver.ILLEGAL_ADDRESS
import dev.arrowdevice.testkit.SimulatedDriver.INVALID_HANDLE
import dev.arrowdevice.testkit.SimulatedDriver.INVALID_VALUE
import dev.arrowdevice.testkit.SimulatedDriver.LAUNCH_FAILED
import dev.arrowdevice.testkit.SimulatedDriver.Library
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.spec.style.scopes.ContainerScope
import io.kotest.datatest.withData
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.foreign.Arena

/** Each mistake gets its code and is listed; nothing else of the driver suffers. */
class SimulatedDriverMistakesTest :
    FunSpec({
        fun DriverCalls.noted(vararg sentences: String) {
            val violations = driver.violations()
            violations shouldHaveSize sentences.size
            violations.zip(sentences).forEach { (violation, sentence) -> violation shouldContain sentence }
            driver.forget()
        }

        onEachLibrary("freeing memory twice, memory that was not allocated, or with the wrong function") {
            val memory = malloc(8)
            val pinned = mallocHost(8)
            free(memory + 1) shouldBe INVALID_VALUE
            free(pinned) shouldBe INVALID_VALUE
            freeHost(memory) shouldBe INVALID_VALUE
            noted("which was never allocated", "another kind of function", "another kind of function")
            free(memory) shouldBe 0
            free(memory) shouldBe INVALID_VALUE
            freeHost(pinned) shouldBe 0
            freeHost(pinned) shouldBe INVALID_VALUE
            noted("which has been freed", "which has been freed")
        }

        onEachLibrary("memory freed while queued work uses it: the work fails, and the device with it") {
            val memory = malloc(8)
            val stream = stream()
            driver.pause(stream)
            copyAsync(memory, memory, 8, stream) shouldBe 0
            free(memory) shouldBe 0
            driver.resume(stream)
            synchronize(stream) shouldBe ILLEGAL_ADDRESS
            noted("was freed while 2 queued operations use it", "which had been freed")
            driver.clearErrors()
            destroyStream(stream) shouldBe 0
        }

        onEachLibrary("copies beyond an allocation, of freed memory or of unknown memory") {
            Arena.ofConfined().use { arena ->
                val host = arena.bytes(64).address()
                val memory = malloc(8)
                copyAsync(memory, host, 9, 0) shouldBe INVALID_VALUE
                copyAsync(memory + 4, host, 5, 0) shouldBe INVALID_VALUE
                copyAsync(memory + 8, host, 1, 0) shouldBe INVALID_VALUE
                noted("beyond the end", "beyond the end", "in no allocation")
                free(memory) shouldBe 0
                copy(host, memory, 8) shouldBe INVALID_VALUE
                noted("which has been freed")
            }
        }

        onEachLibrary("stream-ordered memory used before its stream has it, after its free, or freed twice") {
            val first = stream()
            val second = stream()
            driver.pause(first)
            val memory = mallocAsync(8, first)
            copyAsync(memory, memory, 8, second) shouldBe 0
            synchronize(second) shouldBe ILLEGAL_ADDRESS
            noted("before its stream had allocated it")
            driver.clearErrors()
            freeAsync(memory, first) shouldBe 0
            copyAsync(memory, memory, 8, first) shouldBe INVALID_VALUE
            freeAsync(memory, first) shouldBe INVALID_VALUE
            free(memory) shouldBe INVALID_VALUE
            noted("which has been freed", "which has been freed", "which has been freed")
            driver.resume(first)
            synchronize(first) shouldBe 0
            destroyStream(first) shouldBe 0
            destroyStream(second) shouldBe 0
        }

        onEachLibrary("stream-ordered memory that is freed while another stream still uses it") {
            val first = stream()
            val second = stream()
            val memory = mallocAsync(8, first)
            synchronize(first) shouldBe 0
            driver.pause(second)
            copyAsync(memory, memory, 8, second) shouldBe 0
            freeAsync(memory, first) shouldBe 0
            synchronize(first) shouldBe 0
            noted("was freed while 2 queued operations use it")
            driver.resume(second)
            synchronize(second) shouldBe ILLEGAL_ADDRESS
            noted("which had been freed")
            driver.clearErrors()
            destroyStream(first) shouldBe 0
            destroyStream(second) shouldBe 0
        }

        onEachLibrary("streams and events that were destroyed or never created") {
            val stream = stream()
            val event = event()
            destroyEvent(event) shouldBe 0
            record(event, stream) shouldBe INVALID_HANDLE
            queryEvent(event) shouldBe INVALID_HANDLE
            destroyEvent(event) shouldBe INVALID_HANDLE
            noted("event that has been destroyed", "event that has been destroyed", "event that has been destroyed")
            destroyStream(stream) shouldBe 0
            synchronize(stream) shouldBe INVALID_HANDLE
            destroyStream(stream) shouldBe INVALID_HANDLE
            noted("stream that has been destroyed", "stream that has been destroyed")
            queryStream(12345) shouldBe INVALID_HANDLE
            queryEvent(12345) shouldBe INVALID_HANDLE
            destroyStream(0) shouldBe INVALID_HANDLE
            noted("which is no stream", "which is no event", "of a default stream")
        }

        onEachLibrary("an event of one device on a stream of another") {
            val event = event()
            val other = DriverCalls(face)
            val device = 1
            other.on(device) {
                val stream = stream()
                record(event, stream) shouldBe INVALID_HANDLE
                noted("of an event of device 0 on a stream of device 1")
                destroyStream(stream) shouldBe 0
            }
            if (!isCuda) ok("hipSetDevice", 0)
            destroyEvent(event) shouldBe 0
        }

        test("CUDA: calls without a context, pops without a push, releases without a retain") {
            val calls = DriverCalls(Library.CUDA)
            ReleaseBalance.start(calls.driver).use {
                calls.driver.reset()
                calls.ok("cuInit", 0)
                Arena.ofConfined().use { arena ->
                    val out = arena.bytes(8).address()
                    calls.code("cuMemAlloc_v2", out, 8) shouldBe 201
                    calls.code("cuCtxPopCurrent_v2", out) shouldBe 201
                    calls.code("cuDevicePrimaryCtxRelease_v2", 0) shouldBe 201
                    calls.noted("without a current context", "from an empty stack", "more often than retained")
                    val context = calls.made("cuDevicePrimaryCtxRetain", 0)
                    calls.ok("cuDevicePrimaryCtxRelease_v2", 0)
                    calls.code("cuCtxPushCurrent_v2", context) shouldBe 201
                    calls.noted("a context that has been released")
                }
            }
        }

        test("CUDA: a thread that ends with a context pushed, a context that ends with memory in it") {
            val calls = DriverCalls(Library.CUDA)
            ReleaseBalance.start(calls.driver).use {
                calls.driver.reset()
                calls.ok("cuInit", 0)
                val context = calls.made("cuDevicePrimaryCtxRetain", 1)
                var memory = 0L
                val thread =
                    Thread {
                        calls.ok("cuCtxPushCurrent_v2", context)
                        memory = calls.malloc(8)
                    }
                thread.start()
                thread.join()
                // The native thread ends after the Java thread has.
                while (calls.driver.counters().contextsPushed() > 0) Thread.onSpinWait()
                calls.noted("a thread ended with 1 contexts pushed and not popped")
                calls.ok("cuDevicePrimaryCtxRelease_v2", 1)
                calls.noted("while 0 streams and 8 bytes of it are live")
                calls.on(1) { free(memory) shouldBe 0 }
            }
        }

        onEachLibrary("failures that a test requests are not listed as mistakes") {
            driver.failNext(name("cuMemAlloc" to "hipMalloc"), LAUNCH_FAILED)
            Arena.ofConfined().use { arena ->
                code(name("cuMemAlloc_v2" to "hipMalloc"), arena.bytes(8).address(), 8) shouldBe LAUNCH_FAILED
            }
            driver.violations().shouldBeEmpty()
            driver.trace().last() shouldContain "= $LAUNCH_FAILED"
        }
    })
