package dev.arrowdevice.cuda.program

import dev.arrowdevice.cuda.RawCuda
import dev.arrowdevice.cuda.balanced
import dev.arrowdevice.cuda.cuda
import dev.arrowdevice.cuda.doubledByKernel

/** Launches a kernel on an array's buffer. The simulated driver can't, and the program says so. */
internal object LaunchesKernel {
    private const val COUNT = 100_000

    @JvmStatic
    fun main(arguments: Array<String>) {
        cuda(0).use { gpu ->
            if (!RawCuda(gpu).has("cuModuleLoadData")) {
                println("not launched: ${gpu.description} runs no kernels")
                return
            }
            balanced {
                val doubled = gpu.doubledByKernel(COUNT)
                check(doubled == List(COUNT) { 2f * it }) { "the kernel has computed ${doubled.take(10)}" }
            }
            println("the kernel has doubled $COUNT numbers")
        }
    }
}
