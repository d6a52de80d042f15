package dev.arrowdevice.samples.http

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.coroutines.asFlow
import dev.arrowdevice.ipc.arrowStream
import dev.arrowdevice.samples.DepartureDelays
import dev.arrowdevice.samples.asTable
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runBlocking
import java.io.IOException
import java.io.InputStream
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration
import java.util.Locale

/**
 * Reads flights of a [FlightServer], or of any server that answers with Arrow IPC. It runs on Java 17 and newer, without a
 * flag.
 */
internal class FlightClient(
    private val address: URI,
) {
    private val http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()

    /** The batches and bytes of the flow that was collected to its end last. */
    var received: Pair<Long, Long> = 0L to 0L
        private set

    /**
     * Flights as a flow: the request is sent when it is collected. A batch is read from the socket when the collector wants
     * it, so a slow collector holds the server back. If the collector has enough, or is cancelled, the connection is closed.
     */
    fun flights(rows: Long): Flow<RecordBatch> =
        flow {
            val request =
                HttpRequest
                    .newBuilder(URI("$address?rows=$rows"))
                    .header("Accept", ARROW_STREAM)
                    .timeout(PATIENCE) // Until the answer begins. How long it takes is up to the rows.
                    .build()
            val response = http.answer(request)
            if (response.statusCode() != OK) {
                val said = response.body().use { it.readAllBytes().decodeToString() }
                throw IOException("$address answers ${response.statusCode()}: $said")
            }
            val stream = arrowStream(response.body())
            emitAll(stream.asFlow())
            received = stream.batchesRead to stream.bytesRead
        }

    /**
     * How late flights leave, by the hour, as a table.
     *
     * @param onRows gets the number of rows of each batch
     */
    suspend fun delays(
        rows: Long,
        onRows: (Long) -> Unit = {},
    ): String {
        val delays = DepartureDelays()
        flights(rows).collect { batch ->
            delays.add(batch)
            onRows(batch.rowCount)
        }
        return delays.byHour().asTable().use { it.toTable(HOURS_OF_A_DAY, COLUMN_WIDTH) }
    }

    /** The beginning of an answer. If the caller is cancelled meanwhile, the connection is closed. */
    private suspend fun HttpClient.answer(request: HttpRequest): HttpResponse<InputStream> {
        val answer = sendAsync(request, BodyHandlers.ofInputStream())
        try {
            return answer.copy().await() // To cancel the copy would leave the request under way.
        } catch (e: CancellationException) {
            if (!answer.cancel(true)) answer.thenAccept { it.body().close() }
            throw e
        }
    }

    private companion object {
        val PATIENCE: Duration = Duration.ofSeconds(30)
        const val OK = 200
        const val HOURS_OF_A_DAY = 24
        const val COLUMN_WIDTH = 40
    }
}

/** What the client holds still: its memory is not C's, so buffers count too. */
internal fun clientBalance(): String {
    val counters = ArrowCounters.now()
    return "client: ${counters.unreleased() + counters.hostBuffers()} unreleased"
}

/** The client alone. */
public object FlightClientMain {
    /** Takes the address of a server, and the number of rows. */
    @JvmStatic
    public fun main(args: Array<String>) {
        val client = FlightClient(URI(args[0]))
        println(runBlocking { client.delays(args[1].toLong()) })
        val (batches, bytes) = client.received
        println("%,d batches, %,d bytes, on Java %s".format(Locale.ROOT, batches, bytes, Runtime.version().feature()))
        println(clientBalance())
    }
}
