package dev.arrowdevice.peers.device

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.ForeignException
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.deviceArray
import dev.arrowdevice.importDeviceArray
import dev.arrowdevice.importDeviceBatch
import dev.arrowdevice.importDeviceStream
import dev.arrowdevice.peers.ArrayStruct
import dev.arrowdevice.peers.Fields
import dev.arrowdevice.peers.PeerCatalogue
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.PeerQuirk
import dev.arrowdevice.peers.Structs
import dev.arrowdevice.peers.async.Consumer
import dev.arrowdevice.peers.withStructs
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.AsyncExport
import dev.arrowdevice.spi.AsyncWork
import dev.arrowdevice.spi.DeviceReference
import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.toDeviceArray
import io.kotest.assertions.nondeterministic.eventually
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlin.time.Duration.Companion.seconds

private const val DEVICE_ID = 80
private const val DEVICE_TYPE = 88
private const val SYNC_EVENT = 96
private const val STREAM_DEVICE_TYPE = 0

private val exports: List<(DeviceArray, Long) -> Unit> =
    listOf(
        { array, address -> ArrowExport.exportArray(array, CStruct.arrayAt(address)) },
        { array, address -> ArrowExport.exportDeviceArray(array, CStruct.deviceArrayAt(address)) },
    )

private val numbers = IntArray(1_000) { it * 3 }

private fun batch(device: DeviceReference = Device.CPU): RecordBatch =
    recordBatch(device = device) {
        column<Int>("id") { addAll(listOf(1, null, 3)) }
        column<String>("name") { addAll(listOf("Ada", "Grace", null)) }
    }

/** Arrays are exchanged with devices together with their event, which their users wait for. */
class DeviceExchangeTest :
    FunSpec({
        test("an export has a pointer to the event's handle, and its release destroys the event") {
            withGpu {
                withStructs {
                    val out = deviceArray()
                    val handle =
                        whilePaused {
                            ArrowExport.exportDeviceArray(
                                numbers.toDeviceArray(runtime()),
                                CStruct.deviceArrayAt(out),
                            )
                            NativeMemory.getLong(out + DEVICE_ID) shouldBe device().id()
                            NativeMemory.getInt(out + DEVICE_TYPE) shouldBe DeviceType.EXT_DEV
                            val pointer = NativeMemory.getLong(out + SYNC_EVENT)
                            pointer shouldNotBe 0L
                            NativeMemory.getLong(pointer).also { peer.releaseArray(out) }
                        }
                    ReleaseBalance.awaitDeferredReleases()
                    trace().count { it.operation() == Operation.DESTROY_EVENT && it.value() == handle } shouldBe 1
                }
            }
        }

        test("complete values are exported without an event, and with null counts") {
            withGpu {
                withStructs {
                    val whole = deviceArray<Int>(device = runtime()) { addAll(listOf(null, 1, null, null, 2)) }
                    val pending = deviceArray()
                    val synchronous = deviceArray()
                    whilePaused {
                        pause(queue)
                        val later = whole.copyToAsync(device(), queue)
                        ArrowExport.exportDeviceArray(later.slice(2, 3), CStruct.deviceArrayAt(pending))
                        later.close()
                    }
                    ArrayStruct(pending).nullCount() shouldBe -1
                    whole.await()
                    ArrowExport.exportDeviceArray(whole.slice(2, 3), CStruct.deviceArrayAt(synchronous))
                    NativeMemory.getLong(synchronous + SYNC_EVENT) shouldBe 0
                    ArrayStruct(synchronous).nullCount() shouldBe 2
                    peer.releaseArray(pending)
                    peer.releaseArray(synchronous)
                    whole.close()
                }
            }
        }

        test("the CPU has no events, so an export to it waits for pending values") {
            withGpu {
                withStructs {
                    numbers.toDeviceArray(runtime()).use { there ->
                        for (export in exports) {
                            val out = deviceArray()
                            pause(queue)
                            val back = there.copyToAsync(Device.CPU, queue)
                            val awaited = trace().count { it.operation() == Operation.AWAIT }
                            val exporting = thread { export(back, out) }
                            while (trace().count { it.operation() == Operation.AWAIT } == awaited) Thread.onSpinWait()
                            ArrayStruct(out).released() shouldBe true
                            resume(queue)
                            exporting.join()
                            NativeMemory.getLong(out + SYNC_EVENT) shouldBe 0
                            ArrowImport.importArray(CStruct.arrayAt(out), ArrowType.INT32).use {
                                it.toIntArray() shouldBe numbers
                            }
                        }
                    }
                }
            }
        }

        test("an import does not wait, and its uses wait for its event") {
            withGpu {
                withStructs {
                    ForeignProducer(this@withGpu, this).use { producer ->
                        pause(producer.queue)
                        val made = producer.produce(Fields.int32, PeerOptions.rows(500).withOffset(3).withNullEvery(4))
                        val array =
                            importDeviceArray(
                                CStruct.deviceArrayAt(made.array),
                                CStruct.schemaAt(made.schema),
                            )
                        val copy = array.copyToAsync(Device.CPU, queue)
                        val there = array.copyToAsync(device(), queue)
                        val released = peer.counters().released()
                        array.close()
                        copy.readyEvent.shouldNotBeNull().isComplete() shouldBe false
                        peer.counters().released() shouldBe released
                        resume(producer.queue)
                        copy.use { renderedCopy(it) shouldBe made.text }
                        there.use { renderedCopy(it) shouldBe made.text }
                        ReleaseBalance.awaitDeferredReleases()
                        peer.counters().released() shouldBe released + 1
                    }
                }
            }
        }

        context("an array imported with a pending event is read with the values of the producer") {
            withData(nameFn = { it.toString().replace('\n', ' ') }, PeerCatalogue.all()) { field ->
                withGpu {
                    withStructs {
                        ForeignProducer(this@withGpu, this).use { producer ->
                            val layout = PeerOptions.rows(50).withOffset(3).withNullEvery(4)
                            pause(producer.queue)
                            val made = producer.produce(field, layout.with(PeerQuirk.UNKNOWN_NULL_COUNT))
                            val array =
                                importDeviceArray(
                                    CStruct.deviceArrayAt(made.array),
                                    CStruct.schemaAt(made.schema),
                                )
                            var text = ""
                            val reading = thread { text = renderedCopy(array) }
                            resume(producer.queue)
                            reading.join()
                            text shouldBe made.text
                            array.close()
                        }
                    }
                }
            }
        }

        test("a waiter keeps the event of a foreign array, which is unusable once the array is closed") {
            withGpu {
                withStructs {
                    ForeignProducer(this@withGpu, this).use { producer ->
                        pause(producer.queue)
                        val made = producer.produce(Fields.int32, PeerOptions.rows(9))
                        val array =
                            importDeviceArray(
                                CStruct.deviceArrayAt(made.array),
                                CStruct.schemaAt(made.schema),
                            )
                        val event = array.readyEvent.shouldNotBeNull()
                        val released = peer.counters().released()
                        val called = CountDownLatch(1)
                        event.whenComplete(called::countDown)
                        array.close()
                        peer.counters().released() shouldBe released
                        resume(producer.queue)
                        called.await()
                        // Another thread releases the array, after the action.
                        eventually(5.seconds) { peer.counters().released() shouldBe released + 1 }
                        shouldThrow<IllegalStateException> { event.isComplete() }.message shouldContain "released"
                        shouldThrow<IllegalStateException> { event.await() }
                        shouldThrow<IllegalStateException> { event.whenComplete {} }
                    }
                }
            }
        }

        test("a foreign array is exported again with its event, with or without a runtime for its device") {
            withGpu {
                withStructs {
                    ForeignProducer(this@withGpu, this).use { producer ->
                        pause(producer.queue)
                        val made = producer.produce(Fields.utf8, PeerOptions.rows(9))
                        val event = NativeMemory.getLong(made.array + SYNC_EVENT)
                        val out = deviceArray()
                        ArrowExport.exportDeviceArray(
                            importDeviceArray(
                                CStruct.deviceArrayAt(made.array),
                                CStruct.schemaAt(made.schema),
                            ),
                            CStruct.deviceArrayAt(out),
                        )
                        NativeMemory.getLong(out + SYNC_EVENT) shouldBe event
                        NativeMemory.putLong(out + DEVICE_ID, 77)
                        val strange =
                            importDeviceArray(CStruct.deviceArrayAt(out), ArrowType.UTF8, Validation.STRUCTURE)
                        strange.device shouldBe Device(DeviceType.EXT_DEV, 77)
                        shouldThrow<IllegalStateException> { strange.copyTo(Device.CPU) }
                        ArrowExport.exportDeviceArray(strange, CStruct.deviceArrayAt(out))
                        NativeMemory.getLong(out + SYNC_EVENT) shouldBe event
                        resume(producer.queue)
                        peer.releaseArray(out)
                    }
                }
            }
        }

        test("a batch is copied to the device, exported, imported and copied back") {
            withGpu {
                withStructs {
                    val out = deviceArray()
                    val schema = schema()
                    whilePaused {
                        ArrowExport.exportDeviceBatch(
                            batch(runtime()),
                            CStruct.deviceArrayAt(out),
                            CStruct.schemaAt(schema),
                        )
                    }
                    importDeviceBatch(CStruct.deviceArrayAt(out), CStruct.schemaAt(schema)).use { there ->
                        there.device shouldBe device()
                        there.copyTo(Device.CPU).use { back -> batch().use { it.valuesEqual(back) shouldBe true } }
                    }
                }
            }
        }

        context("streams") {
            fun Structs.exported(stream: DeviceArrayStream): Long =
                deviceStream().also { ArrowExport.exportDeviceStream(stream, CStruct.deviceArrayStreamAt(it)) }

            test("a stream of device batches is read through the C interface") {
                withGpu {
                    withStructs {
                        val batches = List(3) { batch(runtime()) }
                        val address = exported(DeviceArrayStream.of(batches[0].schema, batches))
                        importDeviceStream(CStruct.deviceArrayStreamAt(address)).use { stream ->
                            stream.deviceType shouldBe DeviceType.EXT_DEV
                            repeat(2) {
                                stream.nextBatch().shouldNotBeNull().use { there ->
                                    there.copyTo(Device.CPU).use { back ->
                                        batch().use { it.valuesEqual(back) shouldBe true }
                                    }
                                }
                            }
                        }
                    }
                }
            }

            test("a stream with an array on another device type fails, ours or foreign") {
                withGpu {
                    withStructs {
                        for (type in listOf(DeviceType.CPU, DeviceType.EXT_DEV)) {
                            val other: DeviceReference = if (type == DeviceType.CPU) runtime() else Device.CPU
                            val of = {
                                batch(
                                    other,
                                ).let { DeviceArrayStream.of(it.schema, type, listOf(it).iterator()) {} }
                            }
                            of().use { stream ->
                                shouldThrow<IllegalArgumentException> { stream.nextBatch() }.message shouldContain
                                    "in a stream on ${DeviceType.name(type)}"
                            }
                            importDeviceStream(CStruct.deviceArrayStreamAt(exported(of()))).use { stream ->
                                shouldThrow<ForeignException> { stream.nextBatch() }.message shouldContain
                                    "in a stream on"
                            }
                            val lying =
                                batch(other).let {
                                    exported(DeviceArrayStream.of(it.schema, listOf(it)))
                                }
                            NativeMemory.putInt(lying + STREAM_DEVICE_TYPE, type)
                            importDeviceStream(CStruct.deviceArrayStreamAt(lying)).use { stream ->
                                shouldThrow<InvalidArrayException> { stream.nextBatch() }.message shouldContain
                                    "in a stream on ${DeviceType.name(type)}"
                            }
                        }
                        ReleaseBalance.awaitDeferredReleases()
                    }
                }
            }

            test("an async stream sends device arrays, and fails for one on another device type") {
                withGpu {
                    val consumer = Consumer(window = 2)
                    val field = batch().use { it.schema.toStruct() }
                    val failures = mutableListOf<Throwable>()
                    val export =
                        AsyncExport.open(
                            consumer.handler,
                            field,
                            DeviceType.EXT_DEV,
                            Metadata.EMPTY,
                            object : AsyncExport.Listener {
                                override fun onRequest() = Unit

                                override fun onCancel() = Unit

                                override fun onTaskFailure(failure: Throwable) {
                                    failures += failure
                                }
                            },
                        )
                    export.start() shouldBe true
                    consumer.deviceType shouldBe DeviceType.EXT_DEV
                    export.offer(work(runtime()), Metadata.EMPTY) shouldBe true
                    consumer.takeArray().use { there ->
                        there.device shouldBe device()
                        there.copyTo(Device.CPU).use { back ->
                            batch().intoStruct().use { it.valuesEqual(back) shouldBe true }
                        }
                    }
                    export.offer(work(Device.CPU), Metadata.EMPTY) shouldBe true
                    shouldThrow<ForeignException> { consumer.takeArray() }
                    failures.single().message shouldBe "an array on CPU in a stream on EXT_DEV"
                    export.end()
                    export.release()
                    consumer.rest()
                    ReleaseBalance.awaitDeferredReleases()
                }
            }
        }
    })

private fun work(device: DeviceReference): AsyncWork =
    object : AsyncWork {
        override fun extract(): DeviceArray = batch(device).intoStruct()

        override fun discard() = Unit
    }
