package dev.arrowdevice.benchmarks.measure

import org.openjdk.jmh.infra.BenchmarkParams
import org.openjdk.jmh.infra.IterationParams
import org.openjdk.jmh.profile.InternalProfiler
import org.openjdk.jmh.results.IterationResult
import org.openjdk.jmh.results.Result
import java.io.EOFException
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import kotlin.concurrent.thread

/**
 * Gives JVMs that run at the same time the machine in turn, an iteration of JMH each, so that whatever it does to one it
 * does to the next: a memory that is shared with other machines is slower in some seconds than in others. The first turn is
 * given when all are there.
 *
 * @param number of JVMs that take part
 */
internal class Turns(
    private val number: Int,
) : AutoCloseable {
    private val server = ServerSocket(0, number, InetAddress.getLoopbackAddress())
    private val taking = mutableListOf<Socket>()
    private val giver = thread(isDaemon = true, name = "turns") { give() }

    /** What [Turn] is told of it. */
    val port: Int = server.localPort

    private fun give() {
        try {
            server.soTimeout = ARRIVAL_MILLIS
            repeat(number) {
                val socket = server.accept()
                synchronized(taking) { if (server.isClosed) socket.close() else taking += socket }
            }
        } catch (_: IOException) {
            // Closed, or one has not come: then the others are not to wait for it.
            synchronized(taking) { taking.forEach { it.close() } }
            return
        } finally {
            server.close() // Who comes later is refused, instead of waiting for a turn that nobody gives.
        }
        val left = ArrayDeque(taking)
        while (left.isNotEmpty()) {
            val next = left.removeFirst()
            if (next.takesTurn()) left += next
        }
    }

    /** Whether it wants another. */
    private fun Socket.takesTurn(): Boolean =
        try {
            outputStream.write(0)
            inputStream.read() >= 0
        } catch (_: IOException) {
            false // Its JVM has ended.
        }

    /** Who waits for a turn, or asks for one later, gets an exception. */
    override fun close() {
        server.close()
        synchronized(taking) { taking.forEach { it.close() } }
        giver.join()
    }

    private companion object {
        /** How long a JVM may take from its start to its first iteration. */
        private const val ARRIVAL_MILLIS = 120_000
    }
}

/** A profiler of JMH that begins no iteration before it is this JVM's turn. The first of profilers: none is to measure the wait. */
internal class Turn(
    port: String,
) : InternalProfiler {
    private val turns by lazy { Socket(InetAddress.getLoopbackAddress(), port.toInt()) }

    override fun beforeIteration(
        benchmark: BenchmarkParams,
        iteration: IterationParams,
    ) {
        if (turns.inputStream.read() < 0) throw EOFException("the other side has failed, or has not started")
    }

    override fun afterIteration(
        benchmark: BenchmarkParams,
        iteration: IterationParams,
        result: IterationResult,
    ): Collection<Result<*>> {
        turns.outputStream.write(0)
        return emptyList()
    }

    override fun getDescription(): String = "waits until it is its turn"
}
