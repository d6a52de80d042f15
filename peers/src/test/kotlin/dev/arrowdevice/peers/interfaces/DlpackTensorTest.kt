package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.add
import dev.arrowdevice.deviceArray
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.internal.abi.CDlpack
import dev.arrowdevice.interop.DlpackStruct
import dev.arrowdevice.interop.DlpackTensor
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.peers.PeerBalance
import dev.arrowdevice.peers.PeerDlpack
import dev.arrowdevice.peers.PeerTensor
import dev.arrowdevice.peers.PendingEvent
import dev.arrowdevice.peers.RebuiltArrays
import dev.arrowdevice.peers.readyAfter
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.spi.OwnedArrays
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import java.lang.foreign.MemoryLayout.PathElement
import java.lang.foreign.StructLayout

/** An array on a device with this id. */
private fun onDevice(id: Long): DeviceArray =
    RebuiltArrays.of(
        takeTensor(PeerTensor.of(true, DlpackTensor.INT, 32, 2).on(DeviceType.EXT_DEV, 0)),
    ) { data, owner ->
        val buffers = arrayOf(null, data.buffer(1))
        OwnedArrays.of(
            ArrayData(data.type, Device(DeviceType.EXT_DEV, id), 2, 0, 0, buffers, arrayOf(), null),
            owner,
        )
    }

/** DLPack with the C peer: what crosses, and how. */
class DlpackTensorTest :
    FunSpec({
        extension(PeerBalance)

        test("sizes and offsets of all members are those of the C compiler") {
            fun lines(struct: StructLayout): List<String> {
                val name = struct.name().get()
                return listOf("$name ${struct.byteSize()}") +
                    struct.memberLayouts().map { it.name().get() }.map {
                        "$name.$it ${struct.byteOffset(PathElement.groupElement(it))}"
                    }
            }
            CPeer.load()
            listOf(CDlpack.TENSOR_LAYOUT, CDlpack.LEGACY_LAYOUT, CDlpack.VERSIONED_LAYOUT)
                .flatMap(::lines)
                .joinToString("\n", postfix = "\n") shouldBe PeerDlpack.layout()
        }

        context("a tensor of C is imported without a copy and deleted once, with both structs") {
            withData(true, false) { versioned ->
                val address = PeerDlpack.produce(PeerTensor.of(versioned, DlpackTensor.INT, 32, 4))
                val peek = DlpackTensor.read(structAt(address, versioned))
                peek.device() shouldBe Device.CPU
                peek.strides() shouldBe listOf(1L)
                val before = ArrowCounters.now()
                val array = importTensor(address, versioned)
                ArrowCounters.now().importedArrays() shouldBe before.importedArrays() + 1
                array.type shouldBe ArrowType.INT32
                array.values() shouldBe listOf(0, 1, 2, 3)
                array.data.buffer(1)!!.address shouldBe peek.data()
                array.slice(2, 2).use { slice ->
                    array.close()
                    slice.values() shouldBe listOf(2, 3)
                }
                ArrowCounters.now().unreleasedImports() shouldBe before.unreleasedImports()
            }
        }

        context("every type with the same bytes is imported and exported") {
            val types =
                mapOf(
                    ArrowType.INT8 to (DlpackTensor.INT to 8),
                    ArrowType.INT16 to (DlpackTensor.INT to 16),
                    ArrowType.INT64 to (DlpackTensor.INT to 64),
                    ArrowType.UINT8 to (DlpackTensor.UINT to 8),
                    ArrowType.UINT16 to (DlpackTensor.UINT to 16),
                    ArrowType.UINT32 to (DlpackTensor.UINT to 32),
                    ArrowType.UINT64 to (DlpackTensor.UINT to 64),
                    ArrowType.FLOAT32 to (DlpackTensor.FLOAT to 32),
                    ArrowType.FLOAT64 to (DlpackTensor.FLOAT to 64),
                    ArrowType.bool8() to (DlpackTensor.BOOL to 8),
                )
            withData(nameFn = { it.key.toString() }, types.entries) { (type, code) ->
                val array = takeTensor(PeerTensor.of(true, code.first, code.second, 2))
                array.type shouldBe type
                array.values().map { it.toString().removeSuffix(".0") } shouldBe
                    if (code.first == DlpackTensor.BOOL) listOf("false", "true") else listOf("0", "1")
                seenByC(array) shouldBe "flags 0 device 1:0 type ${code.first}.${code.second}.1 [0, 1]"
            }
        }

        test("half floats are imported as float16") {
            takeTensor(PeerTensor.of(true, DlpackTensor.FLOAT, 16, 2)).use { it.type shouldBe ArrowType.FLOAT16 }
        }

        test("a complex number becomes a list of its parts") {
            takeTensor(PeerTensor.of(true, DlpackTensor.COMPLEX, 64, 2)).use {
                it.type.toString() shouldBe "fixed_size_list<item: float32 not null>[2]"
                it.length shouldBe 2
            }
        }

        test("more dimensions become tensors") {
            takeTensor(PeerTensor.of(true, DlpackTensor.INT, 32, 2, 3)).use {
                it.type shouldBe ArrowType.fixedShapeTensor(ArrowType.INT32, listOf(3))
                it.values() shouldBe listOf(listOf(0, 1, 2), listOf(3, 4, 5))
                seenByC(it.share()) shouldEndWith "[[0, 1, 2], [3, 4, 5]]"
            }
        }

        test("inner dimensions in another order become a permutation, without a copy") {
            val address = PeerDlpack.produce(PeerTensor.of(true, DlpackTensor.INT, 32, 2, 3, 2).strided(12, 0, 6, 1, 3))
            val data = DlpackTensor.read(DlpackStruct.versioned(address)).data()
            DlpackTensor.importArray(DlpackStruct.versioned(address), ImportOptions.defaults()).use {
                it.type shouldBe
                    ArrowType.fixedShapeTensor(ArrowType.INT32, listOf(2, 3), listOf(), listOf(1, 0))
                it
                    .child(0)
                    .data
                    .buffer(1)!!
                    .address shouldBe data
                seenByC(it.share()) shouldEndWith "[[[0, 3], [1, 4], [2, 5]], [[6, 9], [7, 10], [8, 11]]]"
            }
        }

        test("a tensor without dimensions becomes an array of one element") {
            val scalar = PeerTensor.of(true, DlpackTensor.INT, 32)
            takeTensor(scalar).use { it.values() shouldBe listOf(0) }
        }

        test("without elements the pointer may be NULL, both ways") {
            takeTensor(PeerTensor.of(true, DlpackTensor.INT, 32, 0)).use { it.values() shouldBe listOf() }
            takeTensor(PeerTensor.of(true, DlpackTensor.INT, 32, 3, 0)).use {
                it.values() shouldBe
                    List(3) { listOf<Int>() }
            }
            val address = exportTensor(deviceArrayOf<Int>())
            DlpackTensor.read(DlpackStruct.versioned(address)).data() shouldBe 0
            PeerDlpack.render(address, true) shouldEndWith "[]"
            PeerDlpack.delete(address, true)
        }

        test("NULL strides mean C order, as before 1.2, in both structs") {
            for (versioned in listOf(true, false)) {
                takeTensor(PeerTensor.of(versioned, DlpackTensor.INT, 32, 2, 2).withNullStrides()).use {
                    it.values() shouldBe listOf(listOf(0, 1), listOf(2, 3))
                }
            }
        }

        test("the byte_offset counts bytes") {
            takeTensor(PeerTensor.of(true, DlpackTensor.INT, 32, 2).strided(4, 6, 1)).use {
                it.values() shouldBe
                    listOf(0, 1)
            }
        }

        context("a tensor with strides that Arrow lacks is copied on request, and deleted at once") {
            withData(
                nameFn = { it.first },
                Triple("gaps", PeerTensor.of(true, DlpackTensor.INT, 64, 3).strided(6, 0, 2), listOf<Any>(0L, 2L, 4L)),
                Triple(
                    "none at all",
                    PeerTensor.of(true, DlpackTensor.INT, 64, 3).strided(1, 0, 0),
                    listOf<Any>(0L, 0L, 0L),
                ),
                Triple(
                    "columns first",
                    PeerTensor.of(false, DlpackTensor.INT, 64, 2, 2).strided(4, 0, 1, 2),
                    listOf<Any>(listOf(0L, 2L), listOf(1L, 3L)),
                ),
            ) { (_, tensor, values) ->
                tensorRefusal(tensor) shouldContain "ImportOptions.copying() allows a copy"
                takeTensor(tensor, ImportOptions.defaults().copying()).use {
                    CPeer.load().counters().liveNodes() shouldBe 0
                    it.values() shouldBe values
                }
            }
        }

        test("negative strides address memory before the pointer") {
            val tensor = PeerTensor.of(true, DlpackTensor.INT, 16, 4).strided(4, 6, -1)
            tensorRefusal(tensor, spoil = { NativeMemory.putLong(it + tensorMember("byte_offset"), 12) }) shouldContain
                "dimension 0 has a stride of -2, not 2"
            val address = PeerDlpack.produce(tensor)
            NativeMemory.putLong(address + tensorMember("byte_offset"), 12)
            importTensor(address, true, ImportOptions.defaults().copying()).use {
                it.values() shouldBe listOf<Any>(3, 2, 1, 0).map { value -> (value as Int).toShort() }
            }
        }

        context("every device type keeps its number") {
            withData(
                DeviceType.CPU,
                DeviceType.CUDA,
                DeviceType.CUDA_HOST,
                DeviceType.OPENCL,
                DeviceType.VULKAN,
                DeviceType.METAL,
                DeviceType.VPI,
                DeviceType.ROCM,
                DeviceType.ROCM_HOST,
                DeviceType.EXT_DEV,
                DeviceType.CUDA_MANAGED,
                DeviceType.ONEAPI,
                DeviceType.WEBGPU,
                DeviceType.HEXAGON,
                17,
                18,
            ) { type ->
                val id = if (type == DeviceType.CPU) 0 else 3
                val array = takeTensor(PeerTensor.of(true, DlpackTensor.INT, 32, 2).on(type, id))
                array.device shouldBe if (type == DeviceType.CPU) Device.CPU else Device(type, 3)
                seenByC(array) shouldStartWith "flags 0 device $type:$id "
            }
        }

        test("an array with a device id of more than 32 bits is refused and stays live") {
            onDevice(1L shl 40).use {
                shouldThrow<IllegalArgumentException> { exportTensor(it) }.message shouldContain "32 bits"
            }
        }

        test("Arrow's id -1 becomes 0, as for the CPU") {
            seenByC(onDevice(-1)) shouldStartWith "flags 0 device ${DeviceType.EXT_DEV}:0 "
        }

        context("an exported tensor is read by C and deleted once, with both structs") {
            withData(true, false) { versioned ->
                val array = deviceArrayOf(1.5f, 2.5f, -3.0f)
                val slice = array.slice(1, 2).also { array.close() }
                val before = ArrowCounters.now()
                val address = exportTensor(slice, versioned)
                slice.isLive() shouldBe false
                ArrowCounters.now().unreleasedExports() shouldBe before.unreleasedExports() + 1
                PeerDlpack.render(address, versioned) shouldEndWith "device 1:0 type 2.32.1 [2.5, -3]"
                structAt(address, versioned).delete()
                ArrowCounters.now().unreleasedExports() shouldBe before.unreleasedExports()
            }
        }

        test("an exported tensor can be imported again") {
            val back = importTensor(exportTensor(deviceArrayOf(1, 2, 3)), true)
            back.use { it.values() shouldBe listOf(1, 2, 3) }
        }

        test("fixed-size lists become dimensions, from their own offset on") {
            val type = ArrowType.fixedSizeList(ArrowType.fixedSizeList(ArrowType.INT16, 2), 2)
            val array = deviceArray(type) { repeat(3) { row -> add(listOf(listOf(row, 1), listOf(row, 2))) } }
            val slice = array.slice(1, 2).also { array.close() }
            seenByC(slice) shouldEndWith "type 0.16.1 [[[1, 1], [1, 2]], [[2, 1], [2, 2]]]"
        }

        test("read-only is a flag of the versioned struct, and can't be expressed in the legacy one") {
            val array = deviceArrayOf(1)
            seenByC(array.share(), true, ExportOptions.defaults()) shouldStartWith "flags 1 "
            seenByC(array.share(), true) shouldStartWith "flags 0 "
            shouldThrow<IllegalArgumentException> {
                exportTensor(
                    array,
                    false,
                    ExportOptions.defaults(),
                )
            }.message shouldContain
                "can't say that memory is read-only"
            array.use { it.values() shouldBe listOf(1) }
        }

        test("booleans are exchanged as bytes") {
            val bytes = deviceArrayOf(true, false, true).use { it.toBool8() }
            seenByC(bytes) shouldEndWith "type 6.8.1 [1, 0, 1]"
        }

        test("without a stream the export waits until the data is complete") {
            val event = PendingEvent()
            seenByC(deviceArrayOf(1).readyAfter(event))
            event.awaited shouldBe true
        }

        test("the CPU has no streams") {
            deviceArrayOf(1).use {
                seenByC(it.share(), options = ExportOptions.defaults().stream(null))
                shouldThrow<IllegalArgumentException> { exportTensor(it, true, ExportOptions.defaults().stream(1)) }
                    .message shouldContain "stream 1 for memory of the CPU"
            }
        }
    })
