package dev.arrowdevice.spark

import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.ReferenceCounted
import org.apache.spark.TaskContext
import org.apache.spark.util.TaskCompletionListener
import java.util.Collections
import java.util.IdentityHashMap
import java.util.concurrent.ConcurrentHashMap

/** The native memory that the batches of one task may have, all its readers and writers together. */
internal class TaskMemory private constructor(
    private val limit: Long?,
) {
    /** What batches are built, decompressed and copied with. */
    val runtime: CpuRuntime = limit?.let(CpuRuntime::withLimit) ?: CpuRuntime.INSTANCE

    /**
     * A batch that [make] returns, counted whoever allocated it, in host memory.
     *
     * @param input a batch of this memory, whose buffers are counted already, also where the result shares them
     */
    fun hold(
        input: RecordBatch? = null,
        make: () -> RecordBatch?,
    ): HeldBatch? =
        within {
            val counted = Collections.newSetFromMap(IdentityHashMap<Any, Boolean>())
            if (limit != null && input != null) addBytes(input, counted)
            val before = inUse()
            val made = make() ?: return@within null
            val batch = onHost(made)
            try {
                val bytes = if (limit == null) 0L else maxOf(0L, addBytes(batch, counted) - (inUse() - before))
                HeldBatch(batch, runtime.reserve(bytes))
            } catch (e: Throwable) {
                batch.close()
                throw e
            }
        }

    private fun onHost(batch: RecordBatch): RecordBatch =
        if (batch.device.isCpu) {
            batch
        } else {
            batch.use {
                it.copyTo(runtime)
            }
        }

    private fun inUse(): Long = runtime.memoryInfo?.let { it.total() - it.free() } ?: 0

    /** Adds to an error of the limit what to do about it. */
    fun <T> within(work: () -> T): T =
        try {
            work()
        } catch (e: OutOfDeviceMemoryException) {
            throw if (limit == null) e else TaskMemoryException(limit, e)
        }

    companion object {
        private val ofTasks = ConcurrentHashMap<Pair<Long, Long?>, TaskMemory>()

        /** The memory of the task that the caller runs in; outside of tasks, memory of its own. */
        fun of(limit: Long?): TaskMemory {
            val task = TaskContext.get()
            if (task == null || limit == null) return TaskMemory(limit)
            val key = task.taskAttemptId() to limit
            return ofTasks.computeIfAbsent(key) {
                task.addTaskCompletionListener(TaskCompletionListener { ofTasks.remove(key) })
                TaskMemory(limit)
            }
        }

        /** The bytes of the buffers that are not among those that were counted, to which they are added. */
        private fun addBytes(
            batch: RecordBatch,
            counted: MutableSet<Any>,
        ): Long {
            fun add(data: ArrayData): Long {
                var sum = 0L
                for (i in 0 until data.bufferCount) {
                    val buffer = data.buffer(i)
                    if (buffer != null && buffer.byteSize > 0 && counted.add(buffer)) sum += buffer.byteSize
                }
                for (i in 0 until data.childCount) sum += add(data.child(i))
                return sum + (data.dictionary?.let(::add) ?: 0)
            }
            return add(batch.asStruct().data)
        }
    }
}

/** A batch, and the bytes of it that count. */
internal class HeldBatch(
    val batch: RecordBatch,
    private val bytes: ReferenceCounted,
) : AutoCloseable {
    override fun close() {
        batch.close()
        bytes.release()
    }
}

/** A task needs more native memory than it may have. The executor goes on. */
public class TaskMemoryException internal constructor(
    limit: Long,
    cause: Throwable,
) : IllegalStateException(
        "the batches of this task need more than its $limit bytes of native memory: raise the option memory.limit " +
            "(spark.datasource.arrow-device.memory.limit), or read smaller batches; ${cause.message}",
        cause,
    )
