package dev.arrowdevice.rocm

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceException
import dev.arrowdevice.DeviceType
import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.spi.AddressRange
import dev.arrowdevice.spi.MemoryInfo
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.spi.NativeFunctions.Optional
import dev.arrowdevice.testkit.SimulatedDriver.ILLEGAL_ADDRESS
import dev.arrowdevice.testkit.SimulatedDriver.INVALID_VALUE
import dev.arrowdevice.testkit.SimulatedDriver.Library
import dev.arrowdevice.testkit.SimulatedDriver.OUT_OF_MEMORY
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.foreign.Arena
import java.lang.ref.WeakReference
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.SECONDS

/** What HIP knows about an address: the kind of its memory, the device, the allocation. */
class HipPointersTest :
    FunSpec({
        onEachHip("the kind of an address is known, although ROCm 6 renumbered the kinds") {
            val hip = driverOf()
            for (kind in MemoryKind.entries) {
                hip.hasMemory(kind).shouldBeTrue()
                hip.with(kind, 64) { hip.kindOf(it + 63) shouldBe kind }
            }
            Arena.ofConfined().use { arena ->
                val unknown = arena.allocate(64).address()
                hip.kindOf(unknown) shouldBe null
                library.api.hipPeekAtLastError() shouldBe 0
                driver.failNext("hipPointerGetAttributes", ILLEGAL_ADDRESS)
                shouldThrow<DeviceException> { hip.kindOf(unknown) }.operation shouldBe "hipPointerGetAttributes"
            }
        }

        onEachHip(
            "the device of an address is known, and managed memory is its GPU's, because Arrow has no type for it",
        ) {
            val hip = driverOf()
            val types =
                mapOf(
                    MemoryKind.DEVICE to DeviceType.ROCM,
                    MemoryKind.HOST to DeviceType.ROCM_HOST,
                    MemoryKind.MANAGED to DeviceType.ROCM,
                )
            for (ordinal in 0..1) {
                for ((kind, type) in types) {
                    driverOf(ordinal).with(kind, 64) {
                        hip.deviceOf(it + 63, hip.device()) shouldBe Device(type, ordinal.toLong())
                    }
                }
            }
            Arena.ofConfined().use { arena ->
                val unknown = arena.allocate(64).address()
                hip.deviceOf(unknown, hip.device()) shouldBe null
                library.api.hipPeekAtLastError() shouldBe 0
                driver.failNext("hipPointerGetAttributes", ILLEGAL_ADDRESS)
                shouldThrow<DeviceException> { hip.deviceOf(unknown, hip.device()) }.code shouldBe ILLEGAL_ADDRESS
                library.api.hipPeekAtLastError() shouldBe 0
            }
        }

        onEachHip("the allocation of an address is known for all kinds, and for no other memory") {
            val hip = driverOf()
            for (kind in MemoryKind.entries) {
                hip.with(kind, 640) { address ->
                    for (inside in listOf(0, 1, 639)) {
                        hip.allocationOf(address + inside) shouldBe AddressRange(address, 640)
                    }
                    driver.failNext("hipMemGetAddressRange", ILLEGAL_ADDRESS)
                    hip.allocationOf(address) shouldBe null
                }
            }
            Arena.ofConfined().use { hip.allocationOf(it.allocate(64).address()) shouldBe null }
            library.api.hipPeekAtLastError() shouldBe 0
        }

        test("adjacent mapped pieces are one allocation") {
            val pieces =
                listOf(AddressRange(100, 50), AddressRange(150, 8), AddressRange(158, 42), AddressRange(201, 9))
            for (address in listOf(100L, 149L, 150L, 158L, 199L)) {
                HipPointers.whole(address) { asked -> pieces.find { it.contains(asked) } } shouldBe
                    AddressRange(100, 100)
            }
            HipPointers.whole(205) { asked -> pieces.find { it.contains(asked) } } shouldBe AddressRange(201, 9)
            HipPointers.whole(200) { null } shouldBe null
        }
    })
