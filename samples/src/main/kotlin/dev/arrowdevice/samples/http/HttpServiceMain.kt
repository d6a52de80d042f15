package dev.arrowdevice.samples.http

import dev.arrowdevice.samples.cancellableRun
import java.nio.file.Path
import java.util.Locale
import kotlin.system.exitProcess

/** A server and a client, which exchange Arrow IPC over HTTP: see [FlightServer] and [FlightClient]. */
public object HttpServiceMain {
    /**
     * Takes the folder of the data set, and the number of rows, a million if it is missing. Or the folder, `serve` and a port
     * (8080 if it is missing): then it serves alone, for other clients, until Ctrl-C.
     */
    @JvmStatic
    public fun main(args: Array<String>) {
        val data = Path.of(args.firstOrNull() ?: "samples/data")
        if (args.size > 1 && args[1] == "serve") {
            val port = if (args.size < 3) DEFAULT_PORT else args[2]
            if (port.toIntOrNull() !in 0..MOST_PORT) wrong(port, "port, such as $DEFAULT_PORT")
            return FlightServerMain.main(arrayOf("$data", port))
        }
        val rows = if (args.size < 2) DEFAULT_ROWS else args[1].toLongOrNull() ?: 0
        if (rows <= 0) wrong(args[1], "number of rows, such as $DEFAULT_ROWS")
        exchange(data, rows)
    }

    private fun wrong(
        text: String,
        what: String,
    ): Nothing {
        System.err.println("\"$text\" is no $what")
        exitProcess(2)
    }

    private fun exchange(
        data: Path,
        rows: Long,
    ) {
        ServerProcess(data).use { server ->
            val client = FlightClient(server.address)
            cancellableRun(
                rows,
                work = { onRows -> client.delays(rows, onRows) },
                cleanUp = { println(server.stop()) },
                lastLine = ::clientBalance,
            ) { table, time ->
                val (batches, bytes) = client.received
                println("How late do flights leave New York? From ${server.address}?rows=$rows, by the hour:")
                println()
                println(table)
                println("%,d rows in %,d batches, %,d bytes, in %s".format(Locale.ROOT, rows, batches, bytes, time))
            }
        }
    }

    private const val DEFAULT_ROWS = 1_000_000L
    private const val DEFAULT_PORT = "8080"
    private const val MOST_PORT = 65_535
}
