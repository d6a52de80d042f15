package dev.arrowdevice.samples.gpu

import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.adbc.adbc
import dev.arrowdevice.samples.gpu.GpuPipeline.Queues
import dev.arrowdevice.samples.gpu.GpuPipeline.Totals
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.Operation
import dev.arrowdevice.testkit.device.SimulatedDevice
import dev.arrowdevice.testkit.device.TraceEntry.Phase

/** A pipeline on a simulated device of its own. At the end there was no mistake, and everything was released. */
internal class OnSimulatedDevice(
    val device: SimulatedDevice,
) {
    private val gpu = Gpu.of(device)
    val pipeline = GpuPipeline(gpu)

    /** The trace so far, of one queue or of all. */
    fun count(
        operation: Operation,
        phase: Phase,
        queue: Long? = null,
    ): Int =
        device.trace().count {
            it.operation() == operation && it.phase() == phase && (queue == null || it.queue() == queue)
        }

    /** Runs all trips that a database knows. */
    suspend fun run(
        duck: AdbcConnection,
        onRows: (Long) -> Unit = {},
    ): Totals = GpuPipeline(gpu, onRows).run(duck)

    companion object {
        private const val ROWS = 3 * 131_072L

        /** A database that knows trips for three batches. */
        suspend fun <T> withTrips(test: suspend (AdbcConnection) -> T): T =
            adbc("duckdb").use { database ->
                database.connect().use { duck ->
                    GpuPipeline.tripsSql(ROWS).forEach(duck::executeUpdate)
                    test(duck)
                }
            }

        /** Runs a test with two queues and the zeros, and closes them. */
        suspend fun <T> onSimulatedDevice(test: suspend OnSimulatedDevice.(Queues) -> T): T =
            ReleaseBalance.start().use {
                SimulatedDevice.open(0).use { device ->
                    val scope = OnSimulatedDevice(device)
                    device.runtime().createQueue().use { transfer ->
                        device.runtime().createQueue().use { compute ->
                            scope.pipeline.noTrips().use { zeros -> scope.test(Queues(transfer, compute, zeros)) }
                        }
                    }
                }
            }
    }
}
