package dev.arrowdevice.spark

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Schema
import dev.arrowdevice.adbc.AdbcException
import dev.arrowdevice.adbc.AdbcStatus
import org.apache.spark.sql.connector.read.Statistics

/** A table or a query of a database. */
internal class AdbcOrigin private constructor(
    private val settings: AdbcSettings,
    private val options: SourceOptions,
    /** What stands after FROM. */
    private val from: String,
    private val table: TableName?,
) : Origin {
    private val names = SqlNames(options)

    override val name: String get() = "arrow-device ${settings.driver} " + (table?.parts?.joinToString(".") ?: "query")
    override val isSql: Boolean get() = true
    override val schema: Schema by lazy { settings.open().use { schemaOf(it) } }

    private fun schemaOf(session: AdbcSession): Schema =
        session.statement("SELECT * FROM $from").use { statement ->
            try {
                statement.executeSchema()
            } catch (e: AdbcException) {
                if (e.status != AdbcStatus.NOT_IMPLEMENTED) throw e
                statement.executeQuery().use { it.schema }
            }
        }

    private fun sql(
        request: Request,
        range: String?,
    ): String {
        val where = (request.where + listOfNotNull(range)).map { "($it)" }
        return "SELECT " +
            request.columns
                .joinToString {
                    names.quoted(
                        it,
                    )
                }.ifEmpty { "1 AS ${names.quoted("one")}" } + " FROM $from" +
            (if (where.isEmpty()) "" else where.joinToString(" AND ", " WHERE ")) +
            (request.limit?.let { " LIMIT $it" } ?: "")
    }

    override fun partitions(request: Request): List<StreamPartition> {
        val ranges = ColumnRanges.of(options, schema, names)
        if (ranges != null) return ranges.mapIndexed { i, range -> QueryPartition(settings, sql(request, range), i) }
        val sql = sql(request, null)
        return driversPartitions(sql) ?: listOf(QueryPartition(settings, sql, 0))
    }

    /** Those of a driver that divides a result; null if it does not. */
    private fun driversPartitions(sql: String): List<StreamPartition>? =
        settings.open().use { session ->
            session.statement(sql).use { statement ->
                try {
                    statement.executePartitions().descriptors.mapIndexed { i, it -> DriverPartition(settings, it, i) }
                } catch (e: AdbcException) {
                    if (e.status != AdbcStatus.NOT_IMPLEMENTED) throw e
                    null
                }
            }
        }

    /** What the database estimates of the whole table, if it does. */
    override fun statistics(): Statistics? {
        if (table == null) return null
        return try {
            val all =
                settings.open().use { session ->
                    // PostgreSQL's driver wants to know the schema.
                    val schema = table.schema ?: session.connection.getOption("adbc.connection.db_schema")
                    session.connection.getStatistics(table.catalog, schema, table.name, true)
                }
            val rows =
                all.filter { it.column() == null && it.name() == ROW_COUNT }.map {
                    (it.value() as Number)
                        .toLong()
                }
            // Before a table is analysed, some databases say -1.
            rows.singleOrNull()?.takeIf { it >= 0 }?.let { RowCount(it, null) }
        } catch (e: AdbcException) {
            null
        }
    }

    /** A query; its text is the user's, and not printed. */
    private class QueryPartition(
        private val settings: AdbcSettings,
        private val sql: String,
        private val index: Int,
    ) : StreamPartition {
        override fun open(memory: TaskMemory): DeviceArrayStream = SessionStream.ofQuery(settings, sql)

        override fun toString(): String = "partition $index of a $settings"
    }

    private class DriverPartition(
        private val settings: AdbcSettings,
        private val descriptor: ByteArray,
        private val index: Int,
    ) : StreamPartition {
        override fun open(memory: TaskMemory): DeviceArrayStream =
            SessionStream.of(settings.open()) { it.connection.readPartition(descriptor) }

        override fun toString(): String = "partition $index of a $settings"
    }

    companion object {
        private const val ROW_COUNT = "adbc.statistic.row_count"

        /** The names that are read or written, of databases and of sources in general. */
        val OPTIONS =
            listOf(
                "driver",
                "url",
                "uri",
                "user",
                "password",
                "dbtable",
                "sessionInitStatement",
                "quote",
                "database.",
                "connection.",
                "statement.",
            )

        fun of(options: SourceOptions): AdbcOrigin {
            options.requireKnown("a database that is read", OPTIONS + "query" + ColumnRanges.OPTIONS)
            val query = options["query"]
            require((query == null) != ("dbtable" !in options)) {
                "either the option dbtable or the option query says what is read"
            }
            val table = options["dbtable"]?.let(::TableName)
            val names = SqlNames(options)
            val from =
                table?.let { names.quoted(it) }
                    // On a line of its own, as the query may end in a comment.
                    ?: "(${query!!.trim().trimEnd(';')}\n) ${names.quoted("arrow_device")}"
            return AdbcOrigin(AdbcSettings(options), options, from, table)
        }
    }
}
