package dev.arrowdevice.samples.gpu

import dev.arrowdevice.cuda.CudaRuntime
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.DeviceUnavailableException
import dev.arrowdevice.testkit.device.SimulatedDevice

/**
 * A device with its kernel.
 *
 * @property note a description for the output
 */
internal class Gpu private constructor(
    val runtime: DeviceRuntime,
    val kernel: FareKernel,
    val note: String,
    private val handle: AutoCloseable?,
) : AutoCloseable {
    /** Closes what was opened with this. */
    override fun close() {
        handle.use { kernel.close() }
    }

    companion object {
        /** This machine's first NVIDIA GPU, else a simulated device, whose note says why. */
        fun open(): Gpu =
            try {
                ofCuda()
            } catch (e: DeviceUnavailableException) {
                val device = SimulatedDevice.open(0)
                Gpu(
                    device.runtime(),
                    SimulatedFareKernel(device),
                    "a simulated device, in Kotlin on the CPU, since CUDA can't be used: ${e.message}",
                    device,
                )
            }

        private fun ofCuda(): Gpu {
            val runtime = CudaRuntime.open(0)
            try {
                val note = "${runtime.description}, with a kernel that NVRTC has compiled"
                return Gpu(runtime, CudaFareKernel(runtime), note, runtime)
            } catch (e: Throwable) {
                runtime.close()
                throw e
            }
        }

        /** A simulated device of a test, which stays open. */
        fun of(device: SimulatedDevice): Gpu =
            Gpu(device.runtime(), SimulatedFareKernel(device), "${device.device()}", null)
    }
}
