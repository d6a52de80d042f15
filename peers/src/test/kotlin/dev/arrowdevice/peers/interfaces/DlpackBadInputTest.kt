package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.add
import dev.arrowdevice.deviceArray
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.internal.abi.CDlpack
import dev.arrowdevice.interop.DlpackTensor
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.peers.PeerBalance
import dev.arrowdevice.peers.PeerDlpack
import dev.arrowdevice.peers.PeerTensor
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** DLPack input that Arrow refuses, with one clear error and one call of the deleter. */
class DlpackBadInputTest :
    FunSpec({
        extension(PeerBalance)

        test("read-only data is refused for writing, and can be copied") {
            val tensor = PeerTensor.of(true, DlpackTensor.INT, 32, 2).withFlags(DlpackTensor.READ_ONLY)
            takeTensor(tensor).use { it.values() shouldBe listOf(0, 1) }
            tensorRefusal(tensor, ImportOptions.defaults().writable()) shouldContain "read-only"
            val gaps = tensor.strided(4, 0, 2)
            takeTensor(gaps, ImportOptions.defaults().writable().copying()).use { it.values() shouldBe listOf(0, 2) }
        }

        test("other flags are ignored") {
            takeTensor(
                PeerTensor.of(true, DlpackTensor.INT, 32, 1).withFlags(-2),
            ).use { it.values() shouldBe listOf(0) }
        }

        test("a newer version is refused: its deleter is called, and nothing else is read") {
            tensorRefusal(PeerTensor.of(true, DlpackTensor.INT, 32, 2)) {
                NativeMemory.putInt(it, 2)
                for (at in VERSIONED_TENSOR until CDlpack.VERSIONED.size() step 8) NativeMemory.putLong(it + at, 1)
            } shouldContain "DLPack version 2.1"
            tensorRefusal(PeerTensor.of(true, DlpackTensor.INT, 32, 2)) { NativeMemory.putInt(it, 0) } shouldContain
                "DLPack version 0.1"
        }

        context("a NULL deleter is not called, with both structs, nor if the import fails") {
            withData(
                nameFn = { (versioned, bits) -> "$versioned, $bits bits" },
                true to 32,
                false to 32,
                true to 4,
                false to 4,
            ) { (versioned, bits) ->
                val address = PeerDlpack.produce(PeerTensor.of(versioned, DlpackTensor.INT, bits, 2))
                val at = address + deleterOffset(versioned)
                val deleter = NativeMemory.getLong(at)
                NativeMemory.putLong(at, 0)
                if (bits == 32) {
                    importTensor(address, versioned).use { it.values() shouldBe listOf(0, 1) }
                } else {
                    shouldThrow<IllegalArgumentException> { importTensor(address, versioned) }
                }
                NativeMemory.putLong(at, deleter)
                PeerDlpack.delete(address, versioned)
            }
        }

        context("bad input is one clear error, and deleted once, with both structs") {
            withData(nameFn = { (bad, versioned) ->
                "${bad.name}, ${if (versioned) "versioned" else "legacy"}"
            }, both(BAD)) { (bad, versioned) ->
                val spoil: (Long) -> Unit = { bad.spoil(Struct(it, versioned)) }
                tensorRefusal(bad.tensor(versioned), ImportOptions.defaults().copying(), spoil) shouldContain bad.says
            }
        }

        context("an allocation that the caller named can't be left, by elements or by strides") {
            val outside =
                listOf(
                    Bad("elements", "leave the allocation of 15 bytes", { PeerTensor.of(it, DlpackTensor.INT, 32, 4) }),
                    Bad("strides", "leave the allocation of 15 bytes", {
                        PeerTensor.of(it, DlpackTensor.INT, 32, 2).strided(8, 0, 4)
                    }),
                    Bad("negative strides", "leave the allocation of 15 bytes", {
                        PeerTensor.of(it, DlpackTensor.INT, 32, 2).strided(8, 0, -1)
                    }),
                )
            withData(nameFn = { (bad, versioned) -> "${bad.name}, $versioned" }, both(outside)) { (bad, versioned) ->
                val address = PeerDlpack.produce(bad.tensor(versioned))
                val data = Struct(address, versioned).get("data")
                val known = ImportOptions.defaults().copying().within(data, 15)
                shouldThrow<IllegalArgumentException> { importTensor(address, versioned, known) }.message shouldContain
                    bad.says
            }
            test("an array within the allocation is imported") {
                val fits = PeerDlpack.produce(PeerTensor.of(true, DlpackTensor.INT, 32, 4))
                importTensor(fits, true, ImportOptions.defaults().within(Struct(fits, true).get("data"), 16)).close()
            }
        }

        context("a pointer that the device's runtime reports as another device's, or none's") {
            withData(
                nameFn = { it.second },
                null to "is no memory of CUDA_MANAGED:0",
                Device(DeviceType.CUDA, 1) to "is memory of CUDA:1, not of CUDA_MANAGED:0",
            ) { (actual, message) ->
                for (versioned in listOf(true, false)) {
                    withShared(managed, { actual }) {
                        tensorRefusal(
                            PeerTensor.of(versioned, DlpackTensor.INT, 32, 2).on(DeviceType.CUDA_MANAGED, 0),
                        ) shouldContain
                            message
                    }
                }
            }
        }

        test("a tensor of another device than the caller expects") {
            tensorRefusal(
                PeerTensor.of(true, DlpackTensor.INT, 32, 4).on(DeviceType.CUDA, 1),
                ImportOptions.on(Device(DeviceType.CUDA, 0)),
            ) shouldContain "the tensor lies on CUDA:1, not on CUDA:0"
        }

        context("an array without a counterpart is refused and stays live") {
            withData(
                nameFn = { it.first },
                Triple("bool", { deviceArrayOf(true, false) }, "toBool8()"),
                Triple("text", { deviceArrayOf("a") }, "no type of the same bytes"),
                Triple("nulls", { deviceArrayOf(1, null) }, "1 elements are null"),
                Triple("timestamps", {
                    deviceArray(ArrowType.timestamp(dev.arrowdevice.TimeUnit.SECOND)) { add(1L as Any) }
                }, "no type of the same bytes"),
            ) { (_, make, message) ->
                make().use { array ->
                    for (versioned in listOf(true, false)) {
                        shouldThrow<IllegalArgumentException> { exportTensor(array, versioned) }.message shouldContain
                            message
                    }
                    array.isLive() shouldBe true
                }
            }
        }

        test("NULL is refused as an address, and so is a mask, which DLPack lacks") {
            shouldThrow<IllegalArgumentException> { importTensor(0, true) }.message shouldContain "NULL"
            deviceArrayOf(1).use {
                shouldThrow<IllegalArgumentException> { exportTensor(it, true, ExportOptions.defaults().bitMask()) }
            }
        }

        test("a closed array is not exported") {
            val array = deviceArrayOf(1).also { it.close() }
            shouldThrow<IllegalStateException> { exportTensor(array) }.message shouldContain "has been closed"
        }
    })

/** A tensor that is made wrong, and what the error says of it. */
private class Bad(
    val name: String,
    val says: String,
    val tensor: (Boolean) -> PeerTensor,
    val spoil: Struct.() -> Unit = {},
)

/** One of the two structs of C, whose members may be written. */
private class Struct(
    private val address: Long,
    private val versioned: Boolean,
) {
    fun get(member: String): Long = NativeMemory.getLong(address + tensorMember(member, versioned))

    fun put(
        member: String,
        value: Long,
    ) = NativeMemory.putLong(address + tensorMember(member, versioned), value)

    fun putInt(
        member: String,
        value: Int,
    ) = NativeMemory.putInt(address + tensorMember(member, versioned), value)

    /** Writes what a member points to. */
    fun putFirst(
        member: String,
        value: Long,
    ) = NativeMemory.putLong(get(member), value)
}

private fun both(cases: List<Bad>) = cases.flatMap { listOf(it to true, it to false) }

private fun ints(vararg shape: Long): (Boolean) -> PeerTensor =
    { PeerTensor.of(it, DlpackTensor.INT, 32, *shape.toTypedArray()) }

private fun of(
    code: Int,
    bits: Int,
): (Boolean) -> PeerTensor = { PeerTensor.of(it, code, bits, 2) }

private val BAD =
    listOf(
        Bad("lanes", "has 4 lanes", { PeerTensor.of(it, DlpackTensor.INT, 32, 2).withLanes(4) }),
        Bad("4 bits", "less than whole bytes", of(DlpackTensor.INT, 4)),
        Bad("bool of 1 bit", "less than whole bytes", of(DlpackTensor.BOOL, 1)),
        Bad("float of 6 bits", "less than whole bytes", of(15, 6)),
        Bad("float of 4 bits", "less than whole bytes", of(17, 4)),
        Bad("128 bits", "no Arrow type", of(DlpackTensor.UINT, 128)),
        Bad("a handle", "no Arrow type", of(3, 64)),
        Bad("bfloat", "no Arrow type", of(4, 16)),
        Bad("float8", "no Arrow type", of(10, 8)),
        Bad("a type from the future", "no Arrow type", of(99, 32)),
        Bad("ndim -1", "ndim is -1", ints(2)) { putInt("ndim", -1) },
        Bad("ndim 65", "ndim is 65", ints(2)) { putInt("ndim", 65) },
        Bad("shape NULL", "shape is NULL", ints(2)) { put("shape", 0) },
        Bad("data NULL", "the data pointer is 0", ints(2)) { put("data", 0) },
        Bad("negative", "negative size", ints(2)) { putFirst("shape", -2) },
        Bad("elements that overflow", "more elements", ints(2, 2)) { putFirst("shape", Long.MAX_VALUE) },
        Bad("bytes that overflow", "more elements", ints(2)) { putFirst("shape", Long.MAX_VALUE / 2) },
        Bad("strides that overflow", "overflows", ints(2, 2)) { putFirst("strides", Long.MAX_VALUE) },
        Bad("byte_offset", "byte_offset 18446744073709551615", ints(2)) { put("byte_offset", -1) },
    )
