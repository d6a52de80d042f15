package dev.arrowdevice.peers.operations

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.UnreadableDeviceException
import dev.arrowdevice.addAll
import dev.arrowdevice.deviceArray
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.values
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

private fun onGpu(body: SimulatedDevice.() -> Unit) =
    ReleaseBalance.start().use {
        SimulatedDevice.builder(0).open().use { it.body() }
    }

/** Operations on arrays in memory that the host can't read. */
class DeviceOperationsTest :
    FunSpec({
        test("operations that read values say what to copy, and leave the arrays as they are") {
            onGpu {
                deviceArrayOf(1, 2, 3).use { here ->
                    val there = here.copyTo(device())
                    val mask = deviceArrayOf(true, true, true)
                    val maskThere = mask.copyTo(device())
                    listOf<Pair<String, () -> DeviceArray>>(
                        "filter" to { there.filter(mask) },
                        "filter: the mask" to { here.filter(maskThere) },
                        "filter" to { there.filter { it == 1L } },
                        "take" to { there.take(0) },
                        "take: the indices" to { here.take(there) },
                        "concat" to { DeviceArray.concat(listOf(here, there)) },
                        "concat" to { DeviceArray.concat(listOf(there)) },
                        "dictionaryEncode" to { there.dictionaryEncode() },
                        "decode" to { there.decode() },
                        "cast" to { there.cast(ArrowType.INT64) },
                    ).forEach { (operation, call) ->
                        shouldThrow<UnreadableDeviceException> { call() }.message shouldBe
                            "$operation: the host cannot read memory of ${device()}; copy it first: " +
                            "copyTo(Device.CPU) returns an array that the host can read"
                    }
                    listOf(there, mask, maskThere).forEach { it.isLive shouldBe true }
                    listOf(there, mask, maskThere).forEach(DeviceArray::close)
                }
            }
        }

        test("operations that read no value work on any device") {
            onGpu {
                val there =
                    recordBatch {
                        column<Int>("a") { addAll(listOf(1, 2, 3)) }
                        column<String>("b") { addAll(listOf("x", "y", "z")) }
                    }.use { it.copyTo(device()) }
                there.use { batch ->
                    batch.select("b").use { it.read("b") shouldBe listOf("x", "y", "z") }
                    batch.drop("a").use { it.read("b") shouldBe listOf("x", "y", "z") }
                    batch.rename("b", "c").use { it.read("c") shouldBe listOf("x", "y", "z") }
                    batch.head(1).use { it.read("b") shouldBe listOf("x") }
                    batch.tail(1).use { it.read("b") shouldBe listOf("z") }
                    val more = deviceArrayOf("u", "v", "w").use { it.copyTo(device()) }
                    batch.withColumn("d", more).use { it.read("d") shouldBe listOf("u", "v", "w") }
                    deviceArrayOf("u", "v", "w").use { here: ArrayView ->
                        shouldThrow<IllegalArgumentException> { batch.withColumn("d", here as DeviceArray) }
                    }
                }
            }
        }

        test("a result of memory that a device shares with the host is on the CPU, all of it") {
            ReleaseBalance.start().use {
                SimulatedDevice.builder(0).unifiedMemory().open().use { gpu ->
                    val words = ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8)
                    val there = deviceArray<String>(words) { addAll(listOf("a", "b")) }.use { it.copyTo(gpu.device()) }
                    val last = there.use { array -> array.filter { it == 1L } }
                    last.use {
                        it.device.isCpu shouldBe true
                        it.dictionary.data
                            .buffer(2)!!
                            .device.isCpu shouldBe true
                        it.values<String>().toList() shouldBe listOf("b")
                    }
                    recordBatch { column<String>("a") { addAll(listOf("x", "x")) } }
                        .use { it.withColumn("b", deviceArrayOf(1, 2)) }
                        .use { it.copyTo(gpu.device()) }
                        .use { it.dictionaryEncode("a") }
                        .use { it.column("b").toIntArray() shouldBe intArrayOf(1, 2) }
                }
            }
        }

        test("an operation waits until the values are there") {
            onGpu {
                deviceArrayOf(1, 2, 3).use { here ->
                    here.copyTo(device()).use { there ->
                        there.copyToAsync(Device.CPU, runtime().defaultQueue).use { back ->
                            back.filter { it > 0 }.use { it.toIntArray() shouldBe intArrayOf(2, 3) }
                        }
                    }
                }
            }
        }
    })

private fun RecordBatch.read(column: String): List<String?> =
    copyTo(Device.CPU).use { it.values<String>(column).toList() }
