package dev.arrowdevice.samples.gpu

import dev.arrowdevice.cuda.Nvrtc
import jcuda.nvrtc.JNvrtc
import jcuda.nvrtc.nvrtcProgram
import jcuda.nvrtc.nvrtcResult

/** Compiles CUDA C++ by NVRTC to an image for `cuModuleLoadData`. Needs no GPU. */
internal object KernelCompiler {
    /**
     * Compiles for one kind of GPU: to its machine code, which every driver of the compiler's major version loads, or for a
     * GPU that is newer than the compiler to PTX, which the driver translates.
     *
     * @param computeCapability of the GPU, such as 90 for 9.0
     * @throws dev.arrowdevice.spi.DeviceUnavailableException if NVRTC is not installed
     * @throws IllegalArgumentException if the source does not compile, with the compiler's log
     */
    fun compile(
        source: String,
        fileName: String,
        computeCapability: Int,
    ): ByteArray {
        Nvrtc.load()
        val known = supported().filter { it <= computeCapability }
        val isKnown = computeCapability in known
        val architecture = if (isKnown) "sm_$computeCapability" else "compute_${known.max()}"
        val program = nvrtcProgram()
        ok("nvrtcCreateProgram", JNvrtc.nvrtcCreateProgram(program, source, fileName, 0, null, null))
        try {
            val options = arrayOf("--gpu-architecture=$architecture")
            val code = JNvrtc.nvrtcCompileProgram(program, options.size, options)
            require(code == nvrtcResult.NVRTC_SUCCESS) { "$fileName for $architecture: ${log(program)}" }
            return if (isKnown) machineCode(program) else ptx(program)
        } finally {
            JNvrtc.nvrtcDestroyProgram(program)
        }
    }

    /** The compute capabilities that this version of NVRTC knows. */
    fun supported(): List<Int> {
        Nvrtc.load()
        val count = IntArray(1)
        ok("nvrtcGetNumSupportedArchs", JNvrtc.nvrtcGetNumSupportedArchs(count))
        return IntArray(count[0])
            .also { ok("nvrtcGetSupportedArchs", JNvrtc.nvrtcGetSupportedArchs(it)) }
            .toList()
    }

    private fun machineCode(program: nvrtcProgram): ByteArray {
        val size = LongArray(1)
        ok("nvrtcGetCUBINSize", JNvrtc.nvrtcGetCUBINSize(program, size))
        return ByteArray(size[0].toInt()).also { ok("nvrtcGetCUBIN", JNvrtc.nvrtcGetCUBIN(program, it)) }
    }

    /** Text that ends with a zero. */
    private fun ptx(program: nvrtcProgram): ByteArray {
        val text = arrayOfNulls<String>(1)
        ok("nvrtcGetPTX", JNvrtc.nvrtcGetPTX(program, text))
        return "${text[0]}\u0000".toByteArray()
    }

    private fun log(program: nvrtcProgram): String {
        val text = arrayOfNulls<String>(1)
        JNvrtc.nvrtcGetProgramLog(program, text)
        return text[0].orEmpty()
    }

    private fun ok(
        function: String,
        code: Int,
    ) {
        check(code == nvrtcResult.NVRTC_SUCCESS) { "$function failed with $code (${JNvrtc.nvrtcGetErrorString(code)})" }
    }
}
