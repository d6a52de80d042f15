package dev.arrowdevice.cuda

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceException
import dev.arrowdevice.addAll
import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.deviceArray
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.SimulatedDriver
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.booleans.shouldBeTrue
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe

/** Pinned memory on the way to a GPU and back: how often it is allocated, and when it is used again. */
class StagingTest :
    FunSpec({
        fun simulated(
            name: String,
            test: CudaRuntime.(SimulatedDriver) -> Unit,
        ) = test(name).config(enabledOrReasonIf = onlySimulated) {
            val driver = checkNotNull(simulated)
            try {
                withGpu {
                    Devices.trim()
                    driver.forget()
                    test(driver)
                }
            } finally {
                driver.reset()
            }
        }

        /** How often pinned memory is allocated meanwhile. */
        fun SimulatedDriver.pinned(action: () -> Unit): Int {
            forget()
            action()
            ReleaseBalance.awaitDeferredReleases()
            return trace().count { it.split(' ')[1] == "cuMemHostAlloc" }
        }

        fun CudaRuntime.shouldHold(
            copy: DeviceArray,
            original: DeviceArray,
        ) = copy.use { there ->
            there.await()
            there.copyTo(Device.CPU).use { it.valuesEqual(original).shouldBeTrue() }
        }

        simulated("copies of one size pin memory once") { driver ->
            longs(1000).use { array ->
                driver.pinned { repeat(20) { array.copyTo(this).close() } } shouldBe 1
                val there = array.copyTo(this)
                driver.pinned { repeat(20) { there.copyTo(Device.CPU).close() } } shouldBe 0
                there.close()
                driver.pinned {
                    repeat(
                        20,
                    ) { deviceArray<Long>(device = this) { addAll(0L..99L) }.use { it.await() } }
                } shouldBeInRange
                    0..8
            }
        }

        simulated("a block whose copy is pending is not written again") { driver ->
            requireNotNull(HeldStreams.of(this)).use { held ->
                createQueue().use { slow ->
                    createQueue().use { fast ->
                        longs(1000, 0).use { first ->
                            longs(1000, 1).use { second ->
                                driver.forget()
                                val letGo = held.hold(slow.handle)
                                val copied = first.copyToAsync(this, slow)
                                val others = List(3) { second.copyToAsync(this, fast).also { it.await() } }
                                letGo.run()
                                shouldHold(copied, first)
                                others.forEach { shouldHold(it, second) }
                                ReleaseBalance.awaitDeferredReleases()
                                driver.pinned { second.copyToAsync(this, slow).use { it.await() } } shouldBe 0
                            }
                        }
                    }
                }
            }
        }

        simulated("a large array goes through a few blocks, which later ones use again") { driver ->
            longs(LARGE).use { array ->
                driver.pinned { shouldHold(array.copyTo(this), array) } shouldBeInRange 2..5 // One is for the way back.
                driver.pinned { shouldHold(array.copyTo(this), array) } shouldBe 0
            }
        }

        simulated("a large copy that need not wait does not, and arrives") { driver ->
            requireNotNull(HeldStreams.of(this)).use { held ->
                createQueue().use { queue ->
                    longs(LARGE).use { array ->
                        val letGo = held.hold(queue.handle)
                        val copy = array.copyToAsync(this, queue)
                        copy.readyEvent!!.isComplete shouldBe false
                        letGo.run()
                        shouldHold(copy, array)
                        ReleaseBalance.awaitDeferredReleases()
                        driver.pinned { array.copyToAsync(this, queue).use { it.await() } } shouldBe 0
                    }
                }
            }
        }

        simulated("what the host computes may be larger than a block") { _ ->
            val count = 2_500_000L
            ArrayBuilder
                .of(ArrowType.UTF8)
                .use { builder ->
                    for (i in 0 until count) if (i % 7 == 0L) builder.appendNull() else builder.append("$i")
                    builder.finish()
                }.use { strings ->
                    strings.slice(5, count - 9).use { slice ->
                        shouldHold(slice.copyTo(this), slice)
                        createQueue().use { queue -> shouldHold(slice.copyToAsync(this, queue), slice) }
                    }
                }
        }

        simulated("a failure in the middle of a large copy gives all blocks back") { driver ->
            longs(LARGE).use { array ->
                driver.pinned { array.copyTo(this).close() }
                for (function in listOf("cuMemcpyHtoDAsync", "cuEventRecord")) {
                    for (passing in listOf(0L, 3L, 6L)) {
                        driver.failNext(function, SimulatedDriver.OUT_OF_MEMORY, passing)
                        ReleaseBalance.start().use {
                            shouldThrow<DeviceException> { array.copyTo(this) }
                        }
                        driver.clearErrors()
                    }
                }
                shouldHold(array.copyTo(this), array)
                driver.pinned { shouldHold(array.copyTo(this), array) } shouldBe 0
            }
        }

        simulated("pinned memory that is kept makes room for a size that is not there") { driver ->
            driver.pinnedBytes(3L shl 20)
            longs(250_000).use { array -> array.copyTo(this).close() }
            longs(140_000).use { array -> driver.pinned { shouldHold(array.copyTo(this), array) } shouldBeInRange 1..3 }
        }
    })

/** Of 36 MB. */
private const val LARGE = 4_500_000

private fun longs(
    count: Int,
    from: Long = 0,
): DeviceArray =
    ArrayBuilder.of(ArrowType.INT64).use { builder ->
        builder.appendAll(LongArray(count) { from + it })
        builder.finish()
    }
