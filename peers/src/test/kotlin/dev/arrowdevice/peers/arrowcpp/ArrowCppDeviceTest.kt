package dev.arrowdevice.peers.arrowcpp

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.UnreadableDeviceException
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.RebuiltArrays
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.BufferKind
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.OwnedArrays
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.property.RandomSource
import java.lang.foreign.Arena
import java.lang.foreign.ValueLayout

/**
 * Device arrays and streams. Arrow C++ is configured to take memory of an extension device for host memory. So it can
 * exchange arrays on a device other than the CPU, and still read them.
 */
class ArrowCppDeviceTest :
    FunSpec({
        val loaded = ArrowCpp.whyUnavailable() == null

        beforeSpec { if (loaded) CppDevice.registerAsHostMemory(DeviceType.EXT_DEV) }

        test("reserved bytes are exported as zeros and ignored at import").config(enabled = loaded) {
            balanced {
                Arena.ofConfined().use { arena ->
                    val struct = arena.allocate(DEVICE_ARRAY_SIZE, 8).fill(GARBAGE)
                    CppArrays.fromJson(TypeSpec.of("i"), "[1, null]").use { array ->
                        CStruct.schema().use { schema ->
                            array.exportDeviceTo(struct.address(), schema.address)
                            struct.get(ValueLayout.JAVA_BYTE, RESERVED) shouldBe GARBAGE
                            val target = CStruct.deviceArrayAt(struct.address())
                            ArrowImport.importDeviceArray(target, schema, Validation.FULL).use {
                                valuesOf(it) shouldBe listOf(1, null)
                                struct.fill(GARBAGE)
                                ArrowExport.exportDeviceArray(it, CStruct.deviceArrayAt(struct.address()), schema)
                            }
                            struct.get(ValueLayout.JAVA_INT, DEVICE_TYPE) shouldBe DeviceType.CPU
                            struct.get(ValueLayout.JAVA_LONG, DEVICE_ID) shouldBe -1
                            struct.get(ValueLayout.JAVA_LONG, SYNC_EVENT) shouldBe 0
                            struct.asSlice(RESERVED).toArray(ValueLayout.JAVA_BYTE).toSet() shouldBe setOf<Byte>(0)
                            CppArray.importDeviceFrom(struct.address(), schema.address).use {
                                it.validateFull().sameAs(array) shouldBe true
                            }
                        }
                    }
                }
            }
        }

        test("C++ refuses a device that it doesn't know, and does not take the array").config(enabled = loaded) {
            balanced {
                val array =
                    CppSamples.all
                        .first()
                        .make()
                        .use { it.toJvm() }
                        .use { it.on(Device(DeviceType.VPI, 3)) }
                CStruct.deviceArray().use { struct ->
                    CStruct.schema().use { schema ->
                        ArrowExport.exportDeviceArray(array, struct, schema)
                        val thrown =
                            shouldThrow<CppException> { CppArray.importDeviceFrom(struct.address, schema.address) }
                        thrown.message shouldContain "Device type ${DeviceType.VPI}"
                        struct.isLive shouldBe true
                    }
                }
            }
        }

        test("an array on a device is not exported through the plain interface").config(enabled = loaded) {
            balanced {
                CppSamples.all.first().make().use { it.toJvm() }.use { it.on(EXT_DEV) }.use { array ->
                    shouldThrow<IllegalArgumentException> { array.toCpp(Interface.PLAIN) }.message shouldContain
                        "EXT_DEV"
                }
            }
        }

        context("an array on another device keeps it through C++") {
            CppSamples.all.forEach { sample ->
                test(sample.name).config(enabled = loaded) {
                    balanced {
                        withRuntime {
                            sample.make().use { built ->
                                val onDevice = built.toJvm().use { it.on(EXT_DEV) }
                                onDevice.use { it.toCpp(Interface.DEVICE) }.use { inCpp ->
                                    inCpp.validateFull().sameAs(built) shouldBe true
                                    inCpp.toJvm(Interface.DEVICE).use { back ->
                                        back.device shouldBe deviceOf(back)
                                        valuesOf(back) shouldBe sample.values
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }

        test("memory of a device without a runtime is not read").config(enabled = loaded) {
            balanced {
                val shapes = BatchShape.arb().samples(RandomSource.seeded(SEED)).map { it.value }
                shapes.filter { it.rowCount > 0 && !isBeyondCpp(it.schema) }.take(SHAPES).forEach { shape ->
                    val onDevice = shape.build().batch.use { it.on(EXT_DEV) }
                    onDevice.use { it.toCpp(Interface.DEVICE) }.use { inCpp ->
                        inCpp.toJvm(Interface.DEVICE).use { back ->
                            back.schema shouldBe keptByCpp(shape.schema)
                            back.rowCount shouldBe shape.rowCount.toLong()
                            if (back.device == EXT_DEV) {
                                for (i in 0 until back.columnCount) untouched(back, i)
                            }
                        }
                    }
                }
            }
        }

        test("a device stream keeps its device through C++").config(enabled = loaded) {
            balanced {
                withRuntime {
                    val shapes = BatchShape.arb().samples(RandomSource.seeded(SEED)).map { it.value }
                    val streamable = shapes.filter { it.columnSeeds.isNotEmpty() && !isBeyondCpp(it.schema) }
                    streamable.take(SHAPES).forEach { shape -> withClue(shape) { streamed(shape) } }
                }
            }
        }
    })

private const val DEVICE_ARRAY_SIZE = 128L
private const val DEVICE_ID = 80L
private const val DEVICE_TYPE = 88L
private const val SYNC_EVENT = 96L
private const val RESERVED = 104L
private const val GARBAGE: Byte = -85
private const val SEED = 42L
private const val SHAPES = 300

/** The id is that of the CPU, to whose memory manager C++ maps the device. */
private val EXT_DEV = Device(DeviceType.EXT_DEV, -1)

private fun streamed(shape: BatchShape) {
    val made = shape.build()
    val data = made.batch.asStruct().data
    // C++ reports a batch without any buffer as on the CPU, which is a mistake in a stream of another device.
    if (lacksOffsets(data) || !anyBuffers(data)) return made.batch.close()
    val batches = made.batch.use { batch -> List(2) { batch.on(EXT_DEV) } }
    val deviceType = batches[0].device.type
    DeviceArrayStream.of(shape.schema, batches).toCpp(Interface.DEVICE).use { reader ->
        // C++ exports a stream with the device type that it came with.
        reader.toJvm(Interface.DEVICE).use { stream ->
            stream.deviceType shouldBe deviceType
            repeat(2) {
                stream.nextBatch()!!.use { batch ->
                    made.values.forEachIndexed { i, column -> valuesOf(batch.column(i)) shouldBe column }
                }
            }
            stream.nextBatch().shouldBeNull()
        }
    }
}

/**
 * Whether an empty array of strings or bytes has no offsets. On the CPU the export puts a zero there; of a device, whose
 * memory it doesn't write, it sends NULL, which C++ refuses.
 */
private fun lacksOffsets(data: ArrayData): Boolean {
    val kinds = data.type.layout().buffers()
    val offsets = kinds.indexOfFirst { it == BufferKind.OFFSETS32 || it == BufferKind.OFFSETS64 }
    return (offsets > 0 && data.buffer(offsets) == null) ||
        (0 until data.childCount).any { lacksOffsets(data.child(it)) } ||
        data.dictionary?.let { lacksOffsets(it) } == true
}

private fun untouched(
    batch: RecordBatch,
    column: Int,
) {
    val values = batch.column(column)
    if (hasBuffers(values.data)) shouldThrow<UnreadableDeviceException> { valuesOf(values) }
}

private fun hasBuffers(data: ArrayData): Boolean = (0 until data.bufferCount).any { data.buffer(it) != null }

/** An array without a buffer is on no device; C++ says that it is on the CPU then. */
private fun deviceOf(array: DeviceArray): Device = if (anyBuffers(array.data)) EXT_DEV else Device.CPU

private fun anyBuffers(data: ArrayData): Boolean =
    hasBuffers(data) || (0 until data.childCount).any { anyBuffers(data.child(it)) }

/** One more owner of the same memory, which passes for memory of that device. */
private fun DeviceArray.on(device: Device): DeviceArray =
    RebuiltArrays.of(share()) { data, owner -> OwnedArrays.of(data.on(device), owner) }

private fun RecordBatch.on(device: Device): RecordBatch =
    share().intoStruct().use { struct -> RecordBatch.ofStruct(schema, struct.on(device)) }

private fun ArrayData.on(device: Device): ArrayData =
    ArrayData(
        type,
        device,
        length,
        offset,
        nullCount,
        Array(bufferCount) { i ->
            buffer(i)?.let {
                DeviceBuffer.ofAddress(device, it.address, it.byteSize, it.owner)
            }
        },
        Array(childCount) { child(it).on(device) },
        dictionary?.on(device),
    )

/** Meanwhile the host may read memory of the device. */
private fun withRuntime(body: () -> Unit) {
    val runtime =
        object : DeviceRuntime by CpuRuntime.INSTANCE {
            override fun getDevice() = EXT_DEV
        }
    Devices.register(runtime)
    try {
        body()
    } finally {
        Devices.unregister(runtime)
    }
}
