package dev.arrowdevice.spark

import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.adbc.AdbcException
import dev.arrowdevice.adbc.AdbcStatus
import dev.arrowdevice.adbc.IngestMode
import dev.arrowdevice.adbc.IngestTarget
import dev.arrowdevice.adbc.ObjectFilter
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.write.BatchWrite
import org.apache.spark.sql.connector.write.DataWriter
import org.apache.spark.sql.connector.write.DataWriterFactory
import org.apache.spark.sql.connector.write.LogicalWriteInfo
import org.apache.spark.sql.connector.write.PhysicalWriteInfo
import org.apache.spark.sql.connector.write.SupportsTruncate
import org.apache.spark.sql.connector.write.Write
import org.apache.spark.sql.connector.write.WriteBuilder
import org.apache.spark.sql.connector.write.WriterCommitMessage
import org.apache.spark.sql.types.StructType
import java.io.Serializable

/** A table of a database that rows are added to, or replaced in. */
internal class AdbcWriteBuilder(
    private val info: LogicalWriteInfo,
    private val options: SourceOptions,
) : SupportsTruncate {
    private var truncates = false

    init {
        options.requireKnown("a database that is written", AdbcOrigin.OPTIONS)
    }

    override fun truncate(): WriteBuilder = apply { truncates = true }

    override fun build(): Write {
        val job =
            WriteJob(
                AdbcSettings(options),
                TableName(options.required("dbtable")),
                SqlNames(options),
                info.schema(),
                info.queryId(),
            )
        job.requireColumns()
        return object : Write {
            override fun description(): String = "arrow-device ${job.table.parts.joinToString(".")}"

            override fun toBatch(): BatchWrite = AdbcBatchWrite(job, truncates, options.memoryLimit, options.batchRows)
        }
    }
}

/** What a job writes, and where. */
internal class WriteJob(
    val settings: AdbcSettings,
    val table: TableName,
    val names: SqlNames,
    val schema: StructType,
    queryId: String,
) : Serializable {
    /** What the names of the staging tables of this job begin with, whichever of its tasks made them. */
    private val prefix = "arrow_device_" + queryId.replace("-", "").take(QUERY_DIGITS) + "_"

    fun staging(
        partition: Int,
        task: Long,
    ): TableName = table.sibling("$prefix${partition}_$task")

    fun target(
        table: TableName,
        mode: IngestMode,
    ): IngestTarget = IngestTarget.table(table.name, mode).inCatalog(table.catalog).inDbSchema(table.schema)

    /** Early: before any row is written. */
    fun requireColumns() {
        schema.toArrowSchema()
        val there = settings.open().use { columns(it.connection) } ?: return
        val unknown = schema.fieldNames().filterNot { it in there }
        require(unknown.isEmpty()) {
            "table ${table.name} has no column ${unknown.joinToString()}; there are: ${there.joinToString()}"
        }
    }

    /** Of the table, null if there is none. */
    fun columns(connection: AdbcConnection): List<String>? =
        try {
            connection.getTableSchema(table.catalog, table.schema, table.name).names()
        } catch (e: AdbcException) {
            // Some drivers say what the database says of it.
            if (e.status == AdbcStatus.NOT_FOUND || "no such table" in e.message.orEmpty() ||
                "not exist" in e.message.orEmpty()
            ) {
                null
            } else {
                throw e
            }
        }

    fun drop(
        connection: AdbcConnection,
        table: TableName,
    ) {
        connection.executeUpdate("DROP TABLE IF EXISTS ${names.quoted(table)}")
    }

    /** Also those of attempts that nobody has heard of again. */
    fun dropStaging(connection: AdbcConnection) {
        val found = connection.getObjects(ObjectFilter.to(ObjectFilter.Depth.TABLES).ofTable("$prefix%"))
        val tables = found.flatMap { it.dbSchemas() }.flatMap { it.tables() }.map { it.name() }
        tables.filter { it.startsWith(prefix) }.forEach { drop(connection, table.sibling(it)) }
    }

    private companion object {
        const val QUERY_DIGITS = 16
    }
}

/** The staging table of a task that succeeded; none if it had no rows. */
private class Staged(
    val table: TableName?,
) : WriterCommitMessage

private class AdbcBatchWrite(
    private val job: WriteJob,
    private val truncates: Boolean,
    private val memoryLimit: Long?,
    private val batchRows: Int,
) : BatchWrite {
    override fun createBatchWriterFactory(info: PhysicalWriteInfo): DataWriterFactory =
        AdbcWriterFactory(job, memoryLimit, batchRows)

    /** Moves what the tasks have written, all or nothing. */
    override fun commit(messages: Array<WriterCommitMessage?>) {
        job.settings.open().use { session ->
            val connection = session.connection
            val exists = job.columns(connection) != null
            connection.isAutocommit = false
            if (!exists) {
                RowBatches(job.schema, TaskMemory.of(null), 1).use { rows ->
                    rows.take().use { connection.ingest(job.target(job.table, IngestMode.CREATE), it) }
                }
            } else if (truncates) {
                connection.executeUpdate("DELETE FROM ${job.names.quoted(job.table)}")
            }
            val columns = job.schema.fieldNames().joinToString { job.names.quoted(it) }
            for (staged in messages.mapNotNull { (it as? Staged)?.table }) {
                connection.executeUpdate(
                    "INSERT INTO ${job.names.quoted(
                        job.table,
                    )} ($columns) SELECT $columns FROM ${job.names.quoted(staged)}",
                )
                job.drop(connection, staged)
            }
            connection.commit()
            // The rows are there; a table that can't be dropped changes nothing about that.
            runCatching {
                connection.isAutocommit = true
                job.dropStaging(connection)
            }
        }
    }

    override fun abort(messages: Array<WriterCommitMessage?>) {
        job.settings.open().use { job.dropStaging(it.connection) }
    }
}

private class AdbcWriterFactory(
    private val job: WriteJob,
    private val memoryLimit: Long?,
    private val batchRows: Int,
) : DataWriterFactory {
    override fun createWriter(
        partitionId: Int,
        taskId: Long,
    ): DataWriter<InternalRow> =
        AdbcWriter(job, job.staging(partitionId, taskId), TaskMemory.of(memoryLimit), batchRows)
}

/** Writes the rows of one attempt of a task into a table of its own. */
private class AdbcWriter(
    private val job: WriteJob,
    private val staging: TableName,
    private val memory: TaskMemory,
    batchRows: Int,
) : DataWriter<InternalRow> {
    private val rows = RowBatches(job.schema, memory, batchRows)
    private var session: AdbcSession? = null

    override fun write(row: InternalRow) {
        rows.append(row)
        if (rows.isFull) flush()
    }

    private fun flush() {
        if (rows.isEmpty) return
        val opened = session
        val connection = (opened ?: job.settings.open().also { session = it }).connection
        val mode = if (opened == null) IngestMode.CREATE else IngestMode.APPEND
        rows.take().use { connection.ingest(job.target(staging, mode), it) }
    }

    override fun commit(): WriterCommitMessage {
        flush()
        return Staged(staging.takeIf { session != null })
    }

    override fun abort() {
        session?.let { job.drop(it.connection, staging) }
    }

    override fun close() = rows.use { session.use { } }
}
