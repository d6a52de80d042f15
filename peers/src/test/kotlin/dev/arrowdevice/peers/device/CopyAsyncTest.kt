package dev.arrowdevice.peers.device

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.UnreadableDeviceException
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.deviceArray
import dev.arrowdevice.deviceArrayOf
import dev.arrowdevice.peers.PeerCatalogue
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.PeerQuirk
import dev.arrowdevice.peers.imported
import dev.arrowdevice.peers.withStructs
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.DeviceEvent
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.toDeviceArray
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

private val numbers = IntArray(40_000) { it * 7 }

private val everything = PeerField.of("", "+s", *PeerCatalogue.all().toTypedArray())

private fun DeviceArray.ints(): IntArray = use { it.toIntArray() }

/** What returns at once, what waits for what, and that no memory is released earlier. */
class CopyAsyncTest :
    FunSpec({
        test("source and copy can be closed before the copy has started, without waiting") {
            withGpu {
                val there =
                    whilePaused {
                        val source = numbers.toDeviceArray()
                        val there = source.copyToAsync(runtime(), queue)
                        source.close()
                        val ready = there.readyEvent.shouldNotBeNull()
                        ready.isComplete() shouldBe false
                        there.toString() shouldContain "copyTo(Device.CPU)"
                        there
                    }
                val back =
                    whilePaused {
                        val back = there.copyToAsync(Device.CPU, queue)
                        there.close()
                        back.device shouldBe Device.CPU
                        back.toString() shouldContain "not ready yet"
                        back
                    }
                back.ints() shouldBe numbers
                whilePaused {
                    val source = numbers.toDeviceArray()
                    source.copyToAsync(runtime(), queue).close()
                    source.close()
                }
            }
        }

        test("closing a copy that has not started does not wait, also without queue-ordered memory") {
            withGpu(SimulatedDevice.builder(0).withoutQueueOrderedMemory()) {
                val source = numbers.toDeviceArray()
                whilePaused {
                    val there = source.copyToAsync(runtime(), queue)
                    CompletableFuture.runAsync(there::close).get(10, TimeUnit.SECONDS)
                    count(Operation.FREE) { source.close() } shouldBe 0
                }
                // The device notices a copy to memory that was freed.
                queue.synchronize()
            }
        }

        test("pinned memory of the source, and of a result, is kept until the copy is done") {
            withGpu {
                val pinned = numbers.toDeviceArray(runtime()).use { it.copyToAsync(Device.CPU, queue) }
                pinned.await()
                // Another thread frees the source of the copy.
                ReleaseBalance.awaitDeferredReleases()
                whilePaused {
                    count(Operation.FREE) {
                        pinned.copyToAsync(device(), queue).use { it.copyToAsync(Device.CPU, queue) }.close()
                        pinned.close()
                    } shouldBe 0
                }
                // The device notices a copy from or to memory that was freed.
                queue.synchronize()
            }
        }

        test("small buffers are copied to the device in one transfer, and back with one wait") {
            withGpu {
                withStructs {
                    imported(everything, PeerOptions.rows(100).withOffset(3).withNullEvery(3)).use { batch ->
                        val expected = renderedCopy(batch)
                        lateinit var there: DeviceArray
                        count(Operation.COPY_ASYNC) { there = batch.copyTo(device()) } shouldBe 1
                        count(Operation.AWAIT) { there.copyTo(Device.CPU).close() } shouldBe 1
                        there.use { renderedCopy(it) } shouldBe expected
                    }
                }
            }
        }

        test("the lengths of all strings of a foreign array are found with one wait") {
            withGpu {
                withStructs {
                    ForeignProducer(this@withGpu, this).use { producer ->
                        val made = producer.produce(everything, PeerOptions.rows(100).withOffset(3).withNullEvery(3))
                        ArrowImport
                            .importDeviceArray(
                                CStruct.deviceArrayAt(made.array),
                                CStruct.schemaAt(made.schema),
                            ).use { array ->
                                count(Operation.AWAIT) { renderedCopy(array) shouldBe made.text } shouldBe 2
                                count(Operation.AWAIT) { array.copyTo(device()).close() } shouldBe 2
                            }
                    }
                }
            }
        }

        test("large pinned buffers take one direct transfer each, pageable ones one transfer through pinned memory") {
            withGpu {
                val batch = batchOf(50_000)
                batch.use { count(Operation.COPY_ASYNC) { it.copyTo(device()).close() } shouldBe 1 }
                lateinit var there: RecordBatch
                // The host writes the ends of the bitmap and the offsets.
                count(Operation.COPY_ASYNC) { there = batchOf(50_000, this) } shouldBe 4
                there.copyTo(Device.CPU).use { back ->
                    there.close()
                    batchOf(50_000).use { it.valuesEqual(back) shouldBe true }
                }
            }
        }

        test("a small slice of a large string column takes a small transfer, in both directions") {
            withGpu {
                val strings = deviceArray<String> { addAll(List(100_000) { "string number $it" }) }
                val slice = strings.slice(99_990, 5)
                val there = slice.copyTo(device())
                there.data.buffer(2)!!.byteSize shouldBe 5 * "string number 99990".length
                val whole = strings.copyTo(device())
                val sliceThere = whole.slice(99_990, 5)
                val before = trace().size
                sliceThere.copyTo(Device.CPU).use { it.valuesEqual(slice) shouldBe true }
                trace().drop(before).filter { it.operation() == Operation.COPY_ASYNC }.sumOf { it.value() } shouldBe
                    8 + 6 * 4 + 5 * "string number 99990".length
                listOf(strings, slice, there, whole, sliceThere).forEach { it.close() }
            }
        }

        test("the bytes after a buffer are zeros, up to a multiple of 64") {
            withGpu {
                val there = deviceArrayOf(1.toByte(), 2, null).use { it.copyTo(device()) }
                val bitmap = there.data.buffer(0)!!
                val values = there.data.buffer(1)!!
                val bytes = runtime().allocateStaging(128)
                val block =
                    dev.arrowdevice.spi.DeviceBuffer
                        .ofAddress(device(), minOf(bitmap.address, values.address), 128, bitmap.owner)
                runtime().copy(block, 0, bytes, 0, 128)
                List(128) { bytes.memory().getByte(it.toLong()).toInt() }.filter { it != 0 } shouldBe
                    listOf(3, 1, 2)
                bitmap.address % 64 shouldBe 0
                values.address % 64 shouldBe 0
                bytes.owner.release()
                there.close()
            }
        }

        test("a queue waits for an array, and an array for a queue") {
            withGpu {
                val producer = runtime().createQueue()
                val consumer = runtime().createQueue()
                pause(producer)
                val later = numbers.toDeviceArray().use { it.copyToAsync(device(), producer) }
                later.awaitAsync(consumer)
                launch(consumer, listOf(later.data.buffer(1)!!)) { (memory) -> memory.putInt(0, -1) }
                val done = runtime().record(consumer)
                done.isComplete() shouldBe false
                resume(producer)
                done.await()
                later.copyTo(Device.CPU).ints().first() shouldBe -1
                listOf<AutoCloseable>(done, later, producer, consumer).forEach { it.close() }
            }
        }

        test("closeAsync frees the memory after the queue's work, and readers see a closed array at once") {
            withGpu {
                val consumer = runtime().createQueue()
                val there = numbers.toDeviceArray(device())
                there.await()
                whilePaused(consumer) {
                    there.awaitAsync(consumer)
                    launch(consumer, listOf(there.data.buffer(1)!!)) { (memory) -> memory.getInt(0) }
                    count(Operation.FREE_ASYNC) {
                        there.closeAsync(consumer)
                        there.closeAsync(consumer)
                    } shouldBe 0
                    there.isLive shouldBe false
                    shouldThrow<IllegalStateException> { there.await() }.message shouldContain "await: "
                }
                consumer.synchronize()
                count(Operation.FREE_ASYNC) { ReleaseBalance.awaitDeferredReleases() }
                consumer.close()
                val open = numbers.toDeviceArray(device())
                shouldThrow<IllegalStateException> { open.closeAsync(consumer) }.message shouldContain "closed"
                open.isLive shouldBe true
                open.close()
            }
        }

        test("columns with different events make a batch with one event, without a wait") {
            withGpu {
                val schema = Schema.of(Field.nullable("a", ArrowType.INT32), Field.nullable("b", ArrowType.INT32))
                val batch =
                    whilePaused {
                        val columns = List(2) { numbers.toDeviceArray(runtime()) }
                        val events = columns.map { it.readyEvent }
                        val batch = RecordBatch.of(schema, columns)
                        val joined: DeviceEvent = batch.readyEvent.shouldNotBeNull()
                        (joined in events) shouldBe false
                        joined.isComplete() shouldBe false
                        batch
                    }
                batch.copyTo(Device.CPU).use { it.column("b").toIntArray() shouldBe numbers }
                batch.close()
            }
        }

        test("the error of a read names the device, the call and what to do") {
            withGpu {
                numbers.toDeviceArray(runtime()).use { there ->
                    val message = shouldThrow<UnreadableDeviceException> { there.getInt(0) }.message
                    message shouldContain "getInt: the host cannot read memory of EXT_DEV:0"
                    message shouldContain "copyTo(Device.CPU)"
                    shouldThrow<UnreadableDeviceException> { there.borrow { } }.message shouldContain "borrow: "
                    shouldThrow<UnreadableDeviceException> { there.toIntArray() }
                    there.toString() shouldBe "int32[40000] <on EXT_DEV:0; copyTo(Device.CPU) to read>"
                }
            }
        }

        test("a queue of another device is refused, and so is a device without a runtime") {
            withGpu {
                SimulatedDevice.open(1).use { other ->
                    deviceArrayOf(1, 2).use { array ->
                        shouldThrow<IllegalArgumentException> {
                            array.copyToAsync(
                                device(),
                                other.queue,
                            )
                        }.message shouldContain
                            "takes a queue of EXT_DEV:0, not of EXT_DEV:1"
                        shouldThrow<IllegalStateException> { array.copyTo(Device(12, 7)) }
                        array.isLive shouldBe true
                    }
                }
            }
        }

        test("a foreign struct with null_count -1 becomes a batch") {
            withGpu {
                withStructs {
                    ForeignProducer(this@withGpu, this).use { producer ->
                        val rows = PeerOptions.rows(20).with(PeerQuirk.ALL_VALID_BITMAP, PeerQuirk.UNKNOWN_NULL_COUNT)
                        val field = PeerField.of("", "+s", PeerField.of("id", "l"), PeerField.of("name", "u"))
                        val good = producer.produce(field, rows)
                        ArrowImport
                            .importDeviceBatch(
                                CStruct.deviceArrayAt(good.array),
                                CStruct.schemaAt(good.schema),
                            ).use { batch ->
                                renderedCopy(batch.asStruct()) shouldBe good.text
                            }
                        val bad = producer.produce(field, rows.withNullEvery(3))
                        shouldThrow<IllegalArgumentException> {
                            ArrowImport.importDeviceBatch(
                                CStruct.deviceArrayAt(bad.array),
                                CStruct.schemaAt(bad.schema),
                            )
                        }.message shouldContain "nulls of its own"
                    }
                }
            }
        }
    })

private fun batchOf(
    rows: Int,
    gpu: SimulatedDevice? = null,
): RecordBatch =
    recordBatch(device = gpu?.runtime() ?: Device.CPU) {
        column<Long>("id") { repeat(rows) { if (it % 5 == 0) addNull() else add(it.toLong()) } }
        column<String>("name") { repeat(rows) { add("name $it") } }
    }
