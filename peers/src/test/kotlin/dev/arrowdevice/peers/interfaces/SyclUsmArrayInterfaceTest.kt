package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.UnreadableDeviceException
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.interop.SyclObject
import dev.arrowdevice.interop.SyclUsmArrayInterface
import dev.arrowdevice.peers.PendingEvent
import dev.arrowdevice.peers.readyAfter
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.SyclContexts
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

private val shared = Device(DeviceType.ONEAPI, 0)
private val options = ImportOptions.on(shared)
private val queue = SyclObject.queue(4096)

private fun face(
    shape: List<Int>,
    typestr: String,
    address: Long,
    vararg more: Pair<String, Any?>,
) = SyclUsmArrayInterface.fromMap(
    mapOf(
        "shape" to shape,
        "typestr" to typestr,
        "data" to listOf(address, false),
        "version" to 1,
        "syclobj" to "cpu",
    ) + more,
)

/**
 * The SYCL USM Array Interface with memory behind it. A test of core covers its sentences about the dictionary alone.
 */
class SyclUsmArrayInterfaceTest :
    FunSpec({
        test("an array is imported without a copy, and its owner is closed once") {
            withShared(shared) {
                val address = floats(1f, 2f)
                val owner = ForeignOwner()
                face(listOf(2), "<f4", address).importArray(owner, options).use {
                    it.type shouldBe ArrowType.FLOAT32
                    it.device shouldBe shared
                    it.data.buffer(1)!!.address shouldBe address
                    it.values() shouldBe listOf(1f, 2f)
                    owner.closed shouldBe 0
                }
                owner.closedInTheEnd() shouldBe 1
            }
        }

        test("offset and strides count elements, not bytes") {
            withShared(shared) {
                val address = ints(0, 1, 2, 3, 4, 5, 6, 7)
                face(listOf(3), "<i4", address, "offset" to 2).importArray({}, options).use {
                    it.values() shouldBe listOf(2, 3, 4)
                }
                val gaps = face(listOf(2, 2), "<i4", address, "offset" to 1, "strides" to listOf(3, 2))
                val owner = ForeignOwner()
                shouldThrow<IllegalArgumentException> { gaps.importArray(owner, options) }.message shouldContain
                    "strides of [12, 8] bytes"
                owner.closedInTheEnd() shouldBe 1
                gaps.importArray({}, options.copying()).use { it.values() shouldBe listOf(listOf(1, 3), listOf(4, 6)) }
                face(listOf(2), "<i4", address, "offset" to 7, "strides" to listOf(-7))
                    .importArray({}, options.copying())
                    .use { it.values() shouldBe listOf(7, 0) }
            }
        }

        test("an exported array is imported again with the same memory") {
            withShared(shared) {
                deviceArrayOf(1, 2, 3).use { it.copyTo(shared) }.use { whole ->
                    whole.slice(1, 2).use { array ->
                        val described = SyclUsmArrayInterface.of(array, queue, ExportOptions.defaults())
                        described.data() shouldBe array.data.buffer(1)!!.address + 4
                        described.readOnly() shouldBe true
                        described.syclobj() shouldBe queue
                        SyclUsmArrayInterface.fromMap(described.toMap()).importArray({}, options).use {
                            it.values() shouldBe listOf(2, 3)
                        }
                    }
                    val writable = SyclUsmArrayInterface.of(whole, queue, ExportOptions.defaults().writable())
                    writable.readOnly() shouldBe false
                }
            }
        }

        test("tensors are exported with strides in elements") {
            withShared(shared) {
                val address = ints(*IntArray(12) { it })
                face(listOf(2, 2, 3), "<i4", address, "strides" to listOf(6, 1, 2)).importArray({}, options).use {
                    it.type shouldBe ArrowType.fixedShapeTensor(ArrowType.INT32, listOf(3, 2), listOf(), listOf(1, 0))
                    SyclUsmArrayInterface.of(it, queue, ExportOptions.defaults()).strides() shouldBe listOf(6L, 1L, 2L)
                }
            }
        }

        test("the exporter waits for pending work, because the interface has no event") {
            withShared(shared) {
                val event = PendingEvent()
                deviceArrayOf(1).use { it.copyTo(shared) }.readyAfter(event).use {
                    SyclUsmArrayInterface.of(it, queue, ExportOptions.defaults())
                }
                event.awaited shouldBe true
            }
        }

        test(
            "a memory object of dpctl, which always reports read-only, can be imported for writing if it is read as one",
        ) {
            withShared(shared) {
                val map = face(listOf(4), "|u1", bytes(1, 2, 3, 4)).toMap()
                val dpctl = map + ("data" to listOf((map.getValue("data") as List<*>)[0], true))
                shouldThrow<IllegalArgumentException> {
                    SyclUsmArrayInterface.fromMap(dpctl).importArray({}, options.writable())
                }.message shouldContain "read-only"
                SyclUsmArrayInterface
                    .fromMapOfDpctl(dpctl)
                    .importArray({}, options.writable())
                    .close()
            }
        }

        test(
            "\"within a SYCL context\", \"\"host\", \"device\", \"shared\", or \"unknown\"\": an unknown pointer is refused",
        ) {
            withShared(shared, { null }) {
                val owner = ForeignOwner()
                shouldThrow<IllegalArgumentException> {
                    face(listOf(1), "<i4", ints(1)).importArray(owner, options)
                }.message shouldContain "is no memory of ONEAPI:0"
                owner.closedInTheEnd() shouldBe 1
            }
        }

        test(
            "\"Host applications … can work with USM pointers of type host and shared as if they were ordinary host pointers\"",
        ) {
            withShared(shared) {
                face(listOf(1), "<i4", ints(7)).importArray({}, options).use { it.values() shouldBe listOf(7) }
            }
        }

        test("\"Accessing device USM pointers by host applications is not allowed\"") {
            face(listOf(1), "<i4", 1L shl 40).importArray({}, ImportOptions.on(Device(DeviceType.ONEAPI, 9))).use {
                shouldThrow<UnreadableDeviceException> { it.getInt(0) }
            }
        }

        test("elements outside of the data's buffer are refused") {
            withShared(shared) {
                val address = ints(1, 2)
                val face = face(listOf(2), "<i4", address)

                fun import(vararg sizes: Long) =
                    face.importArray({}, sizes.fold(options) { all, size -> all.within(address, size) })
                import(8).use { it.values() shouldBe listOf(1, 2) }
                import(9, 8).close()
                for (sizes in listOf(longArrayOf(7), longArrayOf(7, 9), longArrayOf(9, 7))) {
                    shouldThrow<IllegalArgumentException> { import(*sizes) }.message shouldContain
                        "leave the allocation of 7 bytes"
                }
            }
        }

        test("USM of SYCL is refused as memory of CUDA, at export and import") {
            withShared(shared) {
                deviceArrayOf(1).use { it.copyTo(shared) }.use {
                    shouldThrow<IllegalArgumentException> { CudaArrayInterface.of(it) }.message shouldContain
                        "lies on ONEAPI:0, which is no device of CUDA or HIP, nor an EXT_DEV"
                }
                cudaInterface(listOf(1), "<i4", ints(1), "version" to 3, "stream" to 1).refusal(options) shouldContain
                    "no device of CUDA or HIP"
            }
        }

        test("an array that the interface can't express is refused and stays live") {
            withShared(shared) {
                for (array in listOf(deviceArrayOf("a"), deviceArrayOf(1, null), deviceArrayOf(true))) {
                    array.use { it.copyTo(shared) }.use {
                        shouldThrow<IllegalArgumentException> {
                            SyclUsmArrayInterface.of(it, queue, ExportOptions.defaults())
                        }
                        it.isLive() shouldBe true
                    }
                }
                deviceArrayOf(1).use {
                    shouldThrow<IllegalArgumentException> {
                        SyclUsmArrayInterface.of(it, queue, ExportOptions.defaults())
                    }.message shouldContain "not in USM of SYCL"
                }
                deviceArrayOf(1).use { it.copyTo(shared) }.use {
                    shouldThrow<IllegalArgumentException> {
                        SyclUsmArrayInterface.of(it, queue, ExportOptions.defaults().bitMask())
                    }
                    it.close()
                    shouldThrow<IllegalStateException> { SyclUsmArrayInterface.of(it, queue, ExportOptions.defaults()) }
                }
            }
        }

        test("elements outside of the allocation that the caller named are refused, and the owner closed once") {
            withShared(shared) {
                val address = ints(1, 2, 3)
                val bounds = options.copying().within(address, 12)
                val outside =
                    listOf(
                        face(listOf(4), "<i4", address),
                        face(listOf(3), "<i4", address, "strides" to listOf(2)),
                        face(listOf(3), "<i4", address, "strides" to listOf(-1)),
                        face(listOf(3), "<i4", address, "offset" to 1),
                        face(listOf(1), "<i4", address, "offset" to -1),
                    )
                for (face in outside) {
                    val owner = ForeignOwner()
                    shouldThrow<IllegalArgumentException> { face.importArray(owner, bounds) }.message shouldContain
                        "leave the allocation"
                    owner.closedInTheEnd() shouldBe 1
                }
                face(listOf(3), "<i4", address).importArray({}, bounds).close()
            }
        }

        test("read-only data is refused for writing, and can be copied") {
            withShared(shared) {
                val address = ints(1, 2, 3)
                val owner = ForeignOwner()
                val readOnly = arrayOf("data" to listOf(address, true))
                shouldThrow<IllegalArgumentException> {
                    face(listOf(2), "<i4", address, *readOnly).importArray(owner, options.writable())
                }.message shouldContain "read-only"
                owner.closedInTheEnd() shouldBe 1
                val gaps = face(listOf(2), "<i4", address, "strides" to listOf(2), *readOnly)
                gaps.importArray({}, options.writable().copying()).use { it.values() shouldBe listOf(1, 3) }
            }
        }

        test(
            "without elements the exported pointer belongs to the context, as dpctl requires, and any pointer is imported",
        ) {
            withShared(shared) {
                deviceArrayOf(1, 2).use { it.copyTo(shared) }.use { whole ->
                    whole.slice(1, 0).use {
                        SyclUsmArrayInterface.of(it, queue, ExportOptions.defaults()).data() shouldBe
                            whole.data.buffer(1)!!.address
                    }
                }
                for (pointer in listOf(0L, 4096L)) {
                    face(listOf(0), "<i4", pointer).importArray({}, options).use { it.values() shouldBe listOf() }
                }
            }
        }

        test("big-endian numbers are refused, and the owner closed once") {
            withShared(shared) {
                val owner = ForeignOwner()
                shouldThrow<IllegalArgumentException> {
                    face(listOf(1), ">i4", ints(1)).importArray(owner, options)
                }.message shouldContain "byte order"
                owner.closedInTheEnd() shouldBe 1
            }
        }

        test("\"context to which USM pointer is bound\": it is checked if the runtime knows contexts") {
            val asked = mutableListOf<List<Any>>()
            var answer: String? = null
            val knowing =
                object : DeviceRuntime by SharedDevice(shared), SyclContexts {
                    override fun deviceOf(address: Long): Device = shared

                    override fun whyNotBoundToDevice(
                        address: Long,
                        selector: String,
                    ): String? = answer.also { asked += listOf(address, selector) }

                    override fun whyNotBoundToQueue(
                        address: Long,
                        queue: Long,
                    ): String? = answer.also { asked += listOf(address, "queue", queue) }

                    override fun whyNotBoundToContext(
                        address: Long,
                        context: Long,
                    ): String? = answer.also { asked += listOf(address, "context", context) }
                }
            withShared(shared) {
                val address = ints(1, 2)
                val face = face(listOf(2), "<i4", address + 4, "strides" to listOf(-1), "syclobj" to "cpu")
                face.importArray({}, options.copying()).close()
                val plain = Devices.runtime(shared)
                Devices.unregister(plain)
                Devices.register(knowing)
                try {
                    face.importArray({}, options.copying()).close()
                    for (given in listOf(SyclObject.queue(9), SyclObject.context(7))) {
                        face(listOf(1), "<i4", address, "syclobj" to given).importArray({}, options).close()
                    }
                    asked shouldBe
                        listOf(listOf(address, "cpu"), listOf(address, "queue", 9L), listOf(address, "context", 7L))
                    answer = "not bound"
                    val owner = ForeignOwner()
                    shouldThrow<IllegalArgumentException> {
                        face.importArray(
                            owner,
                            options.copying(),
                        )
                    }.message shouldBe
                        "not bound"
                    owner.closedInTheEnd() shouldBe 1
                } finally {
                    Devices.unregister(knowing)
                }
            }
        }
    })
