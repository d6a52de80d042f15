package dev.arrowdevice.oneapi

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.DeviceType
import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.spi.DeviceUnavailableException
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.MemorySegment
import java.lang.foreign.ValueLayout.JAVA_INT

private val device = Device(DeviceType.ONEAPI, 0)

/** The differences between SYCL and CUDA. The contract of all devices is in [SyclContractTest]. */
class SyclDriverTest :
    FunSpec({
        onRealSycl("shared memory is host-readable only if host and device may use it at once") {
            fun readable(concurrent: Boolean): Boolean {
                val driver =
                    SyclDriver(library, devices, 0) { concurrent || it != SyclDriver.USM_ATOMIC_SHARED_ALLOCATIONS }
                return driver.isHostReadable(MemoryKind.MANAGED).also { driver.close() }
            }
            readable(concurrent = true).shouldBeTrue()
            readable(concurrent = false).shouldBeFalse()
        }

        onRealSycl(
            "allocating memory that a device lacks throws, because the call would end the process",
        ) {
            val lacks = setOf(12, 13, 14)
            val lacking = SyclDriver(library, devices, 0) { it !in lacks }
            val without =
                object : SyclDevices(library) {
                    override fun openDriver(ordinal: Int) = SyclDriver(library, devices, ordinal) { it !in lacks }
                }
            val names = listOf("usm_device_allocations", "usm_host_allocations", "usm_shared_allocations")
            MemoryKind.entries.zip(names).forEach { (kind, name) ->
                shouldThrow<DeviceUnavailableException> { without.open(0, kind) }.message shouldContain
                    "has no memory of the kind $kind"
                shouldThrow<DeviceException> { lacking.allocate(kind, 64) }.message shouldContain
                    "the device lacks SYCL's aspect $name"
            }
            lacking.close()
        }

        onRealSycl("our copies are in order on a queue that works out of order, as dpctl's do") {
            open { runtime ->
                val unordered =
                    library.api.DPCTLQueue_Create(
                        driver.context(),
                        devices.reference(0),
                        SyclCalls.HANDLER,
                        0,
                    )
                library.api.DPCTLQueue_IsInOrder(unordered).shouldBeFalse()
                val size = 1L shl 22
                runtime.importQueue(unordered).use { queue ->
                    runtime.allocateStaging(size).lend { staging ->
                        runtime.allocate(size).lend { first ->
                            runtime.allocate(size).lend { second ->
                                repeat(20) { round ->
                                    putByte(staging.address + size - 1, round.toByte())
                                    runtime.copyAsync(staging, 0, first, 0, size, queue)
                                    runtime.copyAsync(first, 0, second, 0, size, queue)
                                    runtime.copyAsync(second, 0, staging, 0, size, queue)
                                    runtime.record(queue).use { it.await() }
                                    getBytes(staging.address + size - 1, 1)[0] shouldBe round.toByte()
                                }
                            }
                        }
                    }
                }
                driver.destroyQueue(unordered)
            }
        }

        onRealSycl("a sync_event is the event itself, which foreign code waits for") {
            open { runtime ->
                runtime.createQueue().use { queue ->
                    runtime.record(queue).use { event ->
                        event.syncEvent shouldNotBe 0L
                        driver.await(event.syncEvent)
                        driver.isComplete(event.syncEvent).shouldBeTrue()
                    }
                }
            }
        }

        onRealSycl("an error of queued work is thrown once, by the call that waits") {
            val handler =
                Linker.nativeLinker().downcallHandle(
                    MemorySegment.ofAddress(SyclCalls.HANDLER),
                    FunctionDescriptor.ofVoid(JAVA_INT),
                )
            val function = "DPCTLEvent_WaitAndThrow"
            val failure =
                shouldThrow<DeviceException> {
                    SyclCalls(device).await(function) {
                        handler.invokeWithArguments(5)
                        handler.invokeWithArguments(6)
                    }
                }
            failure.code shouldBe 5
            failure.isWorkFailure.shouldBeTrue()
            SyclCalls(device).failure(function).isWorkFailure.shouldBeFalse()
            failure.operation shouldBe "DPCTLEvent_WaitAndThrow"
            SyclCalls(device).await(function) {}
        }
    })
