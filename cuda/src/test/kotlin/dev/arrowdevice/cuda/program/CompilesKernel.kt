package dev.arrowdevice.cuda.program

import dev.arrowdevice.cuda.Nvrtc
import dev.arrowdevice.spi.DeviceUnavailableException
import jcuda.nvrtc.JNvrtc
import jcuda.nvrtc.nvrtcProgram

/** A program that compiles a kernel, as users of JCuda do, once NVRTC has been loaded. */
object CompilesKernel {
    @JvmStatic
    fun main(arguments: Array<String>) {
        try {
            Nvrtc.load()
            Nvrtc.load()
        } catch (e: DeviceUnavailableException) {
            println("no NVRTC: ${e.message}")
            return
        }
        val program = nvrtcProgram()
        val source = "extern \"C\" __global__ void doubled(float* values) { values[threadIdx.x] *= 2; }"
        JNvrtc.nvrtcCreateProgram(program, source, "doubled.cu", 0, null, null)
        JNvrtc.nvrtcCompileProgram(program, 0, null)
        val ptx = arrayOfNulls<String>(1)
        JNvrtc.nvrtcGetPTX(program, ptx)
        JNvrtc.nvrtcDestroyProgram(program)
        println(ptx[0]!!.lines().single { ".entry" in it })
    }
}
