package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.ArrowType
import dev.arrowdevice.add
import dev.arrowdevice.deviceArray
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.DlpackTensor
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.peers.PendingEvent
import dev.arrowdevice.peers.readyAfter
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Masks of the CUDA Array Interface and nulls of Arrow. */
class CudaMaskTest :
    FunSpec({
        fun test(
            name: String,
            block: ForeignMemory.() -> Unit,
        ) = this.test(name) { withShared(managed, test = block) }

        test("\"If None then all values in data are valid\"") {
            cudaInterface(listOf(2), "<i4", ints(1, 2), "mask" to null).taken { it.nullCount shouldBe 0 }
        }

        test("\"interpreted only as true or not true\", \"the same definition as mask in the numpy array interface\"") {
            val masks =
                mapOf(
                    "|b1" to bytes(1, 0, 7),
                    "|u1" to bytes(255, 0, 2),
                    "<i4" to ints(-1, 0, 256),
                    "<f4" to floats(0.5f, -0.0f, -1f),
                    // 0.5, -0.0 and the number next to 0 whose last byte is 0x80.
                    ">f4" to bytes(0x3F, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x80),
                    "<i8" to longs(1L shl 40, 0, 1),
                )
            for ((type, mask) in masks) {
                val masked =
                    cudaInterface(
                        listOf(3),
                        "<i4",
                        ints(1, 2, 3),
                        "mask" to cudaInterface(listOf(3), type, mask),
                    )
                masked.refusal() shouldContain "a copy of the mask"
                masked.taken(onManaged.copying()) {
                    it.values() shouldBe listOf(1, null, 3)
                    it.nullCount shouldBe 1
                }
            }
        }

        test("a mask may have any layout, and is permuted with the elements") {
            val mask = cudaInterface(listOf(3), "|b1", bytes(0, 9, 1, 9, 1), "strides" to listOf(2))
            cudaInterface(listOf(3), "<i4", ints(1, 2, 3), "mask" to mask).taken(onManaged.copying()) {
                it.values() shouldBe listOf(null, 2, 3)
            }
            val back = cudaInterface(listOf(3), "<i4", ints(1, 2, 3) + 8, "strides" to listOf(-4), "mask" to mask)
            back.taken(onManaged.copying(), true) { it.values() shouldBe listOf(null, 2, 1) }
            val permuted =
                cudaInterface(
                    listOf(1, 2, 2),
                    "<i4",
                    ints(1, 2, 3, 4),
                    "strides" to listOf(16, 4, 8),
                    "mask" to cudaInterface(listOf(1, 2, 2), "|b1", bytes(1, 0, 1, 1)),
                )
            // Logical [[1, 3], [2, 4]], of which the second is null; the memory has 1, 2, 3, 4.
            permuted.taken(onManaged.copying()) {
                it.child(0).share().use { e ->
                    e.values() shouldBe listOf(1, 2, null, 4)
                }
            }
        }

        test("a mask of bits becomes the validity bitmap without a copy") {
            val mask = bytes(0b0000_0101)
            val masked = cudaInterface(listOf(3), "<i4", ints(1, 2, 3), "mask" to cudaInterface(listOf(3), "<t1", mask))
            masked.taken {
                it.data.validity!!.address shouldBe mask
                it.values() shouldBe listOf(1, null, 3)
                it.nullCount shouldBe 1
            }
            val back =
                cudaInterface(
                    listOf(3),
                    "<i4",
                    ints(1, 2, 3) + 8,
                    "strides" to listOf(-4),
                    "mask" to cudaInterface(listOf(3), "<t1", mask),
                )
            back.taken(onManaged.copying(), true) { it.values() shouldBe listOf(3, null, 1) }
        }

        test("nulls are exported as a mask of bits or of bytes, or not at all") {
            copiedToManaged(deviceArrayOf(1, null, 3)) { array ->
                shouldThrow<IllegalArgumentException> { CudaArrayInterface.of(array) }.message shouldContain
                    "1 elements are null"
                val bits = CudaArrayInterface.of(array, ExportOptions.defaults().bitMask())
                bits.mask()?.typestr() shouldBe "<t1"
                bits.mask()?.data() shouldBe array.data.validity!!.address
                CudaArrayInterface.fromMap(bits.toMap()).taken { it.values() shouldBe listOf(1, null, 3) }
                array.slice(1, 2).use { slice ->
                    shouldThrow<IllegalArgumentException> {
                        CudaArrayInterface.of(slice, ExportOptions.defaults().bitMask())
                    }.message shouldContain "begin within a byte"
                    CudaArrayInterface.byteMask(slice).use { mask ->
                        mask.values() shouldBe listOf(false, true)
                        val bytes = CudaArrayInterface.of(slice, ExportOptions.defaults().mask(mask))
                        bytes.mask()?.typestr() shouldBe "|b1"
                        bytes.taken(onManaged.copying()) { it.values() shouldBe listOf(null, 3) }
                        shouldThrow<IllegalArgumentException> {
                            CudaArrayInterface.of(array, ExportOptions.defaults().mask(mask))
                        }.message shouldContain "the mask has the shape [2], the data [3]"
                    }
                }
            }
            copiedToManaged(deviceArrayOf(1, 2)) { array ->
                CudaArrayInterface.of(array, ExportOptions.defaults().bitMask()).mask() shouldBe null
                CudaArrayInterface.byteMask(array).use { it.values() shouldBe listOf(true, true) }
            }
        }

        test("an unknown null count is computed when the data is complete") {
            for (valid in listOf(0b111, 0b101)) {
                val mask = cudaInterface(listOf(3), "<t1", bytes(valid))
                val event = PendingEvent()
                cudaInterface(listOf(3), "<i4", ints(1, 2, 3), "mask" to mask).taken { array ->
                    array.share().readyAfter(event).use { pending ->
                        runCatching { DlpackTensor.of(pending, ExportOptions.defaults()) }
                            .isSuccess shouldBe (valid == 0b111)
                    }
                }
                event.awaited shouldBe true
            }
        }

        test("a mask of another device is refused") {
            copiedToManaged(deviceArrayOf(1, null)) { array ->
                deviceArrayOf<Byte>(1, 0).use { mask ->
                    shouldThrow<IllegalArgumentException> {
                        CudaArrayInterface.of(array, ExportOptions.defaults().mask(mask))
                    }.message shouldContain "the mask lies on CPU, the data on CUDA_MANAGED:0"
                }
            }
        }

        test("null lists can't be exported") {
            val type = ArrowType.fixedSizeList(ArrowType.INT32, 2)
            copiedToManaged(
                deviceArray(type) {
                    add(listOf(1, 2))
                    addNull()
                },
            ) {
                shouldThrow<IllegalArgumentException> { CudaArrayInterface.of(it) }.message shouldContain
                    "lists that are null"
            }
        }

        test("booleans are exchanged as bytes, with nulls") {
            copiedToManaged(
                deviceArrayOf(true, null, false).let { array ->
                    array.slice(1, 2).also { array.close() }
                },
            ) { bits ->
                bits.toBool8().use {
                    it.values() shouldBe listOf(null, false)
                    val described = CudaArrayInterface.of(it, ExportOptions.defaults().bitMask())
                    described.typestr() shouldBe "|b1"
                    described.taken { back -> back.values() shouldBe listOf(null, false) }
                }
            }
            deviceArrayOf(1).use { shouldThrow<IllegalArgumentException> { it.toBool8() } }
        }
    })
