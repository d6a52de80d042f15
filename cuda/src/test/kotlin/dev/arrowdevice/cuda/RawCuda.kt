package dev.arrowdevice.cuda

import dev.arrowdevice.spi.NativeMemory
import jcuda.driver.CUmemAttach_flags
import jcuda.driver.CUresult
import jcuda.driver.JCudaDriver

/** The driver's functions beside the runtime, in the context of its GPU. A failure is an [IllegalStateException]. */
internal class RawCuda(
    val gpu: CudaRuntime,
) {
    private val library = CudaSearch.ofProcess().load()
    val api: CudaApi = CudaLibrary.load(CudaSearch.ofProcess()).api

    /** Whether the driver has a function. JCuda ends the process if it calls one that is missing. */
    fun has(function: String): Boolean = library.address(function) != 0L

    fun run(
        function: String,
        call: () -> Int,
    ) {
        val code = gpu.inContext(call)
        check(code == CUresult.CUDA_SUCCESS) { "$function: ${api.cuGetErrorName(code)}" }
    }

    /** What a function writes to its first argument. */
    fun made(
        function: String,
        call: (LongArray) -> Int,
    ): Long {
        val out = LongArray(1)
        run(function) { call(out) }
        return out[0]
    }

    fun attribute(number: Int): Int {
        val out = IntArray(1)
        run("cuDeviceGetAttribute") { api.cuDeviceGetAttribute(out, number, 0) }
        return out[0]
    }

    /** Fills memory by a kernel of the driver. */
    fun fill(
        address: Long,
        byteSize: Long,
        stream: Long,
    ) = run("cuMemsetD8Async") {
        JCudaDriver.cuMemsetD8Async(JCudaTypes.pointer(address), 0, byteSize, JCudaTypes.stream(stream))
    }

    /** Runs an action on a thread of the driver. */
    fun callBack(
        stream: Long,
        action: () -> Unit,
    ) = run("cuLaunchHostFunc") { JCudaDriver.cuLaunchHostFunc(JCudaTypes.stream(stream), { action() }, null) }
}

/** The kinds of memory that a program can have, by the function that allocates it. */
internal enum class RawMemory(
    val function: String,
) {
    DEVICE("cuMemAlloc") {
        override fun allocate(
            raw: RawCuda,
            byteSize: Long,
            stream: Long,
        ) = raw.made(function) { raw.api.cuMemAlloc(it, byteSize) }

        override fun free(
            raw: RawCuda,
            address: Long,
            stream: Long,
        ) = raw.run("cuMemFree") { raw.api.cuMemFree(address) }
    },
    POOL("cuMemAllocAsync") {
        override fun allocate(
            raw: RawCuda,
            byteSize: Long,
            stream: Long,
        ) = raw.made(function) { raw.api.cuMemAllocAsync(it, byteSize, stream) }

        override fun free(
            raw: RawCuda,
            address: Long,
            stream: Long,
        ) = raw.run("cuMemFreeAsync") { raw.api.cuMemFreeAsync(address, stream) }
    },
    PINNED("cuMemHostAlloc") {
        override fun allocate(
            raw: RawCuda,
            byteSize: Long,
            stream: Long,
        ) = raw.made(function) { raw.api.cuMemHostAlloc(it, byteSize, JCudaDriver.CU_MEMHOSTALLOC_PORTABLE) }

        override fun free(
            raw: RawCuda,
            address: Long,
            stream: Long,
        ) = raw.run("cuMemFreeHost") { raw.api.cuMemFreeHost(address) }
    },
    MANAGED("cuMemAllocManaged") {
        override fun allocate(
            raw: RawCuda,
            byteSize: Long,
            stream: Long,
        ) = raw.made(function) { raw.api.cuMemAllocManaged(it, byteSize, CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL) }

        override fun free(
            raw: RawCuda,
            address: Long,
            stream: Long,
        ) = raw.run("cuMemFree") { raw.api.cuMemFree(address) }
    },
    PLAIN("malloc") {
        override fun allocate(
            raw: RawCuda,
            byteSize: Long,
            stream: Long,
        ) = NativeMemory.allocate(byteSize)

        override fun free(
            raw: RawCuda,
            address: Long,
            stream: Long,
        ) = NativeMemory.free(address)
    },
    ;

    abstract fun allocate(
        raw: RawCuda,
        byteSize: Long,
        stream: Long,
    ): Long

    abstract fun free(
        raw: RawCuda,
        address: Long,
        stream: Long,
    )
}
