package dev.arrowdevice.cuda.program

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.cuda.CudaRuntime
import dev.arrowdevice.cuda.RawCopies
import dev.arrowdevice.cuda.RawCuda
import dev.arrowdevice.cuda.balanced
import dev.arrowdevice.cuda.cuda
import dev.arrowdevice.cuda.cudaHost
import dev.arrowdevice.cuda.median
import dev.arrowdevice.cuda.micros
import dev.arrowdevice.cuda.text
import java.util.Locale
import kotlin.system.exitProcess

/** Prints the times of copies of an int64 array beside the driver's own copies of as many bytes: `[short]`. */
internal object TimesCopies {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val short = "short" in arguments
        val sizes = if (short) listOf(16, 20) else listOf(16, 20, 24, 26, 28)
        balanced {
            cuda(0).use { gpu ->
                cudaHost(0).use { host ->
                    for (bits in sizes) timed(gpu, host, 1L shl bits, if (short) 3 else 31)
                }
            }
        }
        exitProcess(0)
    }

    private fun timed(
        gpu: CudaRuntime,
        host: CudaRuntime,
        byteSize: Long,
        rounds: Int,
    ) = longs(byteSize).use { plain ->
        plain.copyTo(host).use { pinned ->
            plain.copyTo(gpu).use { onGpu ->
                RawCopies(RawCuda(gpu), byteSize).use { raw ->
                    val peers =
                        listOf<Pair<String, () -> Unit>>(
                            "cuMemcpyHtoDAsync from pinned memory" to raw::toDeviceFromPinned,
                            "cuMemcpyHtoD from memory that is not pinned" to raw::toDeviceFromPlain,
                            "cuMemcpyDtoHAsync to pinned memory" to raw::toPinned,
                            "cuMemcpyDtoH to memory that is not pinned" to raw::toPlain,
                        )
                    val ours =
                        listOf<Pair<String, () -> Unit>>(
                            "copyTo the GPU from pinned memory" to { pinned.copyTo(gpu).close() },
                            "copyTo the GPU from memory that is not pinned" to { plain.copyTo(gpu).close() },
                            "copyToAsync to pinned memory, and await" to { back(gpu, onGpu) },
                            "copyTo the CPU" to { onGpu.copyTo(Device.CPU).close() },
                        )
                    val times = inTurns(peers.map { it.second } + ours.map { it.second }, rounds)
                    peers.indices.forEach { i ->
                        val peer = times[i]
                        val our = times[peers.size + i]
                        println("${byteSize shr 10} KB, ${peers[i].first}: ${described(peer, byteSize)}")
                        println(
                            "${byteSize shr 10} KB, ${ours[i].first}: ${described(
                                our,
                                byteSize,
                            )}, ${ratio(peer / our)} of it",
                        )
                    }
                }
            }
        }
    }

    private fun back(
        gpu: CudaRuntime,
        onGpu: DeviceArray,
    ) = onGpu.copyToAsync(Device.CPU, gpu.defaultQueue).use { it.await() }

    /** The median of each action in microseconds, after a third as many rounds to warm up. */
    private fun inTurns(
        actions: List<() -> Unit>,
        rounds: Int,
    ): List<Double> {
        repeat(rounds / 3) { actions.forEach { it() } }
        val times = actions.map { mutableListOf<Double>() }
        repeat(rounds) { actions.forEachIndexed { i, action -> times[i] += micros(action) } }
        return times.map(::median)
    }

    private fun described(
        micros: Double,
        byteSize: Long,
    ) = "${text(micros)} µs, ${ratio(byteSize / micros / 1e3)} GB/s"

    private fun ratio(number: Double) = String.format(Locale.ROOT, "%.2f", number)

    private fun longs(byteSize: Long): DeviceArray =
        ArrayBuilder.of(ArrowType.INT64).use { builder ->
            builder.appendAll(LongArray((byteSize / Long.SIZE_BYTES).toInt()) { it.toLong() })
            builder.finish()
        }
}
