package dev.arrowdevice.cuda

import dev.arrowdevice.addAll
import dev.arrowdevice.deviceArray
import dev.arrowdevice.spi.DeviceRuntime
import jcuda.Pointer
import jcuda.driver.CUfunction
import jcuda.driver.CUmodule
import jcuda.driver.CUresult
import jcuda.driver.JCudaDriver.cuLaunchKernel
import jcuda.driver.JCudaDriver.cuModuleGetFunction
import jcuda.driver.JCudaDriver.cuModuleLoadData
import jcuda.driver.JCudaDriver.cuModuleUnload

/** The numbers from 0 to [count], which a kernel that JCuda launches has doubled. */
internal fun CudaRuntime.doubledByKernel(count: Int): List<Float> {
    val module = CUmodule()
    val kernel = CUfunction()
    inContext {
        requireSuccess("cuModuleLoadData", cuModuleLoadData(module, DOUBLED))
        requireSuccess("cuModuleGetFunction", cuModuleGetFunction(kernel, module, "doubled"))
    }
    val doubled =
        deviceArray<Float> { addAll(List(count) { it.toFloat() }) }.use { array ->
            val values = checkNotNull(array.data.buffer(1))
            createQueue().use { queue ->
                withBuffer(values.byteSize) { onGpu ->
                    copyAsync(values, 0, onGpu, 0, values.byteSize, queue)
                    waitFor(queue, array.readyEvent)
                    inContext {
                        val arguments = Pointer.to(Pointer.to(pointer(onGpu)), Pointer.to(intArrayOf(count)))
                        val blocks = (count + THREADS - 1) / THREADS
                        val stream = stream(queue)
                        requireSuccess(
                            "cuLaunchKernel",
                            cuLaunchKernel(kernel, blocks, 1, 1, THREADS, 1, 1, 0, stream, arguments, null),
                        )
                    }
                    withBuffer(values.byteSize, DeviceRuntime::allocateStaging) { back ->
                        copyAsync(onGpu, 0, back, 0, values.byteSize, queue)
                        record(queue).use { it.await() }
                        List(count) { back.memory().getFloat(4L * it) }
                    }
                }
            }
        }
    inContext { requireSuccess("cuModuleUnload", cuModuleUnload(module)) }
    return doubled
}

private fun requireSuccess(
    function: String,
    code: Int,
) = check(code == CUresult.CUDA_SUCCESS) { "$function: ${CUresult.stringFor(code)}" }

private const val THREADS = 256

/** Of PTX 6.0, which every driver of CUDA 12 translates for its GPU. */
private val DOUBLED =
    """
    .version 6.0
    .target sm_50
    .address_size 64

    .visible .entry doubled(.param .u64 values, .param .u32 count)
    {
        .reg .pred %p<2>;
        .reg .f32 %f<3>;
        .reg .b32 %r<6>;
        .reg .b64 %rd<5>;

        ld.param.u64 %rd1, [values];
        ld.param.u32 %r1, [count];
        mov.u32 %r2, %ctaid.x;
        mov.u32 %r3, %ntid.x;
        mov.u32 %r4, %tid.x;
        mad.lo.s32 %r5, %r2, %r3, %r4;
        setp.ge.u32 %p1, %r5, %r1;
        @%p1 bra DONE;
        cvta.to.global.u64 %rd2, %rd1;
        mul.wide.u32 %rd3, %r5, 4;
        add.s64 %rd4, %rd2, %rd3;
        ld.global.f32 %f1, [%rd4];
        add.f32 %f2, %f1, %f1;
        st.global.f32 [%rd4], %f2;
    DONE:
        ret;
    }
    """.trimIndent()
