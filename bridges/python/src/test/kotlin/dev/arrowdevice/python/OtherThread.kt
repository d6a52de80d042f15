package dev.arrowdevice.python

import dev.arrowdevice.DeviceArrayStream
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit

/** What tests in Python have done by a thread of Java that Python has never seen. */
internal object OtherThread {
    /** Closes something and waits for it. */
    @JvmStatic
    fun close(closeable: AutoCloseable): Unit = run { closeable.close() }

    /** Closes them one after the other, on several threads that nobody waits for. */
    @JvmStatic
    fun closeMeanwhile(closeables: List<AutoCloseable>) {
        val threads = Executors.newScheduledThreadPool(4)
        closeables.forEachIndexed { i, it -> threads.schedule(it::close, i * 100L, TimeUnit.MICROSECONDS) }
    }

    /** Reads a stream to its end. */
    @JvmStatic
    fun countRows(stream: DeviceArrayStream): Long =
        run { generateSequence { stream.nextBatch() }.sumOf { batch -> batch.use { it.rowCount } } }

    /** A stream that has each array of another one pulled there. */
    @JvmStatic
    fun pulling(stream: DeviceArrayStream): DeviceArrayStream {
        val arrays = generateSequence { run { stream.nextArray() } }.iterator()
        return DeviceArrayStream.ofArrays(stream.field, stream.deviceType, arrays) { close(stream) }
    }

    private fun <T> run(action: () -> T): T = Executors.newSingleThreadExecutor().use { it.submit(action).get() }
}
