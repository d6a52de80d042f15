package dev.arrowdevice.spark

import dev.arrowdevice.Device
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.testkit.device.SimulatedDevice
import org.apache.spark.SparkEnv
import org.apache.spark.TaskContext
import org.apache.spark.scheduler.SparkListener
import org.apache.spark.scheduler.SparkListenerExecutorAdded
import org.apache.spark.util.CollectionAccumulator

/** Trebles the ids of a batch on the GPU that Spark has scheduled for the task, a simulated device of that number. */
internal class OnGpu(
    private val used: CollectionAccumulator<String>,
) : BatchFunction {
    override fun apply(batch: RecordBatch): RecordBatch {
        val addresses =
            TaskContext
                .get()
                .resourcesJMap()
                .getValue("gpu")
                .addresses()
        return SimulatedDevice.open(addresses.single().toLong()).use { gpu ->
            val queue = gpu.runtime().defaultQueue
            batch.copyToAsync(gpu.runtime(), queue).use { there ->
                treble(gpu, there)
                queue.synchronize()
                used.add(gpuOf(SparkEnv.get().executorId(), there.device.id()))
                there.copyTo(Device.CPU)
            }
        }
    }

    private fun treble(
        gpu: SimulatedDevice,
        batch: RecordBatch,
    ) {
        val column = batch.column("id").data
        val width = Long.SIZE_BYTES.toLong()
        val ids = checkNotNull(column.buffer(1)).slice(column.offset * width, column.length * width)
        gpu.launch(gpu.runtime().defaultQueue, listOf(ids)) { (numbers) ->
            for (at in 0 until ids.byteSize step width) numbers.putLong(at, 3 * numbers.getLong(at))
        }
    }

    /** Prints which GPU Spark's scheduler has named for each executor. */
    class Scheduled : SparkListener() {
        override fun onExecutorAdded(added: SparkListenerExecutorAdded) {
            val gpu = added.executorInfo().resourcesInfo().apply("gpu")
            println("scheduled=" + gpuOf(added.executorId(), gpu.addresses().single().toLong()))
        }
    }

    private companion object {
        fun gpuOf(
            executor: String,
            gpu: Long,
        ) = "GPU $gpu for executor $executor"
    }
}
