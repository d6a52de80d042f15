package dev.arrowdevice.testkit.interfaces

import dev.arrowdevice.abi.CDlpack
import dev.arrowdevice.array.DeviceArray
import dev.arrowdevice.dsl.add
import dev.arrowdevice.dsl.deviceArray
import dev.arrowdevice.dsl.deviceArrayOf
import dev.arrowdevice.exchange.ExchangeCounters
import dev.arrowdevice.exchange.interfaces.ArrayForms
import dev.arrowdevice.exchange.interfaces.DlpackTensor
import dev.arrowdevice.exchange.interfaces.DlpackType
import dev.arrowdevice.exchange.interfaces.ExportOptions
import dev.arrowdevice.exchange.interfaces.ImportOptions
import dev.arrowdevice.exchange.interfaces.InvalidInterfaceException
import dev.arrowdevice.memory.Device
import dev.arrowdevice.memory.DeviceType
import dev.arrowdevice.testkit.CPeer
import dev.arrowdevice.testkit.NativeMemory
import dev.arrowdevice.testkit.PeerBalance
import dev.arrowdevice.testkit.PeerDlpack
import dev.arrowdevice.testkit.PeerTensor
import dev.arrowdevice.testkit.PendingEvent
import dev.arrowdevice.testkit.readyAfter
import dev.arrowdevice.type.ArrowType
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldStartWith
import java.lang.foreign.MemoryLayout.PathElement
import java.lang.foreign.StructLayout

private fun take(
    tensor: PeerTensor,
    options: ImportOptions = ImportOptions.defaults(),
): DeviceArray = import(PeerDlpack.produce(tensor), tensor.versioned(), options)

private fun import(
    address: Long,
    versioned: Boolean,
    options: ImportOptions = ImportOptions.defaults(),
): DeviceArray =
    if (versioned) DlpackTensor.importVersioned(address, options) else DlpackTensor.importLegacy(address, options)

private fun export(
    array: DeviceArray,
    versioned: Boolean = true,
    options: ExportOptions = ExportOptions.defaults().writable(),
): Long = if (versioned) DlpackTensor.exportVersioned(array, options) else DlpackTensor.exportLegacy(array, options)

/** What the C peer sees of an export, after which it calls the deleter. */
private fun seen(
    array: DeviceArray,
    versioned: Boolean = true,
    options: ExportOptions = ExportOptions.defaults().writable(),
): String {
    val address = export(array, versioned, options)
    return PeerDlpack.render(address, versioned).also { PeerDlpack.delete(address, versioned) }
}

/** The refusal of an import; that the deleter was called once, the balance says. */
private fun refusal(
    tensor: PeerTensor,
    options: ImportOptions = ImportOptions.defaults(),
    spoil: (Long) -> Unit = {},
): String =
    shouldThrow<IllegalArgumentException> {
        val address = PeerDlpack.produce(tensor)
        spoil(address)
        import(address, tensor.versioned(), options)
    }.message.orEmpty()

private val VERSIONED_TENSOR = CDlpack.VERSIONED_LAYOUT.byteOffset(PathElement.groupElement("dl_tensor"))

private fun member(name: String) = VERSIONED_TENSOR + CDlpack.TENSOR_LAYOUT.byteOffset(PathElement.groupElement(name))

class DlpackTensorTest :
    FunSpec({
        extension(PeerBalance)

        test("every size and offset is the C compiler's, and no member is missing") {
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

        context("a tensor of C comes in without a copy and is deleted once, with both structs") {
            withData(true, false) { versioned ->
                val address = PeerDlpack.produce(PeerTensor.of(versioned, DlpackType.INT, 32, 4))
                val peek = if (versioned) DlpackTensor.readVersioned(address) else DlpackTensor.readLegacy(address)
                peek.device() shouldBe Device.CPU
                peek.strides() shouldBe listOf(1L)
                val before = ExchangeCounters.now()
                val array = import(address, versioned)
                ExchangeCounters.now().importedArrays() shouldBe before.importedArrays() + 1
                array.type() shouldBe ArrowType.INT32
                array.values() shouldBe listOf(0, 1, 2, 3)
                array.data().buffer(1)!!.address() shouldBe peek.data()
                array.slice(2, 2).use { slice ->
                    array.close()
                    slice.values() shouldBe listOf(2, 3)
                }
                ExchangeCounters.now().unreleasedImports() shouldBe before.unreleasedImports()
            }
        }

        context("every type of the same bytes comes in and goes out again") {
            val types =
                mapOf(
                    ArrowType.INT8 to (DlpackType.INT to 8),
                    ArrowType.INT16 to (DlpackType.INT to 16),
                    ArrowType.INT64 to (DlpackType.INT to 64),
                    ArrowType.UINT8 to (DlpackType.UINT to 8),
                    ArrowType.UINT16 to (DlpackType.UINT to 16),
                    ArrowType.UINT32 to (DlpackType.UINT to 32),
                    ArrowType.UINT64 to (DlpackType.UINT to 64),
                    ArrowType.FLOAT32 to (DlpackType.FLOAT to 32),
                    ArrowType.FLOAT64 to (DlpackType.FLOAT to 64),
                    ArrowType.bool8() to (DlpackType.BOOL to 8),
                )
            withData(nameFn = { it.key.toString() }, types.entries) { (type, code) ->
                val array = take(PeerTensor.of(true, code.first, code.second, 2))
                array.type() shouldBe type
                array.values().map { it.toString().removeSuffix(".0") } shouldBe
                    if (code.first == DlpackType.BOOL) listOf("false", "true") else listOf("0", "1")
                seen(array) shouldBe "flags 0 device 1:0 type ${code.first}.${code.second}.1 [0, 1]"
            }
        }

        test("half floats come in as float16") {
            take(PeerTensor.of(true, DlpackType.FLOAT, 16, 2)).use { it.type() shouldBe ArrowType.FLOAT16 }
        }

        test("a complex number is a list of its parts") {
            take(PeerTensor.of(true, DlpackType.COMPLEX, 64, 2)).use {
                it.type().toString() shouldBe "fixed_size_list<item: float32 not null>[2]"
                it.length() shouldBe 2
            }
        }

        test("more dimensions are tensors") {
            take(PeerTensor.of(true, DlpackType.INT, 32, 2, 3)).use {
                it.type() shouldBe ArrowType.fixedShapeTensor(ArrowType.INT32, listOf(3))
                it.values() shouldBe listOf(listOf(0, 1, 2), listOf(3, 4, 5))
                seen(it.share()) shouldEndWith "[[0, 1, 2], [3, 4, 5]]"
            }
        }

        test("inner dimensions in another order are permuted, without a copy") {
            val address = PeerDlpack.produce(PeerTensor.of(true, DlpackType.INT, 32, 2, 3, 2).strided(12, 0, 6, 1, 3))
            val data = DlpackTensor.readVersioned(address).data()
            DlpackTensor.importVersioned(address, ImportOptions.defaults()).use {
                it.type() shouldBe
                    ArrowType.fixedShapeTensor(ArrowType.INT32, listOf(2, 3), listOf(), listOf(1, 0))
                it
                    .child(0)
                    .data()
                    .buffer(1)!!
                    .address() shouldBe data
                seen(it.share()) shouldEndWith "[[[0, 3], [1, 4], [2, 5]], [[6, 9], [7, 10], [8, 11]]]"
            }
        }

        test("no dimension is an array of one element") {
            val scalar = PeerTensor.of(true, DlpackType.INT, 32)
            take(scalar).use { it.values() shouldBe listOf(0) }
        }

        test("no elements: the pointer may be NULL, both ways") {
            take(PeerTensor.of(true, DlpackType.INT, 32, 0)).use { it.values() shouldBe listOf() }
            take(PeerTensor.of(true, DlpackType.INT, 32, 3, 0)).use { it.values() shouldBe List(3) { listOf<Int>() } }
            val address = export(deviceArrayOf<Int>())
            DlpackTensor.readVersioned(address).data() shouldBe 0
            PeerDlpack.render(address, true) shouldEndWith "[]"
            PeerDlpack.delete(address, true)
        }

        test("NULL strides are C's order, as before 1.2") {
            take(PeerTensor.of(true, DlpackType.INT, 32, 2, 2).withNullStrides()).use {
                it.values() shouldBe listOf(listOf(0, 1), listOf(2, 3))
            }
        }

        test("the byte_offset counts bytes") {
            take(PeerTensor.of(true, DlpackType.INT, 32, 2).strided(4, 6, 1)).use { it.values() shouldBe listOf(0, 1) }
        }

        context("strides that Arrow lacks are copied where that was asked for, and deleted at once") {
            withData(
                nameFn = { it.first },
                Triple("gaps", PeerTensor.of(true, DlpackType.INT, 64, 3).strided(6, 0, 2), listOf<Any>(0L, 2L, 4L)),
                Triple(
                    "none at all",
                    PeerTensor.of(true, DlpackType.INT, 64, 3).strided(1, 0, 0),
                    listOf<Any>(0L, 0L, 0L),
                ),
                Triple(
                    "columns first",
                    PeerTensor.of(false, DlpackType.INT, 64, 2, 2).strided(4, 0, 1, 2),
                    listOf<Any>(listOf(0L, 2L), listOf(1L, 3L)),
                ),
            ) { (_, tensor, values) ->
                refusal(tensor) shouldContain "ImportOptions.copying() allows a copy"
                take(tensor, ImportOptions.defaults().copying()).use {
                    CPeer.load().counters().liveNodes() shouldBe 0
                    it.values() shouldBe values
                }
            }
        }

        test("negative strides go back from the pointer") {
            val tensor = PeerTensor.of(true, DlpackType.INT, 16, 4).strided(4, 6, -1)
            refusal(tensor, spoil = { NativeMemory.putLong(it + member("byte_offset"), 12) }) shouldContain
                "dimension 0 has a stride of -2, not 2"
            val address = PeerDlpack.produce(tensor)
            NativeMemory.putLong(address + member("byte_offset"), 12)
            import(address, true, ImportOptions.defaults().copying()).use {
                it.values() shouldBe listOf<Any>(3, 2, 1, 0).map { value -> (value as Int).toShort() }
            }
        }

        context("every device type crosses by its number") {
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
                val array = take(PeerTensor.of(true, DlpackType.INT, 32, 2).on(type, id))
                array.device() shouldBe if (type == DeviceType.CPU) Device.CPU else Device(type, 3)
                seen(array) shouldStartWith "flags 0 device $type:$id "
            }
        }

        test("an id that 32 bits can't say stays with us") {
            val array = take(PeerTensor.of(true, DlpackType.INT, 32, 2).on(DeviceType.EXT_DEV, 0))
            val far =
                array.move<DeviceArray>("test") { data, owner ->
                    val device = Device(DeviceType.EXT_DEV, 1L shl 40)
                    val type = data.type()
                    DeviceArray.of(
                        dev.arrowdevice.array.ArrayData(
                            type,
                            device,
                            2,
                            0,
                            0,
                            arrayOf(null, data.buffer(1)),
                            arrayOf(),
                            null,
                        ),
                        owner,
                    )
                }
            far.use { shouldThrow<InvalidInterfaceException> { export(it) }.message shouldContain "32 bits" }
        }

        context("what we export is read by C and deleted once, with both structs") {
            withData(true, false) { versioned ->
                val array = deviceArrayOf(1.5f, 2.5f, -3.0f)
                val slice = array.slice(1, 2).also { array.close() }
                val before = ExchangeCounters.now()
                val address = export(slice, versioned)
                slice.isLive() shouldBe false
                ExchangeCounters.now().unreleasedExports() shouldBe before.unreleasedExports() + 1
                PeerDlpack.render(address, versioned) shouldEndWith "device 1:0 type 2.32.1 [2.5, -3]"
                if (versioned) DlpackTensor.deleteVersioned(address) else DlpackTensor.deleteLegacy(address)
                ExchangeCounters.now().unreleasedExports() shouldBe before.unreleasedExports()
            }
        }

        test("what we export we take back") {
            val back = import(export(deviceArrayOf(1, 2, 3)), true)
            back.use { it.values() shouldBe listOf(1, 2, 3) }
        }

        test("lists of fixed size are dimensions, from their own offset on") {
            val type = ArrowType.fixedSizeList(ArrowType.fixedSizeList(ArrowType.INT16, 2), 2)
            val array = deviceArray(type) { repeat(3) { row -> add(listOf(listOf(row, 1), listOf(row, 2))) } }
            val slice = array.slice(1, 2).also { array.close() }
            seen(slice) shouldEndWith "type 0.16.1 [[[1, 1], [1, 2]], [[2, 1], [2, 2]]]"
        }

        test("read-only is said in the versioned struct, and can't be said in the legacy one") {
            val array = deviceArrayOf(1)
            seen(array.share(), true, ExportOptions.defaults()) shouldStartWith "flags 1 "
            seen(array.share(), true) shouldStartWith "flags 0 "
            shouldThrow<InvalidInterfaceException> {
                export(
                    array,
                    false,
                    ExportOptions.defaults(),
                )
            }.message shouldContain
                "can't say that memory is read-only"
            array.use { it.values() shouldBe listOf(1) }
        }

        test("read-only data is not given to a writer, but a copy of it is") {
            val tensor = PeerTensor.of(true, DlpackType.INT, 32, 2).withFlags(DlpackTensor.READ_ONLY)
            take(tensor).use { it.values() shouldBe listOf(0, 1) }
            refusal(tensor, ImportOptions.defaults().writable()) shouldContain "read-only"
            val gaps = tensor.strided(4, 0, 2)
            take(gaps, ImportOptions.defaults().writable().copying()).use { it.values() shouldBe listOf(0, 2) }
        }

        test("other flags are harmless") {
            take(PeerTensor.of(true, DlpackType.INT, 32, 1).withFlags(-2)).use { it.values() shouldBe listOf(0) }
        }

        test("a version from the future: its deleter is called, and nothing else of it is touched") {
            refusal(PeerTensor.of(true, DlpackType.INT, 32, 2)) {
                NativeMemory.putInt(it, 2)
                for (at in VERSIONED_TENSOR until CDlpack.VERSIONED.size() step 8) NativeMemory.putLong(it + at, 1)
            } shouldContain "DLPack version 2.1"
            refusal(PeerTensor.of(true, DlpackType.INT, 32, 2)) { NativeMemory.putInt(it, 0) } shouldContain
                "DLPack version 0.1"
        }

        test("a NULL deleter is not called") {
            val address = PeerDlpack.produce(PeerTensor.of(true, DlpackType.INT, 32, 2))
            val deleter = NativeMemory.getLong(address + 16)
            NativeMemory.putLong(address + 16, 0)
            import(address, true).use { it.values() shouldBe listOf(0, 1) }
            NativeMemory.putLong(address + 16, deleter)
            PeerDlpack.delete(address, true)
        }

        context("bad input is one clear error, and deleted once") {
            fun int(vararg shape: Long) = PeerTensor.of(true, DlpackType.INT, 32, *shape.toTypedArray())
            withData(
                nameFn = { it.first },
                Triple("lanes", int(2).withLanes(4)) { _: Long -> },
                Triple("4 bits", PeerTensor.of(true, DlpackType.INT, 4, 2)) { _: Long -> },
                Triple("128 bits", PeerTensor.of(true, DlpackType.UINT, 128, 2)) { _: Long -> },
                Triple("a handle", PeerTensor.of(true, 3, 64, 2)) { _: Long -> },
                Triple("bfloat", PeerTensor.of(true, 4, 16, 2)) { _: Long -> },
                Triple("float8", PeerTensor.of(true, 10, 8, 2)) { _: Long -> },
                Triple("bool of 1 bit", PeerTensor.of(true, DlpackType.BOOL, 1, 8)) { _: Long -> },
                Triple("ndim -1", int(2)) { it: Long -> NativeMemory.putInt(it + member("ndim"), -1) },
                Triple("ndim 65", int(2)) { it: Long -> NativeMemory.putInt(it + member("ndim"), 65) },
                Triple("shape NULL", int(2)) { it: Long -> NativeMemory.putLong(it + member("shape"), 0) },
                Triple("data NULL", int(2)) { it: Long -> NativeMemory.putLong(it + member("data"), 0) },
                Triple("negative", int(2)) { it: Long ->
                    NativeMemory.putLong(NativeMemory.getLong(it + member("shape")), -2)
                },
                Triple("overflow", int(2, 2)) { it: Long ->
                    NativeMemory.putLong(NativeMemory.getLong(it + member("shape")), Long.MAX_VALUE)
                },
                Triple("strides that overflow", int(2, 2)) { it: Long ->
                    NativeMemory.putLong(NativeMemory.getLong(it + member("strides")), Long.MAX_VALUE)
                },
                Triple("byte_offset", int(2)) { it: Long -> NativeMemory.putLong(it + member("byte_offset"), -1) },
            ) { (name, tensor, spoil) ->
                val message = refusal(tensor, ImportOptions.defaults().copying(), spoil)
                message shouldContain
                    when (name) {
                        "lanes" -> "has 4 lanes"
                        "4 bits", "bool of 1 bit" -> "less than whole bytes"
                        "128 bits", "a handle", "bfloat", "float8" -> "no Arrow type"
                        "ndim -1" -> "ndim is -1"
                        "ndim 65" -> "ndim is 65"
                        "shape NULL" -> "shape is NULL"
                        "data NULL" -> "the data pointer is 0"
                        "negative" -> "negative size"
                        "overflow" -> "more elements"
                        "strides that overflow" -> "overflows"
                        else -> "byte_offset 18446744073709551615"
                    }
            }
        }

        test("an allocation that the caller knows is not left") {
            val address = PeerDlpack.produce(PeerTensor.of(true, DlpackType.INT, 32, 4))
            val data = DlpackTensor.readVersioned(address).data()
            val message =
                shouldThrow<InvalidInterfaceException> {
                    import(address, true, ImportOptions.defaults().within(data, 15))
                }.message
            message shouldContain "leave the allocation of 15 bytes"
            val fits = PeerDlpack.produce(PeerTensor.of(true, DlpackType.INT, 32, 4))
            val start = DlpackTensor.readVersioned(fits).data()
            import(fits, true, ImportOptions.defaults().within(start, 16)).close()
        }

        test("a tensor of another device than the caller expects") {
            refusal(
                PeerTensor.of(true, DlpackType.INT, 32, 4).on(DeviceType.CUDA, 1),
                ImportOptions.on(Device(DeviceType.CUDA, 0)),
            ) shouldContain "the tensor lies on CUDA:1, not on CUDA:0"
        }

        context("what has no counterpart stays with us") {
            withData(
                nameFn = { it.first },
                Triple("bool", { deviceArrayOf(true, false) }, "ArrayForms.bool8(array)"),
                Triple("text", { deviceArrayOf("a") }, "no type of the same bytes"),
                Triple("nulls", { deviceArrayOf(1, null) }, "1 elements are null"),
                Triple("timestamps", {
                    deviceArray(ArrowType.timestamp(dev.arrowdevice.type.TimeUnit.SECOND)) { add(1L as Any) }
                }, "no type of the same bytes"),
            ) { (_, make, message) ->
                make().use { array ->
                    for (versioned in listOf(true, false)) {
                        shouldThrow<InvalidInterfaceException> { export(array, versioned) }.message shouldContain
                            message
                    }
                    array.isLive() shouldBe true
                }
            }
        }

        test("booleans cross in bytes") {
            val bytes = deviceArrayOf(true, false, true).use { ArrayForms.bool8(it) }
            seen(bytes) shouldEndWith "type 6.8.1 [1, 0, 1]"
        }

        test("without a stream the export waits until the data is there") {
            val event = PendingEvent()
            seen(deviceArrayOf(1).readyAfter(event))
            event.awaited shouldBe true
        }

        test("the CPU has no streams") {
            deviceArrayOf(1).use {
                seen(it.share(), options = ExportOptions.defaults().stream(null))
                shouldThrow<InvalidInterfaceException> { export(it, true, ExportOptions.defaults().stream(1)) }
                    .message shouldContain "stream 1 for memory of the CPU"
            }
        }

        test("NULL is no address, and masks are of another interface") {
            shouldThrow<IllegalArgumentException> { import(0, true) }.message shouldContain "NULL"
            deviceArrayOf(1).use {
                shouldThrow<IllegalArgumentException> { export(it, true, ExportOptions.defaults().bitMask()) }
            }
        }

        test("a closed array is not exported") {
            val array = deviceArrayOf(1).also { it.close() }
            shouldThrow<IllegalStateException> { export(array) }.message shouldContain "closed or moved"
        }
    })
