package dev.arrowdevice.adbc.servers

import dev.arrowdevice.adbc.AdbcDatabase
import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.deleteRecursively

/** A PostgreSQL server on loopback, with a new database, stopped and removed by [close]. */
internal class PostgresServer private constructor(
    private val programs: Path,
    private val folder: Path,
    private val port: Int,
) : AutoCloseable {
    val uri = "postgresql://$USER@127.0.0.1:$port/postgres"

    fun open(): AdbcDatabase = Databases.open("postgresql") { uri = this@PostgresServer.uri }

    private fun start(): PostgresServer {
        run("initdb", "-D", "$folder/data", "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync")
        run("pg_ctl", "-D", "$folder/data", "-w", "-t", "60", "-l", "$folder/log", "-o", options(), "start")
        return this
    }

    private fun options() = "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder -c fsync=off"

    @OptIn(kotlin.io.path.ExperimentalPathApi::class)
    override fun close() {
        run("pg_ctl", "-D", "$folder/data", "-m", "immediate", "-w", "stop")
        folder.deleteRecursively()
    }

    private fun run(vararg command: String) {
        val program = listOf(programs.resolve(command[0]).toString()) + command.drop(1)
        // PostgreSQL refuses to run as root.
        val full = if (isRoot) listOf("runuser", "-u", "postgres", "--") + program else program
        val output = Files.createTempFile("arrow-device-postgres", ".txt")
        try {
            val process =
                ProcessBuilder(full)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start()
            check(process.waitFor(90, TimeUnit.SECONDS)) { "$full does not end" }
            check(process.exitValue() == 0) { "$full failed: ${Files.readString(output)}" }
        } finally {
            Files.delete(output)
        }
    }

    companion object {
        private const val USER = "postgres"
        private val isRoot = System.getProperty("user.name") == "root"

        private val programs: Path? by lazy {
            val usual =
                Path
                    .of("/usr/lib/postgresql")
                    .toFile()
                    .listFiles()
                    .orEmpty()
                    .map { it.toPath().resolve("bin") }
            val path = System.getenv("PATH").split(':').map { Path.of(it) }
            (usual + path).firstOrNull { Files.isExecutable(it.resolve("initdb")) }
        }

        /** Why there is no server, null if there can be one. */
        fun obstacle(): String? =
            Databases.obstacle("postgresql")
                ?: if (programs == null) "PostgreSQL is not installed: apt install postgresql" else null

        fun start(): PostgresServer {
            val folder = Files.createTempDirectory("arrow-device-postgres")
            if (isRoot) {
                check(ProcessBuilder("chown", "postgres", folder.toString()).start().waitFor() == 0)
            }
            val port = ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }
            return PostgresServer(programs!!, folder, port).start()
        }
    }
}
