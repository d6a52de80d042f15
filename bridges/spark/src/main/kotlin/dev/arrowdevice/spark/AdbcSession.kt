package dev.arrowdevice.spark

import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.adbc.AdbcDatabase
import dev.arrowdevice.adbc.AdbcStatement
import dev.arrowdevice.adbc.adbc
import dev.arrowdevice.adbc.connect
import org.apache.spark.TaskContext
import org.apache.spark.util.TaskInterruptListener
import java.io.Serializable

/** How a database is opened, on any machine. It prints no secrets. */
internal class AdbcSettings(
    options: SourceOptions,
) : Serializable {
    val driver: String = options.required("driver")
    private val database = options.withPrefix("database.")
    private val connection = options.withPrefix("connection.")
    private val statement = options.withPrefix("statement.")
    private val init = options["sessionInitStatement"]

    init {
        require("url" !in options || "uri" !in options) { "there are both options url and uri, which are the same" }
        (options["url"] ?: options["uri"])?.let { database["uri"] = it }
        options["user"]?.let { database["username"] = it }
        options["password"]?.let { database["password"] = it }
    }

    /** A connection of its own, as some drivers serve one result of a connection at a time. */
    fun open(): AdbcSession {
        val opened = adbc(driver) { database.forEach { (name, value) -> option(name, value) } }
        try {
            val connected = opened.connect { connection.forEach { (name, value) -> option(name, value) } }
            // SQLite refuses a second writer at once, unless a connection asks it to wait.
            if ("sqlite" in
                driver.substringAfterLast('/')
            ) {
                connected.executeUpdate("PRAGMA busy_timeout = $SQLITE_WAIT_MILLIS")
            }
            init?.let { connected.executeUpdate(it) }
            return AdbcSession(opened, connected, statement)
        } catch (e: Throwable) {
            runCatching(opened::close).onFailure(e::addSuppressed)
            throw e
        }
    }

    override fun toString(): String = "database of $driver"

    private companion object {
        const val SQLITE_WAIT_MILLIS = 120_000
    }
}

/** A database and a connection to it, which are closed together. */
internal class AdbcSession(
    private val database: AdbcDatabase,
    val connection: AdbcConnection,
    private val statementOptions: Map<String, String>,
) : AutoCloseable {
    fun statement(sql: String): AdbcStatement {
        val statement = connection.createStatement()
        try {
            statementOptions.forEach { (name, value) -> statement.setOption(name, value) }
            statement.setSqlQuery(sql)
            return statement
        } catch (e: Throwable) {
            runCatching(statement::close).onFailure(e::addSuppressed)
            throw e
        }
    }

    override fun close() = database.close()
}

/** A result that ends its session with it. A task that is killed does not wait for the database. */
internal class SessionStream private constructor(
    private val session: AdbcSession,
    private val result: DeviceArrayStream,
) : DeviceArrayStream() {
    override fun getDeviceType(): Int = result.deviceType

    override fun getField(): Field = result.field

    override fun pull(): DeviceArray? = result.nextArray()

    override fun closeSource() = session.use { result.close() }

    companion object {
        /** Takes over the session, which is closed if this fails. */
        fun of(
            session: AdbcSession,
            execute: (AdbcSession) -> DeviceArrayStream,
        ): SessionStream =
            try {
                SessionStream(session, execute(session))
            } catch (e: Throwable) {
                runCatching(session::close).onFailure(e::addSuppressed)
                throw e
            }

        fun ofQuery(
            settings: AdbcSettings,
            sql: String,
        ): SessionStream =
            of(settings.open()) { session ->
                val statement = session.statement(sql)
                cancelWithTask(statement)
                statement.executeQuery()
            }

        private fun cancelWithTask(statement: AdbcStatement) {
            TaskContext.get()?.addTaskInterruptListener(
                TaskInterruptListener { _, _ -> runCatching(statement::cancel) }, // Some drivers can't.
            )
        }
    }
}
