package dev.arrowdevice.peers.device

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceException
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.deviceArray
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.DeviceReference
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.toDeviceArray
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.function.UnaryOperator

private val numbers = List(30_000) { if (it % 9 == 0) null else it }

private val ways: Map<String, (DeviceReference) -> DeviceArray> =
    mapOf(
        "deviceArray<T>" to { device -> deviceArray<Int>(device = device) { addAll(numbers) } },
        "deviceArray(type)" to { device -> deviceArray(ArrowType.INT64, device) { add(1L) } },
        "toDeviceArray of a list" to { device -> listOf("a", null, "c").toDeviceArray(device) },
        "toDeviceArray of ints" to { device -> IntArray(20_000) { it }.toDeviceArray(device) },
        "toDeviceArray of longs" to { device -> LongArray(3) { it.toLong() }.toDeviceArray(device) },
        "toDeviceArray of floats" to { device -> FloatArray(3) { it.toFloat() }.toDeviceArray(device) },
        "toDeviceArray of doubles" to { device -> DoubleArray(3) { it.toDouble() }.toDeviceArray(device) },
        "nothing" to { device -> deviceArray<String>(device = device) {} },
        "recordBatch" to { device -> batch(device).intoStruct() },
        "recordBatch(schema)" to { device ->
            recordBatch(Schema.of(Field.notNull("n", ArrowType.INT32)), device) { row(1) }.intoStruct()
        },
    )

private fun batch(device: DeviceReference): RecordBatch =
    recordBatch(device = device) {
        column<Int>("n") { addAll(numbers) }
        column<String>("s") { numbers.forEach { add(it?.toString()) } }
        list<Double>("l") { repeat(numbers.size) { add(if (it % 2 == 0) null else listOf(it / 2.0)) } }
    }

private fun DeviceArray.isPending(): Boolean = readyEvent.shouldNotBeNull().isComplete.not()

private fun SimulatedDevice.builder(type: ArrowType): ArrayBuilder =
    ArrayBuilder.of(Field.nullable("", type), runtime(), UnaryOperator.identity())

/** Arrays for a device are built in pinned memory and transferred without a wait. */
class BuildOnDeviceTest :
    FunSpec({
        context("the DSL takes a device or its runtime, and does not wait for the device") {
            withData(nameFn = { it.key }, ways.entries) { (_, build) ->
                withGpu {
                    val expected = build(Device.CPU)
                    for (device in listOf(device(), runtime())) {
                        val there = whilePaused { build(device).also { it.isPending() shouldBe true } }
                        there.device shouldBe device()
                        there.use { it.copyTo(Device.CPU) }.use { it.valuesEqual(expected) shouldBe true }
                    }
                    expected.close()
                }
            }
        }

        test("Java's builders finish on the device, and are ready for the next array during the transfer") {
            withGpu {
                builder(ArrowType.UTF8).use { builder ->
                    val (first, second) =
                        whilePaused {
                            builder.append("first")
                            val first = builder.finish()
                            builder.append("second")
                            builder.appendNull()
                            first to builder.finish()
                        }
                    first.use { it.copyTo(Device.CPU) }.use { it.getString(0) shouldBe "first" }
                    second.use { it.copyTo(Device.CPU) }.use { it.toString() shouldContain "second" }
                }
                val schema = Schema.of(Field.notNull("id", ArrowType.INT64), Field.nullable("name", ArrowType.UTF8))
                RecordBatchBuilder.of(schema, runtime(), UnaryOperator.identity()).use { builder ->
                    builder.appendRow(1L, "Ada")
                    builder.finish().use { there ->
                        there.device shouldBe device()
                        there.copyTo(Device.CPU).use { it.column("name").getString(0) shouldBe "Ada" }
                    }
                }
            }
        }

        test("a dictionary is copied to the device too, and stays its owner's") {
            withGpu {
                val dictionary = deviceArrayOf("red", "green")
                val type = ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, false)
                builder(type).use { builder ->
                    builder.useDictionary(dictionary)
                    builder.append("green")
                    val there = whilePaused { builder.finish() }
                    there.use { it.copyTo(Device.CPU) }.use { it.getString(0) shouldBe "green" }
                }
                dictionary.getString(0) shouldBe "red"
                dictionary.close()
            }
        }

        test("on a device with host-writable memory nothing is copied") {
            withGpu(SimulatedDevice.builder(0).unifiedMemory()) {
                count(Operation.COPY_ASYNC) {
                    batch(runtime()).use { there ->
                        there.device shouldBe device()
                        there.readyEvent shouldBe null
                        batch(Device.CPU).use { it.valuesEqual(there) shouldBe true }
                    }
                } shouldBe 0
            }
        }

        test("if any call fails, nothing leaks, and a failed transfer closes the builder") {
            withGpu {
                var passing = 0
                withoutReports {
                    do {
                        failCall(passing++)
                        runCatching { batch(runtime()).use { it.await() } }
                            .onFailure { (it is DeviceException) shouldBe true }
                        ReleaseBalance.awaitDeferredReleases()
                    } while (clearFaults() == 0)
                }
                builder(ArrowType.INT32).use { builder ->
                    builder.append(1)
                    failNext(Operation.ALLOCATE_ASYNC)
                    shouldThrow<DeviceException> { builder.finish() }
                    shouldThrow<IllegalStateException> { builder.append(2) }
                }
            }
        }

        test("a string that memory runs out for is not in the array, and all earlier ones are") {
            withGpu {
                // The first waits on the heap until there is no room there for both.
                val texts = listOf("a", "b").map { it.repeat(600) }
                builder(ArrowType.UTF8).use { builder ->
                    builder.append(texts[0])
                    failNext(Operation.ALLOCATE_STAGING)
                    shouldThrow<DeviceException> { builder.append(texts[1]) }
                    builder.finish().use { it.copyTo(Device.CPU) }.use { there ->
                        there.length shouldBe 1
                        there.getString(0) shouldBe texts[0]
                    }
                }
            }
        }
    })
