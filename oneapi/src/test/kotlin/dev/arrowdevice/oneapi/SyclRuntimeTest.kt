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

/** How devices of SYCL are opened, and what memory they give; what all devices have in common is in [SyclContractTest]. */
class SyclRuntimeTest :
    FunSpec({
        onRealSycl("all kinds of memory belong to one device, staging memory too") {
            for (kind in MemoryKind.entries) {
                open(kind) { runtime ->
                    runtime.device shouldBe device
                    roundTrip(runtime, byteArrayOf(3, 1, 4)) shouldBe byteArrayOf(3, 1, 4)
                    runtime.allocate(64).lend { runtime.memoryKind(it.address) shouldBe kind }
                    runtime.allocateStaging(64).lend {
                        it.device shouldBe device
                        runtime.memoryKind(it.address) shouldBe MemoryKind.HOST
                    }
                }
            }
        }

        onRealSycl("running out of memory throws, for each kind") {
            for (kind in MemoryKind.entries) {
                open(kind) { runtime ->
                    shouldThrow<OutOfDeviceMemoryException> { runtime.allocate(1L shl 46) }.message shouldContain
                        "DPCTLaligned_alloc_"
                }
            }
        }

        onRealSycl("a missing device can't be opened, and the message has the number of devices") {
            shouldThrow<DeviceUnavailableException> { devices.open(77, MemoryKind.DEVICE) }
                .message shouldContain "SYCL numbers its ${devices.count()} from 0"
            shouldThrow<DeviceUnavailableException> { devices.open(-1, MemoryKind.DEVICE) }
        }
    })
