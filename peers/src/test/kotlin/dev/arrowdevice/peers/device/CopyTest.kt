package dev.arrowdevice.peers.device

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.peers.ImportTest
import dev.arrowdevice.peers.PeerCatalogue
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.Structs
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.peers.imported
import dev.arrowdevice.peers.withStructs
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.property.checkAll

private val slices = listOf(0L to 19L, 7L to 9L, 8L to 1L, 18L to 1L, 19L to 0L, 4L to 0L)

/** Arrays that went to a device and came back are what they were: the C peer says so. */
class CopyTest :
    FunSpec({
        context("to the device and back") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                withGpu {
                    for (layout in ImportTest.Layouts.all) {
                        withStructs {
                            imported(field, layout).use { array ->
                                val expected = renderedCopy(array)
                                array.copyTo(device()).use { renderedCopy(it) shouldBe expected }
                                array.copyToAsync(runtime(), queue).use { there ->
                                    rendered(there.copyToAsync(Device.CPU, queue).compacted()) shouldBe expected
                                }
                            }
                        }
                    }
                }
            }
        }

        context("slices, made before and after the copy") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                val rows = PeerOptions.rows(19).withNullEvery(3)
                withGpu {
                    for (layout in listOf(rows, rows.withOffset(5).withChildOffset(2).withTail(1))) {
                        withStructs {
                            imported(field, layout).use { array ->
                                val there = array.copyTo(device())
                                for ((from, count) in slices) slice(this@withGpu, array, there, from, count)
                                there.close()
                            }
                        }
                    }
                }
            }
        }

        context("a foreign producer's array on the device") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                withGpu {
                    for (layout in ImportTest.Layouts.all) {
                        withStructs {
                            ForeignProducer(this@withGpu, this).use { producer ->
                                val made = producer.produce(field, layout)
                                ArrowImport
                                    .importDeviceArray(
                                        CStruct.deviceArrayAt(made.array),
                                        CStruct.schemaAt(made.schema),
                                    ).use { array ->
                                        renderedCopy(array) shouldBe made.text
                                        array.copyToAsync(runtime(), queue).use { renderedCopy(it) shouldBe made.text }
                                        rendered(array.copyToAsync(Device.CPU, queue).compacted()) shouldBe made.text
                                        sliced(array, layout)
                                    }
                            }
                        }
                    }
                }
            }
        }

        context("from device to device, through the host and directly") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                withGpu {
                    SimulatedDevice.open(1).use { other ->
                        val rows = PeerOptions.rows(19).withOffset(3).withNullEvery(3)
                        for (layout in listOf(rows, PeerOptions.rows(0))) {
                            withStructs {
                                imported(field, layout).use { array ->
                                    val expected = renderedCopy(array)
                                    array.copyTo(device()).use { there ->
                                        there.copyTo(other.device()).use { renderedCopy(it) shouldBe expected }
                                        connect(other)
                                        there.copyTo(other.device()).use { renderedCopy(it) shouldBe expected }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }

        test("random batches, whole and in slices") {
            withGpu {
                checkAll(iterations("device", 500), BatchShape.arb()) { shape ->
                    val made = shape.build()
                    val from = shape.rowCount / 3L
                    val count = shape.rowCount - from - shape.rowCount / 4
                    made.batch.use { batch ->
                        batch.copyTo(device()).use { there ->
                            there.copyTo(Device.CPU).use { back ->
                                back.schema shouldBe shape.schema
                                made.values.indices.map { valuesOf(back.column(it)) } shouldBe made.values
                            }
                            there.slice(from, count).use { it.copyTo(Device.CPU) }.use { back ->
                                made.values.indices.map { valuesOf(back.column(it)) } shouldBe made.cut(from, count)
                            }
                            there.copyToAsync(Device.CPU, queue).use { back ->
                                made.values.indices.map { valuesOf(back.column(it)) } shouldBe made.values
                            }
                        }
                        batch.slice(from, count).use { it.copyTo(device()) }.use { it.copyTo(Device.CPU) }.use { back ->
                            made.values.indices.map { valuesOf(back.column(it)) } shouldBe made.cut(from, count)
                        }
                    }
                }
            }
        }

        test("a device that the host can read is written by the host") {
            withGpu(SimulatedDevice.builder(0).unifiedMemory()) {
                withStructs {
                    imported(PeerCatalogue.all().last(), PeerOptions.rows(19).withNullEvery(3)).use { array ->
                        val expected = renderedCopy(array)
                        count(Operation.COPY_ASYNC) {
                            array.copyTo(device()).use { there ->
                                there.device shouldBe device()
                                renderedCopy(there) shouldBe expected
                            }
                        } shouldBe 0
                    }
                }
            }
        }

        test("without queue-ordered memory") {
            withGpu(SimulatedDevice.builder(0).withoutQueueOrderedMemory().withoutCallbacks()) {
                withStructs {
                    imported(PeerCatalogue.all().last(), PeerOptions.rows(19).withNullEvery(3)).use { array ->
                        val expected = renderedCopy(array)
                        array.copyToAsync(device(), queue).use { renderedCopy(it) shouldBe expected }
                    }
                }
            }
        }
    })

/** A copy in plain memory, with offset 0, of one on its way to pinned memory. */
private fun DeviceArray.compacted(): DeviceArray = use { it.copyTo(Device.CPU) }

private fun Structs.slice(
    gpu: SimulatedDevice,
    array: DeviceArray,
    there: DeviceArray,
    from: Long,
    count: Long,
) {
    val expected = array.slice(from, count).use { renderedCopy(it) }
    array.slice(from, count).use { it.copyTo(gpu.device()) }.use { renderedCopy(it) shouldBe expected }
    there.slice(from, count).use { slice ->
        renderedCopy(slice) shouldBe expected
        slice.copyTo(gpu.device()).use { renderedCopy(it) shouldBe expected }
    }
}

/** A slice of a foreign array on a device has the values of a slice of its copy. */
private fun Structs.sliced(
    array: DeviceArray,
    layout: PeerOptions,
) {
    val from = layout.length() / 3
    val count = layout.length() / 2
    array.copyTo(Device.CPU).use { here ->
        val expected = here.slice(from, count).use { renderedCopy(it) }
        array.slice(from, count).use { renderedCopy(it) shouldBe expected }
    }
}
