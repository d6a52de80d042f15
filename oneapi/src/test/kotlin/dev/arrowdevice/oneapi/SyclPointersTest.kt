package dev.arrowdevice.oneapi

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.UnreadableDeviceException
import dev.arrowdevice.Validation
import dev.arrowdevice.addAll
import dev.arrowdevice.deviceArray
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeFalse
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

private val device = Device(DeviceType.ONEAPI, 0)

/** What SYCL knows about an address: the device, and the kind of USM, which decides whether the host can read it. */
class SyclPointersTest :
    FunSpec({
        onRealSycl("SYCL knows its own memory by any address in it, and no other memory") {
            for (kind in MemoryKind.entries) {
                open(kind) { runtime ->
                    runtime.allocate(4096).lend { known ->
                        runtime.deviceOf(known.address) shouldBe device
                        runtime.deviceOf(known.address + 100) shouldBe device
                        val buffer = runtime.buffer(known.address, 64, known.owner)
                        buffer.device shouldBe device
                    }
                }
            }
            open { runtime ->
                val ordinary = NativeMemory.allocate(64)
                runtime.deviceOf(ordinary).shouldBeNull()
                NativeMemory.free(ordinary)
                runtime.deviceOf(0).shouldBeNull()
                runtime.memoryKind(0).shouldBeNull()
            }
        }

        onRealSycl("the kind of memory at an address, not the device, decides whether the host can read it") {
            for (registered in MemoryKind.entries) {
                withRegistered(registered) {
                    Devices.isHostReadable(device).shouldBeFalse()
                    for (kind in MemoryKind.entries) {
                        open(kind) { runtime ->
                            runtime.isHostReadable.shouldBeFalse()
                            runtime.allocatesHostReadable() shouldBe (kind != MemoryKind.DEVICE)
                            runtime.allocate(64).lend { buffer ->
                                val address = buffer.address + 63
                                Devices.isHostReadable(device, address) shouldBe (kind != MemoryKind.DEVICE)
                            }
                        }
                    }
                    Devices.isHostReadable(device, 0).shouldBeFalse()
                }
            }
        }

        onRealSycl("the host never reads device memory, whichever runtime is registered") {
            for (registered in MemoryKind.entries) {
                withRegistered(registered) {
                    imported(MemoryKind.DEVICE, "in", "device", null, "memory").use { array ->
                        array.data.isHostReadable.shouldBeFalse()
                        shouldThrow<UnreadableDeviceException> { array.getString(0) }.device shouldBe device
                        shouldThrow<UnreadableDeviceException> { array.borrow { it.getString(0) } }
                        shouldThrow<UnreadableDeviceException> { array.data.buffer(2)!!.memory() }
                        array.toString() shouldContain "on ONEAPI:0; copyTo(Device.CPU) to read"
                        array.copyTo(Device.CPU).use { it.getString(1) shouldBe "device" }
                    }
                }
            }
        }

        onRealSycl("host and shared memory is read in place, whichever runtime is registered") {
            for (registered in MemoryKind.entries) {
                for (kind in listOf(MemoryKind.HOST, MemoryKind.MANAGED)) {
                    withRegistered(registered) {
                        val built = open(kind) { strings(it, "where", null, "it is") }
                        val address = built.data.buffer(2)!!.address
                        through(built, Validation.FULL).use { array ->
                            array.data.buffer(2)!!.address shouldBe address
                            array.getString(2) shouldBe "it is"
                            array.copyTo(Device.CPU).use { it.valuesEqual(array).shouldBeTrue() }
                        }
                    }
                }
            }
        }

        onRealSycl("of an array with both kinds of memory the host reads only the part that it can") {
            withRegistered(MemoryKind.DEVICE) {
                open(MemoryKind.HOST) { host ->
                    open { gpu ->
                        val bitmap = host.allocate(1).also { it.memory().putByte(0, 0b101) }
                        val values = gpu.allocate(3)
                        // As an import knows them: by address.
                        val buffers =
                            arrayOf<DeviceBuffer?>(bitmap, values).map {
                                DeviceBuffer.ofAddress(device, it!!.address, it.byteSize, it.owner)
                            }
                        val data =
                            ArrayData(ArrowType.INT8, device, 3, 0, -1, buffers.toTypedArray(), emptyArray(), null)
                        OwnedArrays.of(data, ReferenceCounted.all(bitmap.owner, values.owner)).use { array ->
                            data.isHostReadable.shouldBeFalse()
                            array.nullCount shouldBe 1
                            shouldThrow<UnreadableDeviceException> { array.isNull(1) }
                            array.copyTo(Device.CPU).use { it.isNull(1).shouldBeTrue() }
                        }
                    }
                }
            }
        }

        onRealSycl("shared memory is not read in place if host and device must not use it at once") {
            val driver = SyclDriver(library, devices, 0) { it != SyclDriver.USM_ATOMIC_SHARED_ALLOCATIONS }
            open(MemoryKind.MANAGED) { shared ->
                shared.allocate(64).lend { driver.isHostReadable(it.address).shouldBeFalse() }
            }
            open(MemoryKind.HOST) { host ->
                host.allocate(64).lend { driver.isHostReadable(it.address).shouldBeTrue() }
            }
            driver.close()
        }
    })

/** Runs a test with the runtime of one kind of memory registered, which is then the one for all memory of the device. */
private fun RealSycl.withRegistered(
    kind: MemoryKind,
    body: RealSycl.() -> Unit,
) = open(kind) {
    Devices.register(it)
    body()
}

/** An array in a kind of memory as it comes through a struct: its runtime is unknown, its buffers are addresses. */
private fun RealSycl.imported(
    kind: MemoryKind,
    vararg values: String?,
): DeviceArray = through(open(kind) { strings(it, *values) }, Validation.STRUCTURE)

private fun strings(
    runtime: SyclRuntime,
    vararg values: String?,
): DeviceArray = deviceArray<String>(runtime) { addAll(values.asIterable()) }

private fun through(
    array: DeviceArray,
    validation: Validation,
): DeviceArray =
    CStruct.deviceArray().use { struct ->
        CStruct.schema().use { schema ->
            ArrowExport.exportDeviceArray(array, struct, schema)
            ArrowImport.importDeviceArray(struct, schema, validation)
        }
    }
