package dev.arrowdevice.oneapi

import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.spi.NativeMemory
import java.lang.foreign.Arena
import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.MemoryLayout
import java.lang.foreign.SymbolLookup
import java.lang.foreign.ValueLayout.JAVA_INT
import java.lang.foreign.ValueLayout.JAVA_LONG

/** Keeps a queue's work pending: a kernel there that runs until the host writes to memory that both see. */
internal class PausedQueue(
    queue: Long,
) : AutoCloseable {
    /** Outlives the runtime that is tested. */
    private val driver = RealSycl.driver
    private val flag = driver.allocate(MemoryKind.HOST, FLAG_SIZE)
    private val event: Long

    init {
        NativeMemory.putByte(flag, 0)
        event =
            Arena.ofConfined().use { arena ->
                val arguments = arena.allocateFrom(JAVA_LONG, flag).address()
                val types = arena.allocateFrom(JAVA_INT, POINTER_ARGUMENT).address()
                val range = arena.allocateFrom(JAVA_LONG, 1L, 1L, 1L).address()
                call("DPCTLQueue_SubmitRange", kernel, queue, arguments, types, 1L, range, 1L, 0L, 0L)
            }
    }

    fun resume() = NativeMemory.putByte(flag, 1)

    override fun close() {
        resume()
        driver.await(event)
        driver.destroyEvent(event)
        driver.free(MemoryKind.HOST, flag)
    }

    private companion object {
        const val FLAG_SIZE = 64L

        /** `DPCTL_VOID_PTR` */
        const val POINTER_ARGUMENT = 10
        const val SOURCE = "kernel void pause(global volatile char *resumed) { while (*resumed == 0) { } }"

        /** For the life of the process. */
        val kernel: Long by lazy {
            Arena.ofConfined().use { arena ->
                val source = arena.allocateFrom(SOURCE).address()
                val options = arena.allocateFrom("").address()
                val device = RealSycl.devices.reference(0)
                val context = RealSycl.driver.context()
                val bundle = call("DPCTLKernelBundle_CreateFromOCLSource", context, device, source, options)
                call("DPCTLKernelBundle_GetKernel", bundle, arena.allocateFrom("pause").address())
            }
        }

        /** Calls a function whose arguments and result are pointers and sizes. */
        fun call(
            function: String,
            vararg arguments: Long,
        ): Long {
            val symbol = SymbolLookup.libraryLookup(checkNotNull(RealSycl.file), Arena.global()).find(function).get()
            val parameters = Array<MemoryLayout>(arguments.size) { JAVA_LONG }
            val handle =
                Linker.nativeLinker().downcallHandle(symbol, FunctionDescriptor.of(JAVA_LONG, *parameters))
            val result = handle.invokeWithArguments(arguments.toList()) as Long
            check(result != 0L) { "$function failed; DPCTL_VERBOSITY=error prints why" }
            return result
        }
    }
}
