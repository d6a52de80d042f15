package dev.arrowdevice.cuda

import dev.arrowdevice.Device
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.SimulatedDriver
import io.kotest.core.test.Enabled
import io.kotest.core.test.TestCase
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.time.Duration

/** The simulated driver; none where `-Dcuda.driver=real` asks for the machine's own. */
val simulated: SimulatedDriver? =
    if (System.getProperty("cuda.driver") == "real") null else SimulatedDriver.load(SimulatedDriver.Library.CUDA)

/** For tests that make the driver fail, which a real one can't. */
val onlySimulated: (TestCase) -> Enabled = {
    if (simulated == null) Enabled.disabled("a real driver does not fail on demand") else Enabled.enabled
}

/** For tests that launch kernels. */
val onlyReal: (TestCase) -> Enabled = {
    if (simulated == null) Enabled.enabled else Enabled.disabled("the simulated driver runs no kernels")
}

/** Runs a test and checks that everything was released, and that the driver found no mistake. */
fun balanced(test: () -> Unit) {
    val driver = simulated
    val before = driver?.counters()
    ReleaseBalance.start().use { test() }
    if (driver == null || before == null) return
    driver.awaitIdle(Duration.ofSeconds(5)) shouldBe 0
    driver.violations().shouldBeEmpty()
    // Streams of callbacks are kept for the next ones. ReleaseBalance finds a queue that was left open.
    driver
        .counters()
        .unbalancedSince(before)
        .filterNot { "streams of" in it }
        .shouldBeEmpty()
    driver.violations().shouldBeEmpty()
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
