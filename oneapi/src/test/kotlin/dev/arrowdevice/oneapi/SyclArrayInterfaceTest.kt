package dev.arrowdevice.oneapi

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.UnreadableDeviceException
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.interop.SyclUsmArrayInterface
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.foreign.Arena

private val device = Device(DeviceType.ONEAPI, 0)
private val options = ImportOptions.on(device)
private const val CONTENT = 0x01020304

private fun face(address: Long) =
    SyclUsmArrayInterface.fromMap(
        mapOf(
            "shape" to listOf(1),
            "typestr" to "<i4",
            "data" to listOf(address, false),
            "version" to 1,
            "syclobj" to "cpu",
        ),
    )

/** The sentences of the specification of the SYCL USM Array Interface on memory, by the real runtime. */
class SyclArrayInterfaceTest :
    FunSpec({
        onRealSycl(
            "\"four allocation types: \"host\", \"device\", \"shared\", or \"unknown\"\": all but the last are imported",
        ) {
            for (kind in MemoryKind.entries) {
                open(kind) { runtime ->
                    Devices.register(runtime)
                    runtime.allocate(4).lend { buffer ->
                        var closed = 0
                        face(buffer.address).importArray({ closed++ }, options).use {
                            it.device shouldBe device
                            it.data.buffer(1)!!.address shouldBe buffer.address
                        }
                        closed shouldBe 1
                    }
                    Arena.ofConfined().use { arena ->
                        var closed = 0
                        shouldThrow<IllegalArgumentException> {
                            face(arena.allocate(4, 4).address()).importArray({ closed++ }, options)
                        }.message shouldContain "is no memory of ONEAPI:0"
                        closed shouldBe 1
                    }
                }
            }
        }

        onRealSycl(
            "\"Host applications … can work with USM pointers of type host and shared as if they were ordinary host pointers\"",
        ) {
            for (kind in listOf(MemoryKind.HOST, MemoryKind.MANAGED)) {
                open(kind) { runtime ->
                    Devices.register(runtime)
                    runtime.allocate(4).lend { buffer ->
                        face(buffer.address).importArray({}, options).use {
                            it.data.isHostReadable.shouldBeTrue()
                            NativeMemory.putInt(buffer.address, CONTENT)
                            it.getInt(0) shouldBe CONTENT
                        }
                    }
                }
            }
        }

        onRealSycl(
            "\"Accessing \"device\" USM pointers by host applications is not allowed\": a copy is read instead",
        ) {
            open { runtime ->
                Devices.register(runtime)
                runtime.allocate(4).lend { buffer ->
                    runtime.allocateStaging(4).lend {
                        NativeMemory.putInt(it.address, CONTENT)
                        runtime.copy(it, 0, buffer, 0, 4)
                    }
                    face(buffer.address).importArray({}, options).use { array ->
                        array.data.isHostReadable.shouldBeFalse()
                        shouldThrow<UnreadableDeviceException> { array.getInt(0) }
                        array.copyTo(Device.CPU).use { it.getInt(0) shouldBe CONTENT }
                    }
                }
            }
        }
    })
