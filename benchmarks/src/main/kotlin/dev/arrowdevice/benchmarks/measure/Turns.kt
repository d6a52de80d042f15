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
 * Lets JVMs that run at the same time take turns, one iteration of JMH each, so that the machine's disturbances affect
 * all of them: memory that is shared with other machines is slower in some seconds than in others. The first turn
 * starts when all JVMs have arrived.
 *
 * @param number of JVMs that take part
 */
internal class Turns(
    private val number: Int,
) : AutoCloseable {
    private val server = ServerSocket(0, number, InetAddress.getLoopbackAddress())
    private val taking = mutableListOf<Socket>()
    private val giver = thread(isDaemon = true, name = "turns") { give() }

    /** The port that [Turn] connects to. */
    val port: Int = server.localPort

    private fun give() {
        try {
            server.soTimeout = ARRIVAL_MILLIS
            repeat(number) {
                val socket = server.accept()
                synchronized(taking) { if (server.isClosed) socket.close() else taking += socket }
            }
        } catch (_: IOException) {
            // Closed, or one JVM has not arrived. The others must not wait for it.
            synchronized(taking) { taking.forEach { it.close() } }
            return
        } finally {
            server.close() // A JVM that arrives later is refused, instead of waiting forever.
        }
        val left = ArrayDeque(taking)
        while (left.isNotEmpty()) {
            val next = left.removeFirst()
            if (next.takesTurn()) left += next
        }
    }

    /** Whether the JVM takes another turn. */
    private fun Socket.takesTurn(): Boolean =
        try {
            outputStream.write(0)
            inputStream.read() >= 0
        } catch (_: IOException) {
            false // Its JVM has ended.
        }

    /** JVMs that wait for a turn, or ask for one later, get an exception. */
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

/**
 * A profiler of JMH that starts no iteration before it is this JVM's turn. It must be the first profiler, so that no
 * other measures the wait.
 */
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
