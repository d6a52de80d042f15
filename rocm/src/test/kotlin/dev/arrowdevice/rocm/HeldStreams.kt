package dev.arrowdevice.rocm

import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.NativeFunctions
import dev.arrowdevice.spi.NativeFunctions.Optional
import dev.arrowdevice.spi.NativeLibrary
import java.lang.invoke.MethodHandles
import java.lang.invoke.VarHandle
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger

/** Functions that only the tests call. */
internal interface HipExtras {
    @Optional
    fun hipStreamAddCallback(
        stream: Long,
        function: Long,
        userData: Long,
        flags: Int,
    ): Int

    @Optional
    fun hipStreamWaitValue32(
        stream: Long,
        word: Long,
        value: Int,
        flags: Int,
        mask: Int,
    ): Int
}

internal fun extras(library: String): NativeFunctions<HipExtras> {
    val search = NativeLibrary.search("HIP")
    val found = if ('/' in library) search.files(listOf(Path.of(library))) else search.names(listOf(library))
    return NativeFunctions.of(MethodHandles.lookup(), HipExtras::class.java, found.open()::address, library)
}

/**
 * Streams that wait for a word of pinned memory, which the host writes. Unlike a host function that blocks, this stops no
 * thread of HIP. All words are allocated at once, because that may wait for streams.
 */
internal class HeldStreams private constructor(
    private val gpu: HipRuntime,
    private val hip: HipExtras,
) : AutoCloseable {
    private val words: DeviceBuffer = gpu.allocateStaging(WORDS * Int.SIZE_BYTES)
    private val used = AtomicInteger()

    init {
        words.memory().fill(0, words.byteSize, 0)
    }

    /** Holds a stream, and returns what lets it go. */
    fun hold(stream: Long): Runnable {
        val at = used.getAndIncrement() * Int.SIZE_BYTES.toLong()
        val code = gpu.onDevice { hip.hipStreamWaitValue32(stream, words.address + at, LET_GO, NOT_LESS, ALL) }
        check(code == 0) { "hipStreamWaitValue32: $code" }
        return Runnable {
            words.memory().putInt(at, LET_GO)
            VarHandle.fullFence()
        }
    }

    override fun close() = words.owner.release()

    companion object {
        private const val WORDS = 64L
        private const val LET_GO = 1
        private const val NOT_LESS = 0
        private const val ALL = -1

        /** Null if HIP lacks the function. */
        fun of(
            gpu: HipRuntime,
            library: String,
        ): HeldStreams? {
            val functions = extras(library)
            return if (functions.has("hipStreamWaitValue32")) HeldStreams(gpu, functions.calls) else null
        }
    }
}
