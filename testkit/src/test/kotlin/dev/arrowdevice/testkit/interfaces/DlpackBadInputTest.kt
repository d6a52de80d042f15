package dev.arrowdevice.testkit.interfaces

import dev.arrowdevice.abi.CDlpack
import dev.arrowdevice.dsl.add
import dev.arrowdevice.dsl.deviceArray
import dev.arrowdevice.dsl.deviceArrayOf
import dev.arrowdevice.exchange.interfaces.ArrayForms
import dev.arrowdevice.exchange.interfaces.DlpackTensor
import dev.arrowdevice.exchange.interfaces.DlpackType
import dev.arrowdevice.exchange.interfaces.ExportOptions
import dev.arrowdevice.exchange.interfaces.ImportOptions
import dev.arrowdevice.exchange.interfaces.InvalidInterfaceException
import dev.arrowdevice.memory.Device
import dev.arrowdevice.memory.DeviceType
import dev.arrowdevice.testkit.NativeMemory
import dev.arrowdevice.testkit.PeerBalance
import dev.arrowdevice.testkit.PeerDlpack
import dev.arrowdevice.testkit.PeerTensor
import dev.arrowdevice.type.ArrowType
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** What DLPack brings and Arrow refuses: one clear error, and the deleter called once. */
class DlpackBadInputTest :
    FunSpec({
        extension(PeerBalance)

        test("read-only data is not given to a writer, but a copy of it is") {
            val tensor = PeerTensor.of(true, DlpackType.INT, 32, 2).withFlags(DlpackTensor.READ_ONLY)
            takeTensor(tensor).use { it.values() shouldBe listOf(0, 1) }
            tensorRefusal(tensor, ImportOptions.defaults().writable()) shouldContain "read-only"
            val gaps = tensor.strided(4, 0, 2)
            takeTensor(gaps, ImportOptions.defaults().writable().copying()).use { it.values() shouldBe listOf(0, 2) }
        }

        test("other flags are harmless") {
            takeTensor(PeerTensor.of(true, DlpackType.INT, 32, 1).withFlags(-2)).use { it.values() shouldBe listOf(0) }
        }

        test("a version from the future: its deleter is called, and nothing else of it is touched") {
            tensorRefusal(PeerTensor.of(true, DlpackType.INT, 32, 2)) {
                NativeMemory.putInt(it, 2)
                for (at in VERSIONED_TENSOR until CDlpack.VERSIONED.size() step 8) NativeMemory.putLong(it + at, 1)
            } shouldContain "DLPack version 2.1"
            tensorRefusal(PeerTensor.of(true, DlpackType.INT, 32, 2)) { NativeMemory.putInt(it, 0) } shouldContain
                "DLPack version 0.1"
        }

        test("a NULL deleter is not called") {
            val address = PeerDlpack.produce(PeerTensor.of(true, DlpackType.INT, 32, 2))
            val deleter = NativeMemory.getLong(address + 16)
            NativeMemory.putLong(address + 16, 0)
            importTensor(address, true).use { it.values() shouldBe listOf(0, 1) }
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
                Triple("ndim -1", int(2)) { it: Long -> NativeMemory.putInt(it + tensorMember("ndim"), -1) },
                Triple("ndim 65", int(2)) { it: Long -> NativeMemory.putInt(it + tensorMember("ndim"), 65) },
                Triple("shape NULL", int(2)) { it: Long -> NativeMemory.putLong(it + tensorMember("shape"), 0) },
                Triple("data NULL", int(2)) { it: Long -> NativeMemory.putLong(it + tensorMember("data"), 0) },
                Triple("negative", int(2)) { it: Long ->
                    NativeMemory.putLong(NativeMemory.getLong(it + tensorMember("shape")), -2)
                },
                Triple("overflow", int(2, 2)) { it: Long ->
                    NativeMemory.putLong(NativeMemory.getLong(it + tensorMember("shape")), Long.MAX_VALUE)
                },
                Triple("strides that overflow", int(2, 2)) { it: Long ->
                    NativeMemory.putLong(NativeMemory.getLong(it + tensorMember("strides")), Long.MAX_VALUE)
                },
                Triple(
                    "byte_offset",
                    int(2),
                ) { it: Long -> NativeMemory.putLong(it + tensorMember("byte_offset"), -1) },
            ) { (name, tensor, spoil) ->
                val message = tensorRefusal(tensor, ImportOptions.defaults().copying(), spoil)
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
                    importTensor(address, true, ImportOptions.defaults().within(data, 15))
                }.message
            message shouldContain "leave the allocation of 15 bytes"
            val fits = PeerDlpack.produce(PeerTensor.of(true, DlpackType.INT, 32, 4))
            val start = DlpackTensor.readVersioned(fits).data()
            importTensor(fits, true, ImportOptions.defaults().within(start, 16)).close()
        }

        test("a tensor of another device than the caller expects") {
            tensorRefusal(
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
                        shouldThrow<InvalidInterfaceException> { exportTensor(array, versioned) }.message shouldContain
                            message
                    }
                    array.isLive() shouldBe true
                }
            }
        }

        test("NULL is no address, and masks are of another interface") {
            shouldThrow<IllegalArgumentException> { importTensor(0, true) }.message shouldContain "NULL"
            deviceArrayOf(1).use {
                shouldThrow<IllegalArgumentException> { exportTensor(it, true, ExportOptions.defaults().bitMask()) }
            }
        }

        test("a closed array is not exported") {
            val array = deviceArrayOf(1).also { it.close() }
            shouldThrow<IllegalStateException> { exportTensor(array) }.message shouldContain "closed or moved"
        }
    })
