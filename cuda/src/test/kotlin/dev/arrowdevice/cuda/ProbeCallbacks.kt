package dev.arrowdevice.cuda

import dev.arrowdevice.spi.DeviceEvent
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/** On which thread the driver calls host functions, and how late it and we notice the end of work. */
internal class ProbeCallbacks(
    private val raw: RawCuda,
    private val times: Int,
) {
    fun printTo(line: (String) -> Unit) {
        raw.gpu.createQueue().use { one ->
            raw.gpu.createQueue().use { two ->
                val threads = List(3) { listOf(one, two).map { threadOf(it.handle) } }.flatten()
                line("threads of the system that call the host functions of two streams, in turns: $threads")
                line(
                    "a host function runs after ${text(
                        median(List(times) { untilCalled(one.handle) }),
                    )} µs on an idle stream",
                )
                val hold = Hold.VALUE.of(raw) ?: return line("the end of work that waited: the GPU can't hold a stream")
                line(
                    "cuEventSynchronize returns ${ends(
                        one.handle,
                        hold,
                    ) { it.await() }} µs after the stream was let go",
                )
                line(
                    "an action of whenComplete runs " +
                        ends(one.handle, hold) { event ->
                            CompletableFuture<Unit>().also { done -> event.whenComplete { done.complete(Unit) } }.get()
                        } + " µs after the stream was let go",
                )
                line("a host function runs " + endsOfCallback(one.handle, hold) + " µs after the stream was let go")
            }
        }
    }

    private fun threadOf(stream: Long): String {
        val called = CompletableFuture<String>()
        raw.callBack(stream) {
            called.complete(Files.readSymbolicLink(Path.of("/proc/thread-self")).fileName.toString())
        }
        return called.get(LIMIT_SECONDS, TimeUnit.SECONDS)
    }

    private fun untilCalled(stream: Long): Double {
        val called = CompletableFuture<Long>()
        val start = System.nanoTime()
        raw.callBack(stream) { called.complete(System.nanoTime()) }
        return (called.get(LIMIT_SECONDS, TimeUnit.SECONDS) - start) / 1e3
    }

    /** Microseconds between letting a stream go and the return of [wait]. */
    private fun ends(
        stream: Long,
        hold: (Long) -> Runnable,
        wait: (DeviceEvent) -> Unit,
    ): String =
        micros(stream, hold) { ended ->
            val event = raw.gpu.record(raw.gpu.importQueue(stream))
            Thread {
                event.use(wait)
                ended.complete(System.nanoTime())
            }.apply { isDaemon = true }.start()
        }

    private fun endsOfCallback(
        stream: Long,
        hold: (Long) -> Runnable,
    ): String = micros(stream, hold) { ended -> raw.callBack(stream) { ended.complete(System.nanoTime()) } }

    private fun micros(
        stream: Long,
        hold: (Long) -> Runnable,
        arrange: (CompletableFuture<Long>) -> Unit,
    ): String =
        text(
            median(
                List(ROUNDS) {
                    val letGo = hold(stream)
                    val ended = CompletableFuture<Long>()
                    arrange(ended)
                    Thread.sleep(2) // So that what waits has begun to.
                    val start = System.nanoTime()
                    letGo.run()
                    (ended.get(LIMIT_SECONDS, TimeUnit.SECONDS) - start) / 1e3
                },
            ),
        )

    private companion object {
        const val LIMIT_SECONDS = 10L
        const val ROUNDS = 11
    }
}
