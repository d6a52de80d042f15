package dev.arrowdevice.spark

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Schema
import dev.arrowdevice.spi.DeviceRuntime

/**
 * A source of streams that Spark reads, one stream for each partition. The option `class` names an implementation, which has a
 * public constructor without parameters. Spark's driver and executors each make objects of it, so it keeps nothing between
 * calls. What it throws ends the query, or the task, which Spark then tries again.
 *
 * ```kotlin
 * import dev.arrowdevice.DeviceArrayStream
 * import dev.arrowdevice.Schema
 * import dev.arrowdevice.addAll
 * import dev.arrowdevice.recordBatch
 * import dev.arrowdevice.spark.StreamSource
 * import dev.arrowdevice.spi.DeviceRuntime
 *
 * class Numbers : StreamSource {
 *     override fun schema(options: Map<String, String>): Schema = batch(0).use { it.schema }
 *
 *     override fun partitions(options: Map<String, String>): List<String> = listOf("0", "1000")
 *
 *     override fun open(partition: String, options: Map<String, String>, memory: DeviceRuntime): DeviceArrayStream =
 *         batch(partition.toLong()).let { DeviceArrayStream.of(it.schema, listOf(it)) }
 *
 *     private fun batch(first: Long) = recordBatch { column<Long>("n") { addAll(first..first + 9) } }
 * }
 * ```
 */
public interface StreamSource {
    /** The schema of the streams of all partitions. Called on Spark's driver. */
    public fun schema(options: Map<String, String>): Schema

    /** What [open] needs to know of each partition. Called on Spark's driver. */
    public fun partitions(options: Map<String, String>): List<String> = listOf("")

    /**
     * Opens the stream of a partition. Called in a task, which closes the stream at its end, also if it fails or is killed.
     *
     * @param options as they were passed to Spark; a name is found in lower and in upper case
     * @param memory the host memory of the task, which has the limit of the option `memory.limit`. Batches that are made in
     *   other memory count as well, when they are read. Those of other devices are copied to it
     */
    public fun open(
        partition: String,
        options: Map<String, String>,
        memory: DeviceRuntime,
    ): DeviceArrayStream
}
