package dev.arrowdevice.cuda

import dev.arrowdevice.spi.MemoryKind
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.concurrent.thread

/** A way to keep the work of a stream pending. */
internal enum class Hold(
    val text: String,
) {
    VALUE("cuStreamWaitValue32"),
    HOST_FUNCTION("a host function that blocks"),
    ;

    /** What holds a stream, and returns what lets it go; null if the GPU can't. */
    fun of(raw: RawCuda): ((Long) -> Runnable)? =
        when (this) {
            VALUE -> {
                HeldStreams.of(raw.gpu)?.let { it::hold }
            }

            HOST_FUNCTION -> {
                { stream ->
                    val letGo = CountDownLatch(1)
                    raw.callBack(stream) { letGo.await() }
                    Runnable { letGo.countDown() }
                }
            }
        }
}

/** Which functions of the driver return while a stream is held, and how soon. */
internal class ProbeHeld(
    private val raw: RawCuda,
    private val way: Hold,
) {
    fun printTo(line: (String) -> Unit) {
        val hold = way.of(raw) ?: return line("the GPU can't")
        for ((name, call) in calls()) {
            val outcome = Scene(raw).use { scene -> outcome(hold, scene, call) }
            line("$name: $outcome")
            if (outcome.endsWith(NEVER)) return line("nothing more was tried")
        }
    }

    private fun outcome(
        hold: (Long) -> Runnable,
        scene: Scene,
        call: Scene.() -> Unit,
    ): String {
        val letGo = hold(scene.held)
        val done = CompletableFuture<Double>()
        thread(isDaemon = true) {
            try {
                done.complete(micros { scene.call() })
            } catch (e: Throwable) {
                done.completeExceptionally(e)
            }
        }
        var early = true
        try {
            done.get(LIMIT_MILLIS, TimeUnit.MILLISECONDS)
        } catch (_: TimeoutException) {
            early = false
        } catch (e: Exception) {
            letGo.run()
            return "failed: ${e.cause}"
        }
        letGo.run()
        return try {
            val micros = done.get(END_SECONDS, TimeUnit.SECONDS)
            if (early) "returned after ${text(micros)} µs" else "BLOCKED until the stream was let go"
        } catch (_: TimeoutException) {
            scene.isStuck = true
            "BLOCKED, $NEVER"
        } catch (e: Exception) {
            "BLOCKED, then failed: ${e.cause}"
        }
    }

    /** Each on the stream that is held, or on another one. */
    private fun calls(): List<Pair<String, Scene.() -> Unit>> =
        buildList {
            add("cuEventQuery of an event that is complete" to { raw.gpu.inContext { raw.api.cuEventQuery(event) } })
            add(
                "cuStreamCreate, cuStreamDestroy" to {
                    val made = raw.made("cuStreamCreate") { raw.api.cuStreamCreate(it, 1) }
                    raw.run("cuStreamDestroy") { raw.api.cuStreamDestroy(made) }
                },
            )
            add("cuEventCreate, cuEventRecord, cuEventQuery on the stream" to { recordOn(held) })
            for (kind in RawMemory.entries.filter { it != RawMemory.PLAIN }) {
                add("${kind.function} of 1 MB" to { keep(kind, kind.allocate(raw, SIZE, other)) })
                add("freeing memory of ${kind.function}" to { free(kind) })
            }
            add(
                "a kernel on another stream, and its end" to {
                    raw.fill(address(RawMemory.DEVICE), SIZE, other)
                    raw.run("cuStreamSynchronize") { raw.api.cuStreamSynchronize(other) }
                },
            )
            add("a kernel on the stream" to { raw.fill(address(RawMemory.DEVICE), SIZE, held) })
            add(
                "a host function on another stream, and its end" to {
                    val called = CountDownLatch(1)
                    raw.callBack(other) { called.countDown() }
                    called.await()
                },
            )
            for (from in RawMemory.entries) {
                for (to in RawMemory.entries) {
                    if (from == RawMemory.POOL || to == RawMemory.POOL ||
                        (from == to && from == RawMemory.PLAIN)
                    ) {
                        continue
                    }
                    add(
                        "a copy of 64 KB from ${from.function} to ${to.function} on the stream" to
                            { copy(from, to, held) },
                    )
                }
            }
            add(
                "a copy of 64 KB from cuMemHostAlloc to cuMemAlloc on another stream, and its end" to {
                    copy(RawMemory.PINNED, RawMemory.DEVICE, other)
                    raw.run("cuStreamSynchronize") { raw.api.cuStreamSynchronize(other) }
                },
            )
        }

    /** Two streams and memory of each kind, made before one of them is held. */
    private class Scene(
        val raw: RawCuda,
    ) : AutoCloseable {
        private val queues = List(2) { raw.gpu.createQueue() }
        val held = queues[0].handle
        val other = queues[1].handle
        val event: Long
        var isStuck = false
        private val kinds =
            RawMemory.entries.filter {
                it != RawMemory.MANAGED ||
                    raw.gpu.driver.hasMemory(MemoryKind.MANAGED)
            }
        private val memory = kinds.associateWith { it.allocate(raw, SIZE, other) }.toMutableMap()
        private val kept = mutableListOf<Pair<RawMemory, Long>>()

        init {
            raw.run("cuStreamSynchronize") { raw.api.cuStreamSynchronize(other) }
            event = raw.made("cuEventCreate") { raw.api.cuEventCreate(it, 0) }
            raw.run("cuEventRecord") { raw.api.cuEventRecord(event, other) }
        }

        fun address(kind: RawMemory): Long = memory.getValue(kind)

        fun keep(
            kind: RawMemory,
            address: Long,
        ) {
            kept += kind to address
        }

        fun free(kind: RawMemory) = kind.free(raw, checkNotNull(memory.remove(kind)), other)

        fun recordOn(stream: Long) {
            val made = raw.made("cuEventCreate") { raw.api.cuEventCreate(it, 0) }
            raw.run("cuEventRecord") { raw.api.cuEventRecord(made, stream) }
            raw.gpu.inContext { raw.api.cuEventQuery(made) }
            raw.run("cuEventDestroy") { raw.api.cuEventDestroy(made) }
        }

        fun copy(
            from: RawMemory,
            to: RawMemory,
            stream: Long,
        ) {
            val source = address(from)
            val target = address(to) + if (from == to) COPIED else 0
            val fromHost = from == RawMemory.PINNED || from == RawMemory.PLAIN
            val toHost = to == RawMemory.PINNED || to == RawMemory.PLAIN
            when {
                fromHost && !toHost -> {
                    raw.run("cuMemcpyHtoDAsync") { raw.api.cuMemcpyHtoDAsync(target, source, COPIED, stream) }
                }

                toHost && !fromHost -> {
                    raw.run("cuMemcpyDtoHAsync") { raw.api.cuMemcpyDtoHAsync(target, source, COPIED, stream) }
                }

                else -> {
                    raw.run("cuMemcpyAsync") { raw.api.cuMemcpyAsync(target, source, COPIED, stream) }
                }
            }
        }

        override fun close() {
            if (isStuck) return
            queues.forEach { it.synchronize() }
            memory.forEach { (kind, address) -> kind.free(raw, address, other) }
            kept.forEach { (kind, address) -> kind.free(raw, address, other) }
            raw.run("cuEventDestroy") { raw.api.cuEventDestroy(event) }
            queues.forEach { it.synchronize() }
            queues.forEach { it.close() }
        }
    }

    private companion object {
        const val SIZE = 1L shl 20
        const val COPIED = 1L shl 16
        const val LIMIT_MILLIS = 150L
        const val END_SECONDS = 10L
        const val NEVER = "and did not return afterwards"
    }
}
