package dev.arrowdevice.samples.gpu

import dev.arrowdevice.DeviceException
import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.addAll
import dev.arrowdevice.recordBatch
import dev.arrowdevice.samples.gpu.FareKernel.Companion.TRIPS
import dev.arrowdevice.samples.gpu.GpuPipeline.Totals
import dev.arrowdevice.samples.gpu.OnSimulatedDevice.Companion.onSimulatedDevice
import dev.arrowdevice.samples.gpu.OnSimulatedDevice.Companion.withTrips
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.TraceEntry.Phase
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope

/**
 * Tests code for GPUs without a GPU, on the simulated device of `arrow-device-testkit`. The device is asynchronous like
 * a GPU, and a test decides what happens when.
 *
 * * `pause` stops a queue, so that a test sees what waits for it and what does not, without sleeping.
 * * `failNext` and `failCall` make it fail, `lose` takes it away.
 * * `trace` returns what happened, in order.
 * * Closing it fails if there was a mistake, such as memory freed while a kernel reads it. Around it [ReleaseBalance]
 *   fails if anything was not released.
 */
class GpuPipelineTest :
    FunSpec({
        test("the next batch is transferred while the kernel still waits") {
            onSimulatedDevice { queues ->
                device.pause(queues.compute)
                val results = List(2) { trips().use { pipeline.queue(it, queues) } }
                queues.transfer.synchronize() // Would wait for ever if a transfer waited for a kernel.
                count(Operation.COPY, Phase.DONE, queues.transfer.handle) shouldBe 2 * COPIES_OF_A_BATCH
                count(Operation.KERNEL, Phase.STARTED) shouldBe 0
                device.resume(queues.compute)
                results.sums() shouldBe List(2) { TRIPS_AND_CENTS }
            }
        }

        test("the kernel waits until the batch is transferred, and nothing waits on the host") {
            onSimulatedDevice { queues ->
                device.pause(queues.transfer)
                val result = trips().use { pipeline.queue(it, queues) }
                result.readyEvent!!.isComplete shouldBe false
                count(Operation.COPY, Phase.DONE, queues.transfer.handle) shouldBe 0
                device.resume(queues.transfer)
                listOf(result).sums() shouldBe listOf(TRIPS_AND_CENTS)
                val order = device.trace().map { Triple(it.operation(), it.phase(), it.queue()) }
                val kernel = order.indexOf(Triple(Operation.KERNEL, Phase.STARTED, queues.compute.handle))
                val copy = order.lastIndexOf(Triple(Operation.COPY, Phase.DONE, queues.transfer.handle))
                kernel shouldBeGreaterThan copy
            }
        }

        test("the batch's memory is freed after the kernel, not before") {
            onSimulatedDevice { queues ->
                device.pause(queues.compute)
                val result = trips().use { pipeline.queue(it, queues) }
                count(Operation.FREE_ASYNC, Phase.CALLED, queues.transfer.handle) shouldBe 0
                device.resume(queues.compute)
                listOf(result).sums()
                ReleaseBalance.awaitDeferredReleases()
                count(Operation.FREE_ASYNC, Phase.CALLED, queues.transfer.handle) shouldBe 1
            }
        }

        test("the sum of a slice with nulls starts at its own first row") {
            onSimulatedDevice { queues ->
                val result = trips().use { all -> all.slice(3, 2).use { pipeline.queue(it, queues) } }
                listOf(result).sums() shouldBe listOf(mapOf(7 to (1L to 350 + 800L), 23 to (1L to 350 + 1000L + 9)))
            }
        }

        test("if memory runs out the call throws, and works again when there is memory") {
            onSimulatedDevice { queues ->
                trips().use { batch ->
                    device.failNext(Operation.ALLOCATE_ASYNC)
                    shouldThrow<OutOfDeviceMemoryException> { pipeline.queue(batch, queues) }
                    listOf(pipeline.queue(batch, queues)).sums() shouldBe listOf(TRIPS_AND_CENTS)
                }
            }
        }

        test("the failure of any kernel fails the run") {
            withTrips { duck ->
                for (passing in 0..2) {
                    onSimulatedDevice { _ ->
                        device.failLater(Operation.KERNEL, passing)
                        shouldThrow<DeviceException> { run(duck) }
                    }
                }
            }
        }

        test("if any call of the device fails, the run fails or has the right sums, and everything is released") {
            withTrips { duck ->
                val right = onSimulatedDevice { _ -> run(duck).cents.toList() }
                var failed = 0
                var passing = 0
                do {
                    val tried =
                        onSimulatedDevice { _ ->
                            device.failCall(passing++)
                            try {
                                // A call that frees or destroys has done so even if it fails, and its failure is
                                // reported to nobody.
                                run(duck).cents.toList() shouldBe right
                            } catch (e: DeviceException) {
                                failed++
                            }
                            ReleaseBalance.awaitDeferredReleases()
                            device.clearFaults() == 0
                        }
                } while (tried)
                failed shouldBeGreaterThan 20
            }
        }

        test("a device that is lost in the middle fails the run") {
            withTrips { duck ->
                onSimulatedDevice { _ ->
                    shouldThrow<DeviceException> { run(duck) { device.lose() } }
                }
            }
        }

        test("a cancellation while results are awaited returns when the GPU is done, and releases everything") {
            withTrips { duck ->
                onSimulatedDevice { _ ->
                    // On which the zeros are transferred, for which all kernels wait.
                    val zeros = device.runtime().defaultQueue
                    device.pause(zeros)
                    val twoQueued = CompletableDeferred<Unit>()
                    var batches = 0
                    coroutineScope {
                        val run = async(Dispatchers.IO) { run(duck) { if (++batches == 2) twoQueued.complete(Unit) } }
                        twoQueued.await()
                        run.cancel()
                        count(Operation.KERNEL, Phase.STARTED) shouldBe 0
                        device.resume(zeros)
                        run.join()
                        run.isCancelled shouldBe true
                    }
                }
            }
        }
    })

/** Copies of one batch to the device: all of it is small enough to go in one. */
private const val COPIES_OF_A_BATCH = 1

/** Five trips, of which the second and the fourth gave no tip. */
private fun trips(): RecordBatch =
    recordBatch(TRIPS) {
        column<Int>("second") { addAll(listOf(0, 3600, 21600, 25200, 86399)) }
        column<Int>("metres") { addAll(listOf(1000, 2000, 3000, 4000, 5000)) }
        column<Int>("tip") { addAll(listOf(5, null, 7, null, 9)) }
    }

/** Of each hour in which there were any. */
private val TRIPS_AND_CENTS =
    mapOf(
        0 to (1L to 350 + 300L + 5),
        1 to (1L to 350 + 600L),
        6 to (1L to 350 + 600L + 7),
        7 to (1L to 350 + 800L),
        23 to (1L to 350 + 1000L + 9),
    )

/** Waits for the results and closes them. */
private fun List<RecordBatch>.sums(): List<Map<Int, Pair<Long, Long>>> =
    map { hours ->
        val totals = Totals().also { sums -> hours.use(sums::add) }
        totals.trips.indices
            .filter { totals.trips[it] > 0 }
            .associateWith { totals.trips[it] to totals.cents[it] }
    }
