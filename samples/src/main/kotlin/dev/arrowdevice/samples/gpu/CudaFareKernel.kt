package dev.arrowdevice.samples.gpu

import dev.arrowdevice.DeviceException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.cuda.CudaRuntime
import dev.arrowdevice.samples.gpu.FareKernel.Companion.HOURS_OF_A_DAY
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DeviceQueue
import jcuda.Pointer
import jcuda.driver.CUdevice
import jcuda.driver.CUdevice_attribute
import jcuda.driver.CUfunction
import jcuda.driver.CUmodule
import jcuda.driver.CUresult
import jcuda.driver.JCudaDriver.cuDeviceGet
import jcuda.driver.JCudaDriver.cuDeviceGetAttribute
import jcuda.driver.JCudaDriver.cuLaunchKernel
import jcuda.driver.JCudaDriver.cuModuleGetFunction
import jcuda.driver.JCudaDriver.cuModuleLoadData
import jcuda.driver.JCudaDriver.cuModuleUnload

/**
 * The computation in CUDA C++, compiled for this GPU when the program runs, and launched by JCuda on our queues and on the
 * buffers of our arrays.
 *
 * @param gpu is not closed with this
 * @throws dev.arrowdevice.spi.DeviceUnavailableException if the compiler is not installed
 */
internal class CudaFareKernel(
    private val gpu: CudaRuntime,
) : FareKernel {
    private val module = CUmodule()
    private val function = CUfunction()

    init {
        val image = KernelCompiler.compile(SOURCE, "fares.cu", computeCapability())
        gpu.inContext {
            ok("cuModuleLoadData", cuModuleLoadData(module, image))
            try {
                ok("cuModuleGetFunction", cuModuleGetFunction(function, module, "fares"))
            } catch (e: Throwable) {
                cuModuleUnload(module)
                throw e
            }
        }
    }

    private fun computeCapability(): Int {
        val device = CUdevice()
        ok("cuDeviceGet", cuDeviceGet(device, gpu.device.id().toInt()))

        fun attribute(number: Int): Int {
            val value = IntArray(1)
            ok("cuDeviceGetAttribute", cuDeviceGetAttribute(value, number, device))
            return value[0]
        }
        return 10 * attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
            attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
    }

    override fun launch(
        queue: DeviceQueue,
        trips: RecordBatch,
        hours: RecordBatch,
    ) {
        val columns = List(trips.columnCount) { trips.column(it).data }
        val results = List(hours.columnCount) { hours.column(it).data }
        val tip = columns[2]
        // Pointers to the arguments' values, in the kernel's order. The driver has read them when cuLaunchKernel returns.
        val arguments =
            columns.map { pointer(it.values(Int.SIZE_BYTES)) } +
                pointer(tip.buffer(0)) +
                number(tip.offset) +
                number(trips.rowCount) +
                results.map { pointer(it.values(Long.SIZE_BYTES)) }
        val blocks = ((trips.rowCount + THREADS - 1) / THREADS).coerceIn(1, BLOCKS).toInt()
        gpu.inContext {
            val all = Pointer.to(*arguments.toTypedArray())
            ok(
                "cuLaunchKernel",
                cuLaunchKernel(function, blocks, 1, 1, THREADS, 1, 1, 0, gpu.stream(queue), all, null),
            )
        }
    }

    /** The argument for a buffer, NULL for one that is absent. */
    private fun pointer(buffer: DeviceBuffer?): Pointer =
        if (buffer == null) number(0) else Pointer.to(gpu.pointer(buffer))

    private fun number(value: Long): Pointer = Pointer.to(longArrayOf(value))

    private fun ok(
        function: String,
        code: Int,
    ) {
        if (code != CUresult.CUDA_SUCCESS) {
            throw DeviceException(gpu.device, function, code, CUresult.stringFor(code))
        }
    }

    /** Unloads the kernel, which must not run any more. */
    override fun close() {
        gpu.inContext { ok("cuModuleUnload", cuModuleUnload(module)) }
    }

    internal companion object {
        private const val THREADS = 256

        /** Enough for every GPU: each thread loops over its share of the rows. */
        private const val BLOCKS = 1024L

        /** Each block adds up in its shared memory, and then once in the GPU's memory. */
        const val SOURCE = """
            extern "C" __global__ void fares(
                const int* second, const int* metres, const int* tip, const unsigned char* tip_valid, long long first_tip,
                long long rows, unsigned long long* trips, unsigned long long* cents)
            {
                __shared__ unsigned long long block_trips[$HOURS_OF_A_DAY], block_cents[$HOURS_OF_A_DAY];
                for (int hour = threadIdx.x; hour < $HOURS_OF_A_DAY; hour += blockDim.x) {
                    block_trips[hour] = 0;
                    block_cents[hour] = 0;
                }
                __syncthreads();
                long long step = (long long) gridDim.x * blockDim.x;
                for (long long row = (long long) blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += step) {
                    int hour = second[row] / 3600;
                    long long fare = 350 + metres[row] * (hour < 6 ? 3LL : 2LL) / 10;
                    long long bit = first_tip + row;
                    if (tip_valid == 0 || (tip_valid[bit >> 3] >> (bit & 7) & 1)) fare += tip[row];
                    atomicAdd(&block_trips[hour], 1ULL);
                    atomicAdd(&block_cents[hour], (unsigned long long) fare);
                }
                __syncthreads();
                for (int hour = threadIdx.x; hour < $HOURS_OF_A_DAY; hour += blockDim.x) {
                    atomicAdd(&trips[hour], block_trips[hour]);
                    atomicAdd(&cents[hour], block_cents[hour]);
                }
            }
        """
    }
}
