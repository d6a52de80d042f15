package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.interop.SyclUsmArrayInterface
import dev.arrowdevice.spi.AddressRange
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** The first ints of eight are an allocation, the last ones another one; those between are nobody's. */
private const val ALLOCATED = 3

private fun allocationsOf(
    all: Long,
    address: Long,
): AddressRange? =
    listOf(all, all + 4 * (8 - ALLOCATED))
        .map { AddressRange(it, 4L * ALLOCATED) }
        .firstOrNull { it.contains(address) }

/** Elements that leave the allocation of their first byte, where the driver knows how far it reaches. */
class AllocationTest :
    FunSpec({
        fun withAllocations(
            device: Device = managed,
            test: ForeignMemory.(Long) -> Unit,
        ) {
            ForeignMemory().use { memory ->
                val all = memory.ints(0, 1, 2, 3, 4, 5, 6, 7)
                withShared(device, { device }, { allocationsOf(all, it) }) { test(all) }
            }
        }

        test("an array within one allocation is imported, up to its last byte") {
            withAllocations { all ->
                cudaInterface(listOf(3), "<i4", all).taken { it.values() shouldBe listOf(0, 1, 2) }
                val backwards = cudaInterface(listOf(3), "<i4", all + 4 * 7, "strides" to listOf(-4))
                backwards.taken(onManaged.copying(), copied = true) { it.values() shouldBe listOf(7, 6, 5) }
            }
        }

        test("strides that lead into another allocation are refused, even if both are the device's") {
            withAllocations { all ->
                for (strides in listOf(20, 28)) {
                    cudaInterface(
                        listOf(2),
                        "<i4",
                        all,
                        "strides" to listOf(strides),
                    ).refusal(onManaged.copying()) shouldContain
                        "leaves the allocation of 12 bytes at 0x${all.toString(16)}"
                }
                cudaInterface(
                    listOf(2),
                    "<i4",
                    all + 28,
                    "strides" to listOf(-28),
                ).refusal(onManaged.copying()) shouldContain
                    "the data at 0x${all.toString(16)} to 0x${(all + 32).toString(16)} leaves the allocation"
            }
        }

        test("an array across two allocations is refused, and so is one element too many") {
            withAllocations { all ->
                for (count in listOf(4, 8)) {
                    cudaInterface(listOf(count), "<i4", all).refusal() shouldContain "leaves the allocation of 12 bytes"
                }
            }
        }

        test("a mask of bits or bytes outside of its allocation is refused") {
            withAllocations { all ->
                val bits =
                    mapOf(
                        "shape" to listOf(100),
                        "typestr" to "<t1",
                        "data" to listOf(all, false),
                        "version" to 2,
                    )
                val bytes = bits + mapOf("typestr" to "|u1")
                ForeignMemory().use { elsewhere ->
                    for (mask in listOf(bits, bytes)) {
                        cudaInterface(listOf(100), "<i4", elsewhere.ints(*IntArray(100)), "mask" to mask)
                            .refusal(onManaged.copying()) shouldContain
                            "the mask at 0x${all.toString(16)} to"
                    }
                }
            }
        }

        test("SYCL's memory is checked too: its runtime knows no allocations, so both ends are") {
            val usm = Device(DeviceType.ONEAPI, 0)
            ForeignMemory().use { memory ->
                val all = memory.ints(0, 1, 2, 3, 4, 5, 6, 7)
                val map =
                    mapOf("shape" to listOf(2), "typestr" to "<i4", "data" to listOf(all, false), "version" to 1) +
                        mapOf("strides" to listOf(7), "syclobj" to "cpu")
                val face = SyclUsmArrayInterface.fromMap(map)
                val options = ImportOptions.on(usm).copying()
                withShared(usm, { if (allocationsOf(all, it) == null) null else usm }) {
                    face.importArray({}, options).use { it.values() shouldBe listOf(0, 7) }
                }
            }
        }
    })
