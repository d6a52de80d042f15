package dev.arrowdevice.cuda

import dev.arrowdevice.Device
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.SimulatedDriver
import java.time.Duration

// Without Kotest, which the kit for machines with a GPU does not have.

/** The simulated driver; none where `-Dcuda.driver=real` asks for the machine's own. */
val simulated: SimulatedDriver? =
    if (System.getProperty("cuda.driver") == "real") null else SimulatedDriver.load(SimulatedDriver.Library.CUDA)

/** Runs a test and checks that everything was released, and that the driver found no mistake. */
fun balanced(test: () -> Unit) {
    val driver = simulated
    val before = driver?.counters()
    ReleaseBalance.start().use { test() }
    if (driver == null || before == null) return
    val pending = driver.awaitIdle(Duration.ofSeconds(5))
    Devices.trim()
    // Streams of callbacks are kept for the next ones. ReleaseBalance finds a queue that was left open.
    val unbalanced = driver.counters().unbalancedSince(before).filterNot { "streams of" in it }
    val wrong = driver.violations() + unbalanced
    if (pending != 0L || wrong.isNotEmpty()) throw AssertionError("$pending operations are pending; $wrong")
}

/** [balanced], with GPU 0 opened. */
fun withGpu(test: CudaRuntime.() -> Unit) = balanced { cuda(0).use(test) }

/** The runtime that is found for a device; here, where the driver has been loaded before. */
fun found(device: Device): CudaRuntime = Devices.runtime(device) as CudaRuntime

/** Allocates, and frees when the test is done with it. */
fun <T> DeviceRuntime.withBuffer(
    byteSize: Long,
    allocation: DeviceRuntime.(Long) -> DeviceBuffer = DeviceRuntime::allocate,
    test: (DeviceBuffer) -> T,
): T {
    val buffer = allocation(byteSize)
    return try {
        test(buffer)
    } finally {
        buffer.owner.release()
    }
}

/** The bytes of a buffer of any device, copied to the host. */
fun DeviceRuntime.bytes(buffer: DeviceBuffer): List<Byte> =
    withBuffer(buffer.byteSize, DeviceRuntime::allocateStaging) { host ->
        copy(buffer, 0, host, 0, buffer.byteSize)
        List(buffer.byteSize.toInt()) { host.memory().getByte(it.toLong()) }
    }

/** Fills a buffer of any device, in the order of a queue, and waits. */
fun DeviceRuntime.fill(
    buffer: DeviceBuffer,
    bytes: List<Byte>,
    queue: DeviceQueue = defaultQueue,
) {
    withBuffer(bytes.size.toLong(), DeviceRuntime::allocateStaging) { host ->
        bytes.forEachIndexed { i, byte -> host.memory().putByte(i.toLong(), byte) }
        copyAsync(host, 0, buffer, 0, bytes.size.toLong(), queue)
        queue.synchronize()
    }
}
