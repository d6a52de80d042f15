package dev.arrowdevice.cuda

import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DeviceRuntime
import jcuda.driver.CUresult
import jcuda.driver.CUstreamWaitValue_flags
import jcuda.driver.JCudaDriver
import java.lang.invoke.VarHandle
import java.util.concurrent.atomic.AtomicInteger

/**
 * Streams that wait for a word of pinned memory, which the host writes. Unlike a host function that blocks, this stops no
 * thread of the driver. All words are allocated at once, because that may wait for streams.
 */
internal class HeldStreams(
    private val gpu: CudaRuntime,
) : AutoCloseable {
    private val words: DeviceBuffer = gpu.allocateStaging(WORDS * Int.SIZE_BYTES)
    private val used = AtomicInteger()

    init {
        words.memory().fill(0, words.byteSize, 0)
    }

    /** Holds a stream, and returns what lets it go. */
    fun hold(stream: Long): Runnable {
        val at = used.getAndIncrement() * Int.SIZE_BYTES.toLong()
        val code = gpu.waitForValue(stream, words, at)
        check(code == CUresult.CUDA_SUCCESS) { CUresult.stringFor(code) }
        return Runnable {
            words.memory().putInt(at, LET_GO)
            VarHandle.fullFence()
        }
    }

    override fun close() = words.owner.release()

    companion object {
        private const val WORDS = 64L

        private val possible: Boolean by lazy {
            cuda(0).use { gpu ->
                gpu.withBuffer(Int.SIZE_BYTES.toLong(), DeviceRuntime::allocateStaging) { word ->
                    word.memory().putInt(0, LET_GO)
                    gpu.createQueue().use { queue ->
                        val code = gpu.waitForValue(queue.handle, word, 0)
                        if (code == CUresult.CUDA_SUCCESS) queue.synchronize()
                        code == CUresult.CUDA_SUCCESS
                    }
                }
            }
        }

        /** Null if the GPU or its driver can't do it. */
        fun of(gpu: CudaRuntime): HeldStreams? = if (possible) HeldStreams(gpu) else null
    }
}

private const val LET_GO = 1

private fun CudaRuntime.waitForValue(
    stream: Long,
    word: DeviceBuffer,
    at: Long,
): Int =
    inContext {
        JCudaDriver.cuStreamWaitValue32(
            JCudaTypes.stream(stream),
            JCudaTypes.pointer(word.address + at),
            LET_GO,
            CUstreamWaitValue_flags.CU_STREAM_WAIT_VALUE_GEQ,
        )
    }
