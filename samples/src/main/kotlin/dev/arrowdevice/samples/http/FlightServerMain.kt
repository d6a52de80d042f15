package dev.arrowdevice.samples.http

import dev.arrowdevice.ArrowCounters
import java.net.URI
import java.nio.file.Path
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread

/** The server alone. */
public object FlightServerMain {
    /**
     * Takes the folder of the data set and a port, 0 for a free one. Prints the address, and serves until Ctrl-C, or with a
     * third argument until the end of its standard input, which is that of the process that has started it. Ctrl-C then
     * reaches both, and is the other one's to heed: an answer must not end under its reader.
     */
    @JvmStatic
    public fun main(args: Array<String>) {
        val stop = CountDownLatch(1)
        val finished = CountDownLatch(1)
        val untilEnd = args.size > 2
        FlightServer(Path.of(args[0]), args[1].toInt()).use { server ->
            Runtime.getRuntime().addShutdownHook(
                thread(start = false) {
                    if (!untilEnd) stop.countDown()
                    finished.await()
                },
            )
            if (untilEnd) {
                thread(isDaemon = true) {
                    System.`in`.readAllBytes()
                    stop.countDown()
                }
            }
            println(server.address)
            stop.await()
            server.close()
            val counters = ArrowCounters.now()
            println(
                "server: ${server.batchesWritten} batches, " +
                    "${counters.exchangedArrays()} arrays exchanged with DuckDB, " +
                    "${counters.unreleased() + counters.hostBuffers()} unreleased",
            )
        }
        finished.countDown()
    }
}

/** The server in a process of its own, which ends with this one. */
internal class ServerProcess(
    data: Path,
) : AutoCloseable {
    private val process =
        ProcessBuilder(
            "${System.getProperty("java.home")}/bin/java",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            FlightServerMain::class.java.name,
            "$data",
            "0",
            "until the end of the input",
        ).redirectError(ProcessBuilder.Redirect.INHERIT).start()

    private val output = process.inputReader()

    /** Where it listens. */
    val address: URI = URI(output.readLine() ?: throw IllegalStateException("the server did not start"))

    /** Ends it; returns what it said last. */
    fun stop(): String {
        close()
        return output.readText().trim().also { process.waitFor() }
    }

    override fun close() {
        process.outputStream.close()
    }
}
