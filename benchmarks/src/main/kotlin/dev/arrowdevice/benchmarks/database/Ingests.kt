package dev.arrowdevice.benchmarks.database

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.adbc.IngestMode
import dev.arrowdevice.adbc.IngestTarget
import dev.arrowdevice.builder.RecordBatchBuilder
import org.duckdb.DuckDBConnection
import java.sql.Connection

private const val ROWS_OF_A_BATCH = 65_536

/** How many rows a JDBC driver sends at a time. */
private const val SENT = 1000

private val SCHEMA =
    Schema.of(
        Field.notNull("id", ArrowType.INT64),
        Field.notNull("a", ArrowType.INT32),
        Field.notNull("b", ArrowType.FLOAT64),
    )

/** The rows that are ingested, as columns of the JVM, and how they become a table. Each way begins with the same arrays. */
internal class IngestedRows(
    rows: Int,
) {
    private val id = LongArray(rows) { it.toLong() }
    private val a = IntArray(rows) { it % 86_400 }
    private val b = DoubleArray(rows) { it % 1000 / 8.0 }

    /** The rows of a batch, written into Arrow arrays. */
    private fun batch(from: Int): RecordBatch {
        val to = minOf(id.size, from + ROWS_OF_A_BATCH)
        return RecordBatchBuilder.of(SCHEMA).use { builder ->
            builder.column(0).appendAll(id.copyOfRange(from, to))
            builder.column(1).appendAll(a.copyOfRange(from, to))
            builder.column(2).appendAll(b.copyOfRange(from, to))
            builder.finish()
        }
    }

    fun ingest(connection: AdbcConnection) {
        val batches = (id.indices step ROWS_OF_A_BATCH).asSequence().map { batch(it) }.iterator()
        val target = IngestTarget.table("ingested", IngestMode.CREATE)
        connection.ingest(target, DeviceArrayStream.of(SCHEMA, DeviceType.CPU, batches) {})
    }

    /** What users of JDBC do: statements in batches, in one transaction. */
    fun insert(
        connection: Connection,
        database: Database,
    ) {
        create(connection, database)
        connection.autoCommit = false
        connection.prepareStatement("INSERT INTO ingested VALUES (?, ?, ?)").use { statement ->
            for (i in id.indices) {
                statement.setLong(1, id[i])
                statement.setInt(2, a[i])
                statement.setDouble(3, b[i])
                statement.addBatch()
                if (i % SENT == SENT - 1) statement.executeBatch()
            }
            statement.executeBatch()
        }
        connection.commit()
        connection.autoCommit = true
    }

    /** The fastest way of DuckDB's JDBC driver. */
    fun append(
        connection: Connection,
        database: Database,
    ) {
        create(connection, database)
        connection.unwrap(DuckDBConnection::class.java).createAppender("main", "ingested").use { appender ->
            for (i in id.indices) {
                appender.beginRow()
                appender.append(id[i])
                appender.append(a[i])
                appender.append(b[i])
                appender.endRow()
            }
        }
    }

    private fun create(
        connection: Connection,
        database: Database,
    ) = connection.createStatement().use {
        it.execute("CREATE TABLE ingested (id BIGINT, a ${database.integer}, b ${database.double})")
    }
}

private const val COUNT = "SELECT count(*) FROM ingested"

internal fun AdbcConnection.ingestedRows(): Long =
    executeQuery(COUNT).use { result -> result.nextBatch()!!.use { it.column(0).getLong(0) } }

internal fun Connection.ingestedRows(): Long =
    createStatement().use { statement ->
        statement.executeQuery(COUNT).use { result ->
            result.next()
            result.getLong(1)
        }
    }
