package dev.arrowdevice.spi

import dev.arrowdevice.Device
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThan
import java.lang.reflect.Proxy
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch

private const val LONG = 1L

/** Event [LONG] is complete when it is let go, all others when they are asked for the second time. */
private class AsksAgain : DeviceDriver by nothing {
    val asked = ConcurrentHashMap<Long, Long>()
    val intervals = ConcurrentLinkedQueue<Long>()

    @Volatile
    var letGo = false

    override fun device(): Device = Device.CPU

    override fun recordEvent(queue: Long): Long = queue

    override fun isComplete(event: Long): Boolean {
        if (event == LONG) return letGo
        val now = System.nanoTime()
        val first = asked.putIfAbsent(event, now) ?: return false
        intervals += now - first
        return true
    }

    override fun destroyEvent(event: Long) {}

    override fun close() {}
}

private val nothing: DeviceDriver =
    Proxy.newProxyInstance(DeviceDriver::class.java.classLoader, arrayOf(DeviceDriver::class.java)) { _, method, _ ->
        throw UnsupportedOperationException(method.name)
    } as DeviceDriver

class EventPollerTest :
    FunSpec({
        test("a new event is asked often, however long another one has been pending") {
            val driver = AsksAgain()
            val context = DriverContext(driver)

            fun whenComplete(
                event: Long,
                action: () -> Unit,
            ) {
                context.retain()
                DriverEvent.owned(context, event).use {
                    it
                        .retainOpen("test")
                        .also { native ->
                            context.callWhenComplete(native, action)
                        }.releaseUse()
                }
            }

            /** The time between the first two questions after an event, in nanoseconds, of half of some events. */
            fun interval(events: LongRange): Long {
                driver.intervals.clear()
                for (event in events) {
                    // By then an event that takes long is asked at the longest intervals.
                    val start = System.nanoTime()
                    while (System.nanoTime() - start < 2_000_000) Thread.onSpinWait()
                    val done = CountDownLatch(1)
                    whenComplete(event) { done.countDown() }
                    done.await()
                }
                return driver.intervals.sorted()[driver.intervals.size / 2]
            }

            val alone = interval(100L..150L)
            val over = CountDownLatch(1)
            whenComplete(LONG) { over.countDown() }
            val besideIt = interval(200L..250L)
            driver.letGo = true
            over.await()
            context.release()
            besideIt shouldBeLessThan alone + 150_000
        }
    })
