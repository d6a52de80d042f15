package dev.arrowdevice.benchmarks.database

import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively
import kotlin.io.path.isExecutable
import kotlin.io.path.listDirectoryEntries

/** A PostgreSQL server on loopback with a new database, stopped and removed by [close]. */
internal class LocalPostgres private constructor(
    private val programs: Path,
    private val folder: Path,
    private val port: Int,
) : AutoCloseable {
    val uri = "postgresql://$USER@127.0.0.1:$port/postgres"

    val jdbc = "jdbc:postgresql://127.0.0.1:$port/postgres?user=$USER"

    private fun start(): LocalPostgres {
        val options = "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder -c fsync=off"
        run("initdb", "-D", "$folder/data", "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync")
        run("pg_ctl", "-D", "$folder/data", "-w", "-t", "60", "-l", "$folder/log", "-o", options, "start")
        return this
    }

    private fun run(vararg command: String) {
        val program = listOf("$programs/${command[0]}") + command.drop(1)
        // PostgreSQL refuses to run as root.
        val full = if (isRoot) listOf("runuser", "-u", "postgres", "--") + program else program
        val process =
            ProcessBuilder(full)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
        check(process.waitFor(MINUTES, TimeUnit.MINUTES)) { "$full does not end" }
        check(process.exitValue() == 0) { "$full failed" }
    }

    @OptIn(ExperimentalPathApi::class)
    override fun close() {
        run("pg_ctl", "-D", "$folder/data", "-m", "immediate", "-w", "stop")
        folder.deleteRecursively()
    }

    companion object {
        private const val USER = "postgres"
        private const val MINUTES = 2L
        private val isRoot = System.getProperty("user.name") == "root"

        private fun programs(): Path? {
            val debian = Path.of("/usr/lib/postgresql")
            val installed =
                if (Files.exists(
                        debian,
                    )
                ) {
                    debian.listDirectoryEntries().map { it.resolve("bin") }
                } else {
                    listOf()
                }
            return (installed + System.getenv("PATH").split(':').map(Path::of))
                .firstOrNull { it.resolve("initdb").isExecutable() }
        }

        /** Why there is no server; null if there can be one. */
        fun obstacle(): String? =
            if (programs() ==
                null
            ) {
                "PostgreSQL is not installed: apt install postgresql"
            } else {
                null
            }

        fun start(): LocalPostgres {
            val folder = Files.createTempDirectory("arrow-device-benchmarks")
            if (isRoot) check(ProcessBuilder("chown", "postgres", "$folder").start().waitFor() == 0) { "chown failed" }
            val port = ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }
            return LocalPostgres(programs()!!, folder, port).start()
        }
    }
}
