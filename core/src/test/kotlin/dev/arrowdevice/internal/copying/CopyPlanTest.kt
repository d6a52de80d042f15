package dev.arrowdevice.internal.copying

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Devices
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe

private const val LENGTH = 10_000L
private val gpu = Device(DeviceType.CUDA, 0)
private val pinned = Device(DeviceType.CUDA_HOST, 0)

/** The runtime of a GPU, as far as plans ask it. */
private class Mover(
    private vararg val reads: Device,
) : DeviceRuntime by Devices.runtime(Device.CPU) {
    override fun getDevice() = gpu

    override fun canAccess(other: Device) = other in reads
}

/** A struct of 80,000 bytes of int64 and 10,000 of int8, in memory of a device that the host reads. */
private fun planning(
    device: Device,
    test: (ArrayData) -> Unit,
) {
    val memory = Devices.runtime(Device.CPU).allocate(LENGTH * Long.SIZE_BYTES)
    try {
        val types = listOf(ArrowType.INT64 to Long.SIZE_BYTES, ArrowType.INT8 to Byte.SIZE_BYTES)
        val columns =
            types.map { (type, width) ->
                val values = DeviceBuffer.ofHostMemory(device, memory.memory(), LENGTH * width, memory.owner)
                ArrayData(type, device, LENGTH, 0, 0, arrayOf(null, values), arrayOf(), null)
            }
        val struct = ArrowType.struct(types.map { (type, _) -> Field.nullable("$type", type) })
        test(ArrayData(struct, device, LENGTH, 0, 0, arrayOf(null), columns.toTypedArray(), null))
    } finally {
        memory.owner.release()
    }
}

/** The planner of a copy decides which bytes the host writes, which are transferred, and where they go. */
class CopyPlanTest :
    FunSpec({
        test(
            "small buffers are written by the host at the start of the allocation, and large pinned buffers are copied behind them",
        ) {
            planning(pinned) { source ->
                val plan = HostPlanner.toDevice(source, Mover(pinned))
                plan.staged().map { it.at to it.byteSize() } shouldBe listOf(0L to LENGTH)
                plan.stagedSize() shouldBe 10_048
                plan.direct().map { it.at() to it.byteSize() } shouldBe listOf(10_048L to 80_000L)
                plan.byteSize() shouldBe 90_048
            }
        }

        test("the host writes all buffers that are not pinned, or that the device can't read") {
            for (device in listOf(Device.CPU, pinned)) {
                planning(device) { source ->
                    val plan = HostPlanner.toDevice(source, if (device.isCpu) Mover(Device.CPU) else Mover())
                    plan.staged().map { it.at to it.byteSize() } shouldBe listOf(0L to 80_000L, 80_000L to LENGTH)
                    plan.direct().shouldBeEmpty()
                    plan.stagedSize() shouldBe plan.byteSize()
                }
            }
        }

        test("the host writes all of a copy to host-writable memory") {
            planning(pinned) { source ->
                val plan = HostPlanner.onHost(source)
                plan.direct().shouldBeEmpty()
                plan.byteSize() shouldBe 90_048
            }
        }

        test("a slice is copied without the rest, from its first value") {
            planning(pinned) { source ->
                val plan = HostPlanner.toDevice(source.slice(1_000, 8_192), Mover(pinned))
                plan.direct().map { it.from() to it.byteSize() } shouldBe listOf(8_000L to 65_536L)
                plan.byteSize() shouldBe 8_192 + 65_536
            }
        }
    })
