package dev.arrowdevice.cuda

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.spi.AddressRange
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.spi.NativeFunctions
import dev.arrowdevice.spi.NativeLibrary
import dev.arrowdevice.testkit.SimulatedDriverMode
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import jcuda.driver.CUpointer_attribute
import jcuda.driver.CUresult
import java.lang.foreign.Arena
import java.lang.invoke.MethodHandles

private const val SIZE = 640L

internal fun api(without: String = ""): JCudaApi {
    val library = NativeLibrary.search("simulated driver").files(listOf(requireNotNull(simulated).path())).open()
    return JCudaApi(
        NativeFunctions.of(
            MethodHandles.lookup(),
            JCudaGaps::class.java,
            { if (it == without) 0 else library.address(it) },
            "the simulated driver",
        ),
        true,
    )
}

internal fun library(without: String = "") = CudaLibrary(api(without))

/** The driver, but that all memory is of a context. */
private class InContext(
    private val context: Long,
    private val cuda: CudaApi = api(),
) : CudaApi by cuda {
    override fun cuPointerGetAttributes(
        values: LongArray,
        attributes: IntArray,
        address: Long,
    ): Int {
        val code = cuda.cuPointerGetAttributes(values, attributes, address)
        attributes.forEachIndexed { i, attribute ->
            if (attribute == CUpointer_attribute.CU_POINTER_ATTRIBUTE_CONTEXT) values[i] = context
        }
        return code
    }
}

private fun <T> CudaDriver.lent(test: (CudaDriver) -> T): T =
    try {
        test(this)
    } finally {
        close()
    }

/** What CUDA's driver knows about an address besides its device: the allocation, the context. */
class CudaPointersTest :
    FunSpec({
        for (modes in listOf(setOf(), setOf(SimulatedDriverMode.ROUNDED_RANGES))) {
            test("the allocation of an address is known for memory of cuMemAlloc, at least as long as that $modes") {
                simulated?.modes(modes)
                withGpu {
                    withBuffer(SIZE) {
                        for (inside in listOf(0, 1, SIZE - 1)) {
                            val found = checkNotNull(allocationOf(it.address + inside))
                            found.address() shouldBe it.address
                            found.byteSize() shouldBeGreaterThanOrEqual SIZE
                        }
                    }
                }
                simulated?.modes(setOf())
            }
        }

        test("the allocation is unknown for memory of the host, managed memory and memory of a pool") {
            withGpu {
                Arena.ofConfined().use { allocationOf(it.allocate(64).address()) shouldBe null }
                withBuffer(SIZE, DeviceRuntime::allocateStaging) { allocationOf(it.address) shouldBe null }
                createQueue().use { queue ->
                    withBuffer(SIZE, { allocateAsync(it, queue) }) {
                        queue.synchronize()
                        allocationOf(it.address) shouldBe null
                    }
                }
                cudaManaged().use { managed ->
                    managed.withBuffer(SIZE) { managed.allocationOf(it.address) shouldBe null }
                }
            }
        }

        test("the allocation is unknown if the driver fails or lacks the functions")
            .config(enabledOrReasonIf = onlySimulated) {
                withGpu {
                    val failing = requireNotNull(simulated)
                    withBuffer(SIZE) {
                        for (function in listOf("cuPointerGetAttributes", "cuMemGetAddressRange_v2")) {
                            failing.failNext(function, CUresult.CUDA_ERROR_NOT_FOUND)
                            allocationOf(it.address) shouldBe null
                            allocationOf(it.address) shouldBe AddressRange(it.address, SIZE)
                        }
                        CudaDriver(library(without = "cuPointerGetAttributes"), 0).lent { driver ->
                            driver.allocationOf(it.address) shouldBe null
                        }
                    }
                }
            }

        test("an array over two allocations is refused, strided or not, and its owner closed once") {
            withGpu {
                withBuffer(SIZE) { one ->
                    withBuffer(SIZE) { two ->
                        val first = minOf(one.address, two.address)
                        val distance = maxOf(one.address, two.address) - first
                        val strided = mapOf("shape" to listOf(2), "strides" to listOf(distance))
                        for (layout in listOf(strided, mapOf("shape" to listOf(distance / 4 + 1)))) {
                            var closed = 0
                            val map =
                                layout + mapOf("typestr" to "<i4", "data" to listOf(first, false), "version" to 2)
                            shouldThrow<IllegalArgumentException> {
                                CudaArrayInterface
                                    .fromMap(map)
                                    .importArray({ closed++ }, ImportOptions.on(device).copying())
                            }.message shouldContain
                                "leaves the allocation of $SIZE bytes at 0x${first.toString(16)}"
                            closed shouldBe 1
                        }
                    }
                }
            }
        }

        test("memory of another context is not the runtime's, and memory of a pool, which has no context, is")
            .config(enabledOrReasonIf = onlySimulated) {
                withGpu {
                    withBuffer(SIZE) { buffer ->
                        fun owner(context: Long) =
                            CudaDriver(CudaLibrary(InContext(context)), 0).lent { it.deviceOf(buffer.address, device) }
                        val own = CudaDriver(library(), 0).lent { it.calls().primaryContext() }
                        owner(own) shouldBe device
                        owner(0) shouldBe device
                        owner(own + 1) shouldBe null
                    }
                    val pinned = CudaDriver(CudaLibrary(InContext(1)), 0)
                    pinned.lent {
                        val address = it.allocate(MemoryKind.HOST, SIZE)
                        it.deviceOf(address, device) shouldBe Device(DeviceType.CUDA_HOST, 0)
                        it.free(MemoryKind.HOST, address)
                    }
                }
            }
    })
