package dev.arrowdevice.testkit.driver

import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.SimulatedDriver
import dev.arrowdevice.testkit.SimulatedDriver.Library
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import java.lang.foreign.Arena
import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.MemoryLayout
import java.lang.foreign.MemorySegment
import java.lang.foreign.ValueLayout.JAVA_INT
import java.lang.foreign.ValueLayout.JAVA_LONG
import java.lang.invoke.MethodHandle
import java.lang.invoke.MethodHandles
import java.lang.invoke.MethodType
import java.util.concurrent.ConcurrentHashMap

/**
 * The calls that CUDA and HIP have in common, over the functions of a simulated driver; for CUDA with a pushed context.
 */
class DriverCalls(
    val face: Library,
    without: Set<String> = emptySet(),
) {
    val driver: SimulatedDriver = SimulatedDriver.load(face, without)
    val isCuda = face == Library.CUDA
    private val handles = ConcurrentHashMap<String, MethodHandle>()

    /** Calls it with every argument as 64 bits, which is how integers are passed. */
    fun code(
        name: String,
        vararg arguments: Long,
    ): Int {
        val handle =
            handles.computeIfAbsent(name) {
                val layouts = Array<MemoryLayout>(arguments.size) { JAVA_LONG }
                val function = driver.symbols().find(name).orElseThrow()
                Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.of(JAVA_INT, *layouts))
            }
        return handle.invokeWithArguments(arguments.toList()) as Int
    }

    fun ok(
        name: String,
        vararg arguments: Long,
    ) = code(name, *arguments) shouldBe 0

    /** The 64 bits that a function writes to its first argument. */
    fun made(
        name: String,
        vararg arguments: Long,
    ): Long =
        Arena.ofConfined().use { arena ->
            val out = arena.allocate(JAVA_LONG)
            ok(name, out.address(), *arguments)
            out.get(JAVA_LONG, 0)
        }

    private fun pick(
        cuda: String,
        hip: String,
    ) = if (isCuda) cuda else hip

    fun malloc(bytes: Long) = made(pick("cuMemAlloc_v2", "hipMalloc"), bytes)

    fun free(address: Long) = code(pick("cuMemFree_v2", "hipFree"), address)

    fun mallocHost(bytes: Long) = made(pick("cuMemHostAlloc", "hipHostMalloc"), bytes, 0)

    fun freeHost(address: Long) = code(pick("cuMemFreeHost", "hipHostFree"), address)

    fun mallocManaged(bytes: Long) = made(pick("cuMemAllocManaged", "hipMallocManaged"), bytes, 1)

    fun mallocAsync(
        bytes: Long,
        stream: Long,
    ) = made(pick("cuMemAllocAsync", "hipMallocAsync"), bytes, stream)

    fun freeAsync(
        address: Long,
        stream: Long,
    ) = code(pick("cuMemFreeAsync", "hipFreeAsync"), address, stream)

    fun copyAsync(
        to: Long,
        from: Long,
        bytes: Long,
        stream: Long,
    ) = if (isCuda) {
        code(
            "cuMemcpyAsync",
            to,
            from,
            bytes,
            stream,
        )
    } else {
        code("hipMemcpyAsync", to, from, bytes, 4, stream)
    }

    fun copy(
        to: Long,
        from: Long,
        bytes: Long,
    ) = if (isCuda) code("cuMemcpy", to, from, bytes) else code("hipMemcpy", to, from, bytes, 4)

    /** Of those that do not wait for the default stream. */
    fun stream(flags: Long = 1) = made(pick("cuStreamCreate", "hipStreamCreateWithFlags"), flags)

    fun destroyStream(stream: Long) = code(pick("cuStreamDestroy_v2", "hipStreamDestroy"), stream)

    fun synchronize(stream: Long) = code(pick("cuStreamSynchronize", "hipStreamSynchronize"), stream)

    fun queryStream(stream: Long) = code(pick("cuStreamQuery", "hipStreamQuery"), stream)

    fun event() = made(pick("cuEventCreate", "hipEventCreateWithFlags"), 2)

    fun destroyEvent(event: Long) = code(pick("cuEventDestroy_v2", "hipEventDestroy"), event)

    fun record(
        event: Long,
        stream: Long,
    ) = code(pick("cuEventRecord", "hipEventRecord"), event, stream)

    fun queryEvent(event: Long) = code(pick("cuEventQuery", "hipEventQuery"), event)

    fun synchronizeEvent(event: Long) = code(pick("cuEventSynchronize", "hipEventSynchronize"), event)

    fun waitEvent(
        stream: Long,
        event: Long,
    ) = code(pick("cuStreamWaitEvent", "hipStreamWaitEvent"), stream, event, 0)

    fun launchHostFunction(
        stream: Long,
        function: HostFunction,
    ) = code(pick("cuLaunchHostFunc", "hipLaunchHostFunc"), stream, function.address, 0)

    fun addCallback(
        stream: Long,
        callback: HostFunction,
    ) = code(pick("cuStreamAddCallback", "hipStreamAddCallback"), stream, callback.address, 0, 0)

    fun name(alternatives: Pair<String, String>) = pick(alternatives.first, alternatives.second)

    fun synchronizeDevice() = code(pick("cuCtxSynchronize", "hipDeviceSynchronize"))

    /** Runs the block on a device, and ends with what is live, the mistakes and the settings as they were. */
    fun <T> on(
        device: Int = 0,
        block: DriverCalls.() -> T,
    ): T {
        driver.reset()
        if (!isCuda) {
            ok("hipSetDevice", device.toLong())
            try {
                return block()
            } finally {
                driver.reset()
                ok("hipSetDevice", 0)
            }
        }
        ok("cuInit", 0)
        val context = made("cuDevicePrimaryCtxRetain", device.toLong())
        ok("cuCtxPushCurrent_v2", context)
        try {
            return block()
        } finally {
            driver.reset()
            made("cuCtxPopCurrent_v2") shouldBe context
            ok("cuDevicePrimaryCtxRelease_v2", device.toLong())
        }
    }
}

/** Kotlin code that a stream calls; what it throws would end the process. */
class HostFunction(
    callback: Boolean,
    private val block: (code: Int) -> Unit,
) {
    val address: Long

    init {
        val lookup = MethodHandles.lookup()
        val longs = Long::class.javaPrimitiveType!!
        val ints = Int::class.javaPrimitiveType!!
        val voids = Void.TYPE
        address =
            if (callback) {
                val type = MethodType.methodType(voids, longs, ints, longs)
                stub(lookup.bind(this, "called", type), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG))
            } else {
                val type = MethodType.methodType(voids, longs)
                stub(lookup.bind(this, "launched", type), FunctionDescriptor.ofVoid(JAVA_LONG))
            }
    }

    private fun stub(
        target: MethodHandle,
        descriptor: FunctionDescriptor,
    ) = Linker.nativeLinker().upcallStub(target, descriptor, Arena.global()).address()

    @Suppress("unused", "UNUSED_PARAMETER")
    fun launched(data: Long) = block(0)

    @Suppress("unused", "UNUSED_PARAMETER")
    fun called(
        stream: Long,
        code: Int,
        data: Long,
    ) = block(code)
}

/** Ordinary host memory with these bytes. */
fun Arena.bytes(
    count: Int,
    value: (Int) -> Int = { 0 },
): MemorySegment {
    val segment = allocate(count.toLong())
    for (i in 0 until count) segment.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i.toLong(), value(i).toByte())
    return segment
}

fun MemorySegment.list(): List<Byte> = toArray(java.lang.foreign.ValueLayout.JAVA_BYTE).toList()

/** One test for each face, on its first device; in the end all is as it was. */
fun FunSpec.onEachLibrary(
    name: String,
    block: DriverCalls.() -> Unit,
) = context(name) {
    withData(nameFn = { it.name }, Library.entries) { face ->
        val calls = DriverCalls(face)
        ReleaseBalance.start(calls.driver).use { calls.on { block() } }
    }
}
