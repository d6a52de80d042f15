package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.deviceArray
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.peers.PendingEvent
import dev.arrowdevice.peers.readyAfter
import dev.arrowdevice.spi.Devices
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** The CUDA Array Interface with memory behind it. A test of core covers its sentences about the dictionary alone. */
class CudaArrayInterfaceTest :
    FunSpec({
        fun test(
            name: String,
            block: ForeignMemory.() -> Unit,
        ) = this.test(name) { withShared(managed, test = block) }

        test("an array is imported without a copy, and its owner is closed with our last owner") {
            val address = ints(1, 2, 3)
            cudaInterface(listOf(3), "<i4", address).taken {
                it.type shouldBe ArrowType.INT32
                it.device shouldBe managed
                it.data.buffer(1)!!.address shouldBe address
                it.values() shouldBe listOf(1, 2, 3)
                it.readyEvent shouldBe null
            }
        }

        test("\"It is therefore imperative for a consumer to retain a reference to the object owning the data\"") {
            val owner = ForeignOwner()
            val array = cudaInterface(listOf(3), "<i4", ints(1, 2, 3)).importArray(owner, onManaged)
            val slice = array.slice(1, 1)
            array.close()
            owner.closed shouldBe 0
            slice.values() shouldBe listOf(2)
            slice.close()
            owner.closedInTheEnd() shouldBe 1
        }

        test("\"Obtaining the value of the property of any object has no effect on the lifetime of the object\"") {
            copiedToManaged(deviceArrayOf(1, 2)) {
                val described = CudaArrayInterface.of(it)
                CudaArrayInterface.of(it) shouldBe described
                it.values() shouldBe listOf(1, 2)
                it.close()
                shouldThrow<IllegalStateException> { CudaArrayInterface.of(it) }.message shouldContain "has been closed"
            }
        }

        test("\"The data must be device-accessible\": memory of the CPU is not, either way") {
            deviceArrayOf(1).use {
                shouldThrow<IllegalArgumentException> { CudaArrayInterface.of(it) }.message shouldContain
                    "\"must be device-accessible\""
            }
            cudaInterface(listOf(1), "<i4", ints(1)).refusal(ImportOptions.on(Device.CPU)) shouldContain
                "device-accessible"
        }

        test("the interface has no device, so the caller names one") {
            cudaInterface(listOf(1), "<i4", ints(1)).refusal(ImportOptions.defaults()) shouldContain
                "ImportOptions.on(device)"
        }

        test("\"For zero-size arrays, use 0 here\", and any pointer is taken") {
            copiedToManaged(deviceArrayOf<Int>()) { CudaArrayInterface.of(it).data() shouldBe 0 }
            copiedToManaged(deviceArrayOf(1).let { array -> array.slice(1, 0).also { array.close() } }) {
                CudaArrayInterface.of(it).data() shouldBe 0
            }
            cudaInterface(listOf(0), "<i4", 0).taken { it.values() shouldBe listOf() }
            cudaInterface(listOf(0), "<i4", 4096).taken { it.values() shouldBe listOf() }
            cudaInterface(listOf(2, 0), "<i4", 0).taken { it.values() shouldBe List(2) { listOf<Int>() } }
            cudaInterface(listOf(0, 2), "<i4", 0).taken { it.values() shouldBe listOf() }
        }

        test("an exported array is imported again with the same memory") {
            copiedToManaged(
                deviceArrayOf(1L, 2L, 3L).let { array ->
                    array.slice(1, 2).also { array.close() }
                },
            ) { array ->
                val described = CudaArrayInterface.of(array)
                described.version() shouldBe 3
                described.stream() shouldBe null
                described.strides() shouldBe null
                described.readOnly() shouldBe true
                described.data() shouldBe array.data.buffer(1)!!.address + array.data.offset * 8
                CudaArrayInterface.fromMap(described.toMap()).taken {
                    it.type shouldBe ArrowType.INT64
                    it.values() shouldBe listOf(2L, 3L)
                }
            }
        }

        test("version 2 is written on request, and no other than 2 and 3") {
            copiedToManaged(deviceArrayOf(1)) {
                val map = CudaArrayInterface.of(it, ExportOptions.defaults().cudaVersion(2)).toMap()
                map["version"] shouldBe 2
                map.containsKey("stream") shouldBe false
            }
            shouldThrow<IllegalArgumentException> { ExportOptions.defaults().cudaVersion(1) }
        }

        test("Arrow types and type strings are converted both ways") {
            val types =
                mapOf(
                    ArrowType.INT8 to "|i1",
                    ArrowType.UINT16 to "<u2",
                    ArrowType.FLOAT16 to "<f2",
                    ArrowType.FLOAT64 to "<f8",
                    ArrowType.bool8() to "|b1",
                    ArrowType.timestamp(TimeUnit.MICROSECOND) to "<M8[us]",
                    ArrowType.duration(TimeUnit.SECOND) to "<m8[s]",
                    ArrowType.fixedSizeBinary(5) to "|V5",
                )
            for ((type, typestr) in types) {
                val address = bytes(*IntArray(16))
                cudaInterface(listOf(1), typestr, address).taken { array ->
                    array.type shouldBe type
                    CudaArrayInterface.of(array).typestr() shouldBe typestr
                }
            }
            cudaInterface(listOf(1), "|S3", bytes(1, 2, 3)).taken { it.type shouldBe ArrowType.fixedSizeBinary(3) }
            copiedToManaged(deviceArray(ArrowType.DATE64) { }) {
                CudaArrayInterface.of(it).typestr() shouldBe "<M8[ms]"
            }
        }

        test("types without a counterpart are refused, and the owner closed once") {
            val address = longs(1, 2, 3, 4)
            for (typestr in listOf("<U2", "|O", "<f16", "<M8[D]", "<M8[25s]", "<m8", "|b2", "<i3")) {
                cudaInterface(listOf(1), typestr, address).refusal() shouldContain typestr
            }
            cudaInterface(listOf(0), "|V0", address).refusal() shouldContain "elements of 0 bytes"
            cudaInterface(listOf(1), ">i4", address).refusal() shouldContain "the other byte order"
            cudaInterface(listOf(1), "<t1", address).refusal() shouldContain "bits are read as masks only"
            for (array in listOf(deviceArrayOf("a"), deviceArrayOf(true))) {
                copiedToManaged(array) { shouldThrow<IllegalArgumentException> { CudaArrayInterface.of(it) } }
            }
            copiedToManaged(deviceArray(ArrowType.timestamp(TimeUnit.SECOND, "UTC")) { }) {
                shouldThrow<IllegalArgumentException> { CudaArrayInterface.of(it) }.message shouldContain "time zone"
            }
        }

        test("elements with several fields have no Arrow type, and a descr equal to typestr is accepted") {
            val parts = listOf(listOf("a", "<i4"), listOf("b", "<i4"))
            cudaInterface(listOf(1), "|V8", ints(1, 2), "descr" to parts).refusal() shouldContain "[[a, <i4], [b, <i4]]"
            cudaInterface(
                listOf(2),
                "<i4",
                ints(1, 2),
                "descr" to listOf(listOf("", "<i4")),
            ).taken { it.length shouldBe 2 }
        }

        test("\"the number of bytes to skip to access the next element at each dimension\"") {
            val address = ints(1, 2, 3, 4, 5, 6)
            cudaInterface(listOf(3), "<i4", address, "strides" to listOf(4)).taken {
                it.values() shouldBe
                    listOf(1, 2, 3)
            }
            val gaps = cudaInterface(listOf(3), "<i4", address, "strides" to listOf(8))
            gaps.refusal() shouldContain "dimension 0 has a stride of 8, not 4"
            gaps.taken(onManaged.copying(), true) { it.values() shouldBe listOf(1, 3, 5) }
            val back = cudaInterface(listOf(3), "<i4", address + 20, "strides" to listOf(-4))
            back.refusal() shouldContain "stride of -4"
            back.taken(onManaged.copying(), true) {
                it.device shouldBe managed
                it.values() shouldBe listOf(6, 5, 4)
            }
            cudaInterface(listOf(2), "<i4", address, "strides" to listOf(0)).taken(onManaged.copying(), true) {
                it.values() shouldBe listOf(1, 1)
            }
            cudaInterface(listOf(1), "<i4", address, "strides" to listOf(400)).taken { it.values() shouldBe listOf(1) }
            val rows = cudaInterface(listOf(2, 2), "<i4", address, "strides" to listOf(12, 4))
            rows.refusal() shouldContain "dimension 0 has a stride of 12, not 8"
            rows.taken(onManaged.copying(), true) { it.values() shouldBe listOf(listOf(1, 2), listOf(4, 5)) }
            val odd = cudaInterface(listOf(2), "<i4", bytes(9, 1, 0, 0, 0, 9, 2, 0, 0, 0) + 1, "strides" to listOf(5))
            odd.taken(onManaged.copying(), true) { it.values() shouldBe listOf(1, 2) }
        }

        test("elements of every size are copied") {
            for (size in listOf(1, 2, 3, 4, 8, 16)) {
                val all = List(size * 4) { it.toByte() }
                val address = bytes(*all.map { it.toInt() }.toIntArray())
                val every = cudaInterface(listOf(2), "|V$size", address, "strides" to listOf(2 * size))
                every.taken(onManaged.copying(), true) {
                    it.values() shouldBe listOf(all.take(size), all.drop(2 * size).take(size))
                }
            }
        }

        test("more dimensions become tensors, permuted if the inner ones are in another order") {
            val address = ints(*IntArray(12) { it })
            cudaInterface(listOf(2, 2, 3), "<i4", address, "strides" to listOf(24, 4, 8)).taken {
                it.type shouldBe ArrowType.fixedShapeTensor(ArrowType.INT32, listOf(3, 2), listOf(), listOf(1, 0))
                CudaArrayInterface.of(it).strides() shouldBe listOf(24L, 4L, 8L)
                CudaArrayInterface.of(it).shape() shouldBe listOf(2L, 2L, 3L)
            }
            val columns = cudaInterface(listOf(2, 3), "<i4", address, "strides" to listOf(4, 8))
            columns.refusal() shouldContain "copying()"
            columns.taken(onManaged.copying(), true) { it.values() shouldBe listOf(listOf(0, 2, 4), listOf(1, 3, 5)) }
        }

        test("read-only data is refused for writing, and can be copied") {
            val address = ints(1, 2, 3)
            val face = cudaInterface(listOf(2), "<i4", address, "data" to listOf(address, true))
            face.taken { it.values() shouldBe listOf(1, 2) }
            face.refusal(onManaged.writable()) shouldContain "read-only"
            val gaps = cudaInterface(listOf(2), "<i4", address, "data" to listOf(address, true), "strides" to listOf(8))
            gaps.taken(onManaged.writable().copying(), true) { it.values() shouldBe listOf(1, 3) }
        }

        test("strides that leave the allocation that the caller named") {
            val address = ints(1, 2, 3)
            val bounds = onManaged.copying().within(address, 12)
            cudaInterface(listOf(3), "<i4", address, "strides" to listOf(4)).taken(bounds) { it.length shouldBe 3 }
            cudaInterface(listOf(3), "<i4", address, "strides" to listOf(8)).refusal(bounds) shouldContain
                "leave the allocation"
            cudaInterface(listOf(3), "<i4", address, "strides" to listOf(-4)).refusal(bounds) shouldContain
                "leave the allocation"
            cudaInterface(listOf(4), "<i4", address).refusal(bounds) shouldContain "leave the allocation of 12 bytes"
        }

        test("without a queue an export waits until the data is complete") {
            val event = PendingEvent()
            copiedToManaged(deviceArrayOf(1)) {
                it.share().readyAfter(event).use { pending ->
                    CudaArrayInterface.of(pending)
                }
            }
            event.awaited shouldBe true
        }

        test("a stream that can't be waited for is refused, and the owner closed once") {
            val owner = ForeignOwner()
            val face = cudaInterface(listOf(1), "<i4", ints(1), "version" to 3, "stream" to 1)
            shouldThrow<IllegalStateException> {
                face.importArray(owner, ImportOptions.on(Device(DeviceType.CUDA, 7)))
            }.message shouldContain "no runtime is registered for CUDA:7"
            owner.closedInTheEnd() shouldBe 1
            val known = ImportOptions.on(Device(DeviceType.CUDA, 7)).withoutSynchronization()
            face.taken(known) { it.readyEvent shouldBe null }
        }

        context("\"Because the user of the interface may or may not be in the same context … cuPointerGetAttribute\"") {
            withData(
                nameFn = { it.second },
                null to "is no memory of CUDA_MANAGED:0",
                Device(DeviceType.CUDA, 1) to "is memory of CUDA:1, not of CUDA_MANAGED:0",
            ) { (actual, message) ->
                withShared(managed, { actual }) {
                    cudaInterface(listOf(1), "<i4", ints(1)).refusal() shouldContain
                        message
                }
            }
        }

        context(
            "\"is the pointer a managed memory?\": managed memory may be named by its GPU, pinned memory by any GPU",
        ) {
            withData(
                nameFn = { (named, actual) -> "$actual as $named" },
                Device(DeviceType.CUDA, 0) to managed,
                Device(DeviceType.CUDA, 1) to managed,
                managed to Device(DeviceType.CUDA_MANAGED, 1),
                Device(DeviceType.CUDA_HOST, 0) to Device(DeviceType.CUDA_HOST, 1),
            ) { (named, actual) ->
                withShared(named, { actual }) {
                    cudaInterface(listOf(1), "<i4", ints(1)).taken(ImportOptions.on(named)) { it.device shouldBe named }
                }
            }
        }

        context("pinned memory is not the GPU's own, nor managed") {
            withData(nameFn = { "$it" }, Device(DeviceType.CUDA, 0), managed) { named ->
                withShared(named, { Device(DeviceType.CUDA_HOST, 0) }) {
                    cudaInterface(listOf(1), "<i4", ints(1)).refusal(ImportOptions.on(named)) shouldContain
                        "is memory of CUDA_HOST:0, not of $named"
                }
            }
        }

        test("an owner that fails to close does no harm") {
            cudaInterface(
                listOf(1),
                "<i4",
                ints(1),
            ).importArray({ throw java.io.IOException("gone") }, onManaged).close()
        }

        test("an array of a device without a runtime can be exchanged") {
            val elsewhere = ImportOptions.on(Device(DeviceType.CUDA, 5))
            Devices.find(Device(DeviceType.CUDA, 5)) shouldBe null
            cudaInterface(listOf(2), "<f4", 1L shl 44).taken(elsewhere) { array ->
                array.data.buffer(1)!!.address shouldBe (1L shl 44)
                CudaArrayInterface.of(array).data() shouldBe (1L shl 44)
            }
        }
    })
