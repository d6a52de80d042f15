package dev.arrowdevice.spark

import dev.arrowdevice.adbc.servers.Databases
import dev.arrowdevice.adbc.servers.PostgresServer
import java.nio.file.Path
import java.sql.Connection
import java.sql.DriverManager
import java.util.Properties

/** A real database: as ADBC opens it, and as Spark's own source opens it over JDBC. */
internal class Server(
    val adbc: Map<String, String>,
    private val jdbcUrl: String,
    private val user: String?,
) {
    val jdbc: Map<String, String> = mapOf("url" to jdbcUrl) + (user?.let { mapOf("user" to it) } ?: mapOf())

    fun connect(): Connection =
        DriverManager.getConnection(
            jdbcUrl,
            Properties().also {
                if (user !=
                    null
                ) {
                    it["user"] = user
                }
            },
        )

    fun execute(vararg sql: String) =
        connect().use { connection ->
            connection.createStatement().use { statement ->
                sql.forEach {
                    statement.execute(it)
                }
            }
        }

    fun number(sql: String): Long =
        connect().use { connection ->
            connection.createStatement().use { statement ->
                statement.executeQuery(sql).run { next().let { getLong(1) } }
            }
        }

    companion object {
        fun sqlite(file: Path) =
            Server(
                mapOf("driver" to "${Databases.manifest("sqlite")}", "url" to "file:$file"),
                "jdbc:sqlite:$file",
                null,
            )

        fun postgres(server: PostgresServer) =
            Server(
                mapOf("driver" to "${Databases.manifest("postgresql")}", "url" to server.uri),
                "jdbc:" + server.uri.replace("postgres@", ""),
                "postgres",
            )
    }
}
