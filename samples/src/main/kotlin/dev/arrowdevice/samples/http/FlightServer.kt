package dev.arrowdevice.samples.http

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.adbc.adbc
import dev.arrowdevice.coroutines.asFlow
import dev.arrowdevice.ipc.writeArrow
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.runBlocking
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.nio.file.Path
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong

/** The media type of a stream of Arrow IPC. */
internal const val ARROW_STREAM: String = "application/vnd.apache.arrow.stream"

/**
 * Answers `GET /flights?rows=1000000` with a result of an embedded DuckDB:
 *
 *     DuckDB ── C stream ──► Flow ── Arrow IPC ──► HTTP
 *
 * No result is in memory as a whole: DuckDB is asked for the next batch when the socket has taken the one before, so a slow
 * client holds DuckDB back.
 *
 * @param data the folder with the data set
 * @param port 0 finds a free one
 */
internal class FlightServer(
    data: Path,
    port: Int = 0,
) : AutoCloseable {
    private val http = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0)
    private val threads = Executors.newCachedThreadPool()
    private val work = SupervisorJob() // A request that fails is not the end of the others.
    private val database = adbc("duckdb")
    private val written = AtomicLong()

    /** The flights of the year, which are served again and again until there are enough. */
    private val known =
        database.connect().use { duck ->
            val file = "$data/flights.parquet".replace("'", "''")
            duck.executeUpdate("CREATE VIEW flights AS FROM read_parquet('$file', file_row_number = true)")
            duck.executeQuery("SELECT count(*) FROM flights").use { result ->
                result.nextBatch()!!.use { it.column(0).getLong(0) }
            }
        }

    init {
        http.executor = threads
        http.createContext("/flights", ::answer)
        http.start()
    }

    /** Where it listens. */
    val address: URI = URI("http://${http.address.hostString}:${http.address.port}/flights")

    /** The batches that were written so far, in all answers. */
    val batchesWritten: Long get() = written.get()

    private fun answer(exchange: HttpExchange) {
        val rows = rowsIn(exchange.requestURI)
        if (exchange.requestMethod != "GET" || rows == null) {
            return refuse(exchange, "GET ${exchange.requestURI.path}?rows=N, with a number from 1 to $MOST_ROWS")
        }
        database.connect().use { duck -> stream(duck, rows, exchange) }
    }

    private fun stream(
        duck: AdbcConnection,
        rows: Long,
        exchange: HttpExchange,
    ) {
        duck.executeQuery(flightsSql(rows)).use { flights ->
            val schema = flights.schema
            exchange.responseHeaders["Content-Type"] = ARROW_STREAM
            exchange.sendResponseHeaders(OK, IN_CHUNKS)
            runBlocking(work) {
                flights.asFlow().onEach { written.incrementAndGet() }.writeArrow(exchange.responseBody, schema)
            }
        }
        // Only now. If the flow has failed, the exception goes to the HTTP server, which cuts the connection. The end of the
        // response would say that it is whole, and a client would take the rows before the failure for all rows.
        exchange.close()
    }

    private fun refuse(
        exchange: HttpExchange,
        text: String,
    ) {
        val bytes = text.toByteArray()
        val code = if (exchange.requestMethod == "GET") BAD_REQUEST else BAD_METHOD
        if (code == BAD_METHOD) exchange.responseHeaders["Allow"] = "GET"
        val isHead = exchange.requestMethod == "HEAD" // Its answer has no body.
        exchange.sendResponseHeaders(code, if (isHead) NO_BODY else bytes.size.toLong())
        if (!isHead) exchange.responseBody.write(bytes)
        exchange.close()
    }

    private fun rowsIn(uri: URI): Long? =
        uri.query
            ?.let(QUERY::matchEntire)
            ?.let { it.groupValues[1].toLongOrNull() }
            ?.takeIf { it in 1..MOST_ROWS }

    private fun flightsSql(rows: Long) =
        "SELECT sched_dep_time, dep_delay " +
            "FROM range(${(rows + known - 1) / known}) AS years(number) CROSS JOIN flights " +
            "WHERE number * $known + file_row_number < $rows"

    /** Cancels what is under way, and returns when all of it has ended. */
    override fun close() {
        work.cancel()
        http.stop(0) // A write to a client that does not read fails.
        threads.shutdown()
        threads.awaitTermination(1, TimeUnit.MINUTES)
        database.close()
    }

    private companion object {
        const val OK = 200
        const val BAD_REQUEST = 400
        const val BAD_METHOD = 405
        const val NO_BODY = -1L

        /** More would be no sample any more. */
        const val MOST_ROWS = 1_000_000_000L

        val QUERY = Regex("rows=([0-9]+)")

        /** The length of a response that is not known beforehand. */
        const val IN_CHUNKS = 0L
    }
}
