package dev.arrowdevice.cuda

import dev.arrowdevice.spi.MemoryKind
import jcuda.driver.CUdevice_attribute
import jcuda.driver.CUpointer_attribute
import java.util.Locale

/**
 * What the documentation of CUDA leaves open, asked of this machine's GPU and driver: one line for each unknown. An answer
 * that fails is a line too.
 */
internal class Probe(
    private val raw: RawCuda,
    private val short: Boolean,
) {
    fun printTo(line: (String) -> Unit) {
        section(line, "attributes", ::attributes)
        section(line, "memory", ::memory)
        section(line, "allocations", ::allocations)
        for (way in Hold.entries) {
            section(line, "while a stream is held by ${way.text}") { ProbeHeld(raw, way).printTo(it) }
        }
        section(line, "callbacks") { ProbeCallbacks(raw, if (short) 10 else 200).printTo(it) }
    }

    private fun section(
        line: (String) -> Unit,
        name: String,
        print: ((String) -> Unit) -> Unit,
    ) {
        line("$name:")
        try {
            print { line("  $it") }
        } catch (e: Exception) {
            line("  failed: $e")
        }
    }

    private fun attributes(line: (String) -> Unit) {
        line("GPU: ${raw.gpu.description}")
        raw.gpu.memoryInfo?.let { line("memory: ${it.free() shr 20} of ${it.total() shr 20} MiB are free") }
        for ((name, number) in ATTRIBUTES) {
            line("$name: " + runCatching { raw.attribute(number).toString() }.getOrElse { "failed: $it" })
        }
    }

    /** What the driver says of 640 bytes of each kind. */
    private fun memory(line: (String) -> Unit) {
        raw.gpu.createQueue().use { queue ->
            for (kind in RawMemory.entries) {
                line(
                    "640 bytes of ${kind.function}: " +
                        runCatching { described(kind, queue.handle) }.getOrElse { "failed: $it" },
                )
            }
        }
    }

    private fun described(
        kind: RawMemory,
        stream: Long,
    ): String {
        val address = kind.allocate(raw, 640, stream)
        try {
            val values = POINTER.map { (name, number) -> "$name ${pointerAttribute(number, address)}" }
            val start = LongArray(1)
            val size = LongArray(1)
            val code = raw.gpu.inContext { raw.api.cuMemGetAddressRange(start, size, address) }
            val range =
                if (code == 0) {
                    "range of ${size[0]} bytes, ${address - start[0]} before it"
                } else {
                    "range ${raw.api.cuGetErrorName(code)}"
                }
            return (values + range + "address modulo 512 is ${address and 511}").joinToString()
        } finally {
            kind.free(raw, address, stream)
        }
    }

    private fun pointerAttribute(
        number: Int,
        address: Long,
    ): String {
        val out = LongArray(1)
        val code = raw.gpu.inContext { raw.api.cuPointerGetAttributes(out, intArrayOf(number), address) }
        return when {
            code != 0 -> raw.api.cuGetErrorName(code)
            number == CUpointer_attribute.CU_POINTER_ATTRIBUTE_CONTEXT -> if (out[0] == 0L) "none" else "some"
            else -> out[0].toInt().toString()
        }
    }

    /** Microseconds of an allocation and of a free, while nothing else is queued: the first, and the median. */
    private fun allocations(line: (String) -> Unit) {
        val times = if (short) 3 else 21
        raw.gpu.createQueue().use { queue ->
            for (kind in RawMemory.entries) {
                for ((name, byteSize) in SIZES) {
                    line(
                        "$name of ${kind.function}: " +
                            runCatching { timed(kind, byteSize, queue.handle, times) }.getOrElse { "failed: $it" },
                    )
                }
            }
        }
    }

    private fun timed(
        kind: RawMemory,
        byteSize: Long,
        stream: Long,
        times: Int,
    ): String {
        val allocations = mutableListOf<Double>()
        val frees = mutableListOf<Double>()
        repeat(times) {
            var address = 0L
            allocations += micros { address = kind.allocate(raw, byteSize, stream) }
            frees += micros { kind.free(raw, address, stream) }
            if (kind == RawMemory.POOL) raw.run("cuStreamSynchronize") { raw.api.cuStreamSynchronize(stream) }
        }
        return "allocate ${firstAndMedian(allocations)}, free ${firstAndMedian(frees)}"
    }

    private fun firstAndMedian(micros: List<Double>) =
        "${text(micros.first())} µs at first, then ${text(median(micros))} µs"

    companion object {
        private val SIZES = listOf("64 B" to 64L, "1 MB" to (1L shl 20), "64 MB" to (64L shl 20))

        private val POINTER =
            listOf(
                "type" to CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                "device" to CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                "managed" to CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_MANAGED,
                "context" to CUpointer_attribute.CU_POINTER_ATTRIBUTE_CONTEXT,
                "IPC" to CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
            )

        private val ATTRIBUTES =
            listOf(
                "compute capability, major" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                "compute capability, minor" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                "integrated" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_INTEGRATED,
                "asyncEngineCount" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT,
                "unifiedAddressing" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING,
                "managedMemory" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY,
                "concurrentManagedAccess" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS,
                "pageableMemoryAccess" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS,
                "directManagedMemAccessFromHost" to
                    CUdevice_attribute.CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST,
                "hostRegisterSupported" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED,
                "memoryPoolsSupported" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED,
                "streamMemOps, version 1" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1,
                "canFlushRemoteWrites" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES,
                "ECC" to CUdevice_attribute.CU_DEVICE_ATTRIBUTE_ECC_ENABLED,
            )
    }
}

internal fun micros(action: () -> Unit): Double {
    val start = System.nanoTime()
    action()
    return (System.nanoTime() - start) / 1e3
}

internal fun median(values: List<Double>): Double = values.sorted()[values.size / 2]

internal fun text(number: Double): String = String.format(Locale.ROOT, if (number < 100) "%.1f" else "%.0f", number)

/** The kinds of memory that the GPU has. */
internal fun CudaRuntime.kinds(): List<MemoryKind> = MemoryKind.entries.filter { driver.hasMemory(it) }
