package dev.arrowdevice.peers.device

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceException
import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.deviceArray
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.imported
import dev.arrowdevice.peers.withStructs
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.toDeviceArray
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe

private val large = LongArray(20_000) { it.toLong() }

/** A nested array, some of whose buffers are large, in plain memory. */
private fun nested(): DeviceArray =
    recordBatch {
        column<Long>("large") { addAll(large) }
        column<String>("name") { large.forEach { if (it % 7 == 0L) addNull() else add("name $it") } }
        list<Double>("scores") { large.forEach { add(listOf(it.toDouble(), 1.0)) } }
    }.use { it.intoStruct() }

/** One operation that can fail, with its arguments. */
private class Action(
    val name: String,
    val source: SimulatedDevice.() -> DeviceArray,
    val act: SimulatedDevice.(DeviceArray) -> DeviceArray,
)

private val actions =
    listOf(
        Action("to the device", { nested() }) { it.copyTo(device()) },
        Action("to the device, async", { nested() }) { it.copyToAsync(device(), queue) },
        Action("to the host", { there() }) { it.copyTo(Device.CPU) },
        Action("a slice to the host", { there() }) { array -> array.slice(3, 19_000).use { it.copyTo(Device.CPU) } },
        Action("to the host, async", { there() }) { it.copyToAsync(Device.CPU, queue) },
        Action("on the device", { there() }) { it.copyTo(device()) },
        Action("from pinned memory", { there().use { it.copyToAsync(Device.CPU, queue) } }) {
            it.copyToAsync(device(), queue)
        },
    )

private fun SimulatedDevice.there(): DeviceArray = nested().use { it.copyTo(device()) }

class CopyFaultsTest :
    FunSpec({
        context("if any call fails, the copy throws, releases everything once and leaves the source as it was") {
            withData(nameFn = { it.name }, actions) { action ->
                withGpu {
                    val expected = nested()
                    val source = action.source(this)
                    source.await()
                    ReleaseBalance.awaitDeferredReleases()
                    var passing = 0
                    var failures = 0
                    withoutReports {
                        do {
                            val balance = ReleaseBalance.start()
                            failCall(passing++)
                            try {
                                action.act(this, source).use { it.await() }
                            } catch (e: DeviceException) {
                                failures++
                            }
                            ReleaseBalance.awaitDeferredReleases()
                            val left = clearFaults()
                            queue.synchronize()
                            balance.verify()
                            source.isLive shouldBe true
                        } while (left == 0)
                    }
                    failures shouldBeGreaterThan 3
                    source.use { it.copyTo(Device.CPU) }.use { it.valuesEqual(expected) shouldBe true }
                    expected.close()
                }
            }
        }

        context("a copy that fails later is reported by its event, and to readers") {
            withData(nameFn = { it.name }, actions.filter { "async" in it.name || "pinned" in it.name }) { action ->
                withGpu {
                    val source = action.source(this)
                    source.await()
                    val copy =
                        whilePaused {
                            failNext(Operation.COPY)
                            action.act(this, source)
                        }
                    shouldThrow<DeviceException> { copy.await() }
                    copy.close()
                    source.use { it.copyTo(Device.CPU) }.use { back ->
                        nested().use { it.valuesEqual(back) shouldBe true }
                    }
                }
            }
        }

        context("a synchronous copy that fails throws") {
            withData(nameFn = { it.name }, actions.filterNot { "async" in it.name || "pinned" in it.name }) { action ->
                withGpu {
                    val source = action.source(this)
                    failNext(Operation.COPY)
                    shouldThrow<DeviceException> { action.act(this, source) }
                    action.act(this, source).close()
                    source.close()
                }
            }
        }

        test("work that waits for values that failed fails too") {
            withGpu {
                val there =
                    whilePaused {
                        failNext(Operation.COPY)
                        large.toDeviceArray(runtime())
                    }
                shouldThrow<DeviceException> { there.copyTo(Device.CPU) }
                shouldThrow<DeviceException> { there.await() }
                there.toString()
                there.close()
            }
        }

        test("a copy to a device without enough memory throws, and the array stays live") {
            withGpu(SimulatedDevice.builder(0).memory(200_000)) {
                nested().use { source ->
                    shouldThrow<OutOfDeviceMemoryException> { source.copyTo(device()) }
                    shouldThrow<OutOfDeviceMemoryException> { source.copyToAsync(device(), queue) }
                    source.child("large").copyTo(device()).close()
                }
                shouldThrow<OutOfDeviceMemoryException> {
                    deviceArray<Long>(device = runtime()) { repeat(30_000) { add(1L) } }
                }
            }
        }

        test("everything is released if the device is lost while copies are pending") {
            withoutReports {
                withGpu {
                    val source = nested()
                    val there = source.copyTo(device())
                    pause(queue)
                    val pending =
                        listOf(
                            source.copyToAsync(device(), queue),
                            there.copyToAsync(Device.CPU, queue),
                            there.copyToAsync(device(), queue),
                            large.toDeviceArray(runtime()),
                        )
                    there.close()
                    lose()
                    pending.forEach { shouldThrow<DeviceException> { it.await() } }
                    shouldThrow<DeviceException> { source.copyTo(device()) }
                    pending.forEach { it.close() }
                    source.close()
                    ReleaseBalance.awaitDeferredReleases()
                    takeMisuse()
                }
            }
        }

        test("a foreign array with wrong offsets is refused when they are read") {
            withGpu {
                withStructs {
                    ForeignProducer(this@withGpu, this).use { producer ->
                        val field =
                            dev.arrowdevice.peers.PeerField
                                .of("x", "u")
                        // The values in place of the offsets: what is there as the last one is text.
                        val made = producer.produce(field, PeerOptions.rows(9)) { it.buffer(1, it.buffer(2)) }
                        ArrowImport
                            .importDeviceArray(
                                CStruct.deviceArrayAt(made.array),
                                CStruct.schemaAt(made.schema),
                            ).use { array ->
                                runCatching { array.copyTo(Device.CPU).close() }.isFailure shouldBe true
                            }
                    }
                }
                takeMisuse()
            }
        }

        test("a batch on a device can still be copied to the host after a failure") {
            withGpu {
                val batch: RecordBatch = recordBatch { column<Int>("a") { add(1) } }
                failNext(Operation.ALLOCATE_STAGING)
                shouldThrow<DeviceException> { batch.copyTo(device()) }
                batch.copyTo(device()).use { it.copyTo(Device.CPU) }.use { it.valuesEqual(batch) shouldBe true }
                batch.close()
            }
        }
    })
