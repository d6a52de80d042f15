package dev.arrowdevice.adbc.servers

import dev.arrowdevice.adbc.AdbcDatabase
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit

/** arrow-go's example server of Flight SQL on loopback, over a SQLite in memory, ended by [close]. */
internal class FlightSqlServer private constructor(
    private val process: Process,
    address: String,
) : AutoCloseable {
    val uri = "grpc://$address"

    val isAlive: Boolean get() = process.isAlive

    fun open(): AdbcDatabase = Databases.open("flightsql") { uri = this@FlightSqlServer.uri }

    override fun close() {
        process.destroyForcibly().waitFor(60, TimeUnit.SECONDS)
    }

    companion object {
        private const val VERSION = "v18.8.0"
        private const val READY = "Starting SQLite Flight SQL Server on "

        /** Where `adbc/flightsql-server` installs it. */
        private val program: Path =
            (System.getenv("XDG_CACHE_HOME") ?: "${System.getProperty("user.home")}/.cache").let { cache ->
                Path.of(
                    System.getenv("ARROW_DEVICE_FLIGHTSQL") ?: "$cache/arrow-device/flightsql",
                    VERSION,
                    "sqlite_flightsql_server",
                )
            }

        /** Why there is no server, null if there can be one. */
        fun obstacle(): String? =
            Databases.obstacle("flightsql")
                ?: if (Files.isExecutable(program)) {
                    null
                } else {
                    "no Flight SQL server is installed: adbc/flightsql-server installs it"
                }

        /** Starts it on a free port, which it says when it listens there. */
        fun start(): FlightSqlServer {
            val process =
                ProcessBuilder("$program", "-host", "127.0.0.1", "-port", "0")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
            val line = process.inputReader().readLine()
            check(line != null && line.startsWith(READY)) { "the Flight SQL server says: $line" }
            return FlightSqlServer(process, line.removePrefix(READY).substringBefore(' '))
        }
    }
}
