package dev.arrowdevice.coroutines

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.peers.RebuiltArrays
import dev.arrowdevice.spi.DeviceEvent
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine

/** Waiting for the data of an array without a thread. */
@OptIn(ExperimentalCoroutinesApi::class)
class AwaitReadyTest :
    FunSpec({
        extension(Balance)

        test("complete data is not awaited") {
            batchOf(1).use { batch ->
                runUndispatched { batch.awaitReady() }.count shouldBe 0
            }
            val ready = LateMemory().apply { complete() }
            ready.batch.use { batch -> runUndispatched { batch.awaitReady() }.count shouldBe 0 }
            ready.registered.count shouldBe 1
        }

        test("a coroutine suspends until the event of a batch or an array is complete") {
            for (wait in listOf<suspend (RecordBatch) -> Unit>({ it.awaitReady() }, { it.column(0).awaitReady() })) {
                val late = LateMemory()
                runTest {
                    val waiting = launch { late.batch.use { wait(it) } }
                    runCurrent()
                    waiting.isActive shouldBe true
                    late.complete()
                    waiting.join()
                }
                late.freed.within20Seconds() shouldBe true
            }
        }

        test("a cancelled coroutine returns at once, and the memory stays until the event is complete") {
            val late = LateMemory()
            runTest {
                val waiting = launch { late.batch.use { it.awaitReady() } }
                runCurrent()
                waiting.cancelAndJoin()
                late.isFreed shouldBe false
                late.complete()
            }
            late.freed.within20Seconds() shouldBe true
            late.freedInCallback shouldBe false
        }

        test("the runtime's callback does not run the coroutine or free memory, on any dispatcher") {
            for (context in listOf(EmptyCoroutineContext, Dispatchers.Unconfined, Dispatchers.Default)) {
                val late = LateMemory()
                val inCallback = CompletableDeferred<Boolean>()
                val body: suspend () -> Unit = {
                    late.batch.use { it.awaitReady() }
                    inCallback.complete(late.isInCallback)
                }
                body.startCoroutine(Continuation(context) { it.getOrThrow() })
                late.registered.within20Seconds() shouldBe true
                late.complete()
                runBlocking { inCallback.await() } shouldBe false
                late.freed.within20Seconds() shouldBe true
                late.freedInCallback shouldBe false
            }
        }

        test("a closed array and a failed event throw, and leak nothing") {
            val closed = LateMemory()
            closed.batch.close()
            runBlocking { shouldThrow<IllegalStateException> { closed.batch.awaitReady() } }
            closed.asked.get() shouldBe 0
            val failing = LateMemory(DeviceException(Device.CPU, "a kernel", 700, "failed"))
            runBlocking { shouldThrow<DeviceException> { failing.batch.awaitReady() } }
            failing.isFreed shouldBe false
            failing.batch.close()
            failing.isFreed shouldBe true
        }
    })

/** Starts [block] in place; the latch says that it has ended. */
private fun runUndispatched(block: suspend () -> Unit): CountDownLatch {
    val ended = CountDownLatch(1)
    block.startCoroutine(Continuation(EmptyCoroutineContext) { ended.countDown() })
    return ended
}

private fun CountDownLatch.within20Seconds(): Boolean = await(20, TimeUnit.SECONDS)

/** A batch whose data is there once [complete] is called, which calls back as a device's runtime does. */
private class LateMemory(
    private val failure: RuntimeException? = null,
) {
    private val callbacks = ConcurrentLinkedQueue<Runnable>()
    private val inCallback = ThreadLocal.withInitial { false }

    @Volatile
    private var complete = false

    val registered = CountDownLatch(1)
    val freed = CountDownLatch(1)
    val isFreed get() = freed.count == 0L
    val isInCallback: Boolean get() = inCallback.get()

    /** The number of calls of the event. */
    val asked = AtomicInteger()

    /** Whether the runtime's callback freed the memory. */
    @Volatile
    var freedInCallback = false
        private set

    private val event =
        object : DeviceEvent {
            override fun getDevice(): Device = Device.CPU

            override fun isComplete(): Boolean {
                asked.incrementAndGet()
                check(!isFreed) { "the event is gone" }
                failure?.let { throw it }
                return complete
            }

            override fun await() = error("blocks the thread")

            override fun whenComplete(action: Runnable) {
                callbacks += action
                registered.countDown()
            }

            override fun getSyncEvent() = 0L

            override fun close() = Unit
        }

    val batch: RecordBatch =
        RecordBatch.ofStruct(
            numberSchema,
            RebuiltArrays.of(batchOf(1).intoStruct()) { data, owner ->
                val watched =
                    object : ReferenceCounted() {
                        override fun free() {
                            freedInCallback = isInCallback
                            owner.release()
                            freed.countDown()
                        }
                    }
                OwnedArrays.of(data, watched, event)
            },
        )

    fun complete() {
        complete = true
        thread {
            inCallback.set(true)
            callbacks.forEach { it.run() }
        }.join()
    }
}
