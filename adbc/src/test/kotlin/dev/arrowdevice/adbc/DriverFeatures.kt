package dev.arrowdevice.adbc

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.adbc.DatabaseContract.Companion.sum
import dev.arrowdevice.addAll
import dev.arrowdevice.asSequence
import dev.arrowdevice.recordBatch
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger

/** A database on which features are looked for. */
internal class LookedAt(
    val name: String,
    private val placeholder: String,
    private val schemaOfStatistics: String?,
    private val open: () -> AdbcDatabase,
) {
    /** Whether the driver has it. What it lacks it refuses, or does in part. */
    fun has(feature: DriverFeature): Boolean =
        open().use { database ->
            database.connect().use { connection ->
                try {
                    feature.look(Look(connection, placeholder, schemaOfStatistics))
                } catch (e: AdbcException) {
                    false
                }
            }
        }
}

/** A look at one feature, with a connection and a table of its own. */
internal class Look(
    val connection: AdbcConnection,
    val placeholder: String,
    val schemaOfStatistics: String?,
) {
    val table = "feature_${COUNT.incrementAndGet()}"

    fun numbers(values: LongRange): RecordBatch = recordBatch { column<Long>("n") { addAll(values) } }

    /** Makes the table by SQL: not every driver can ingest. */
    fun create(values: LongRange) {
        connection.executeUpdate("CREATE TABLE $table (n BIGINT)")
        connection.executeUpdate("INSERT INTO $table VALUES " + values.joinToString { "($it)" })
    }

    fun ingest(
        mode: IngestMode,
        values: LongRange,
        target: (IngestTarget) -> IngestTarget = { it },
    ): Long = numbers(values).use { connection.ingest(target(IngestTarget.table(table, mode)), it) }

    fun sumOf(sql: String): Long = connection.executeQuery(sql).use { it.sum() }

    fun <R> statement(
        sql: String,
        block: (AdbcStatement) -> R,
    ): R =
        connection.createStatement().use { statement ->
            statement.setSqlQuery(sql)
            block(statement)
        }

    fun DeviceArrayStream.sum(): Long = asSequence().sumOf { it.sum() }

    private companion object {
        val COUNT = AtomicInteger()
    }
}

/** What a driver may have or lack, and how to see which. */
internal class DriverFeature(
    val title: String,
    val look: Look.() -> Boolean,
)

internal val DRIVER_FEATURES =
    listOf(
        DriverFeature("prepared statements") {
            statement("SELECT 7 AS n") {
                it.prepare()
                it.executeQuery().use { result -> result.sum() } == 7L
            }
        },
        DriverFeature("a row of parameters") {
            create(1L..5L)
            statement("SELECT n FROM $table WHERE n = $placeholder") { selected(it, 3L..3L) == 3L }
        },
        DriverFeature("many rows of parameters, for a query") {
            create(1L..5L)
            statement("SELECT n FROM $table WHERE n = $placeholder") { selected(it, 3L..5L) == 12L }
        },
        DriverFeature("many rows of parameters, for an update") {
            create(1L..1L)
            statement("INSERT INTO $table VALUES ($placeholder)") { statement ->
                statement.prepare()
                numbers(2L..4L).use(statement::bind)
                statement.executeUpdate()
            }
            sumOf("SELECT n FROM $table") == 10L
        },
        DriverFeature("schema of the parameters") {
            create(1L..1L)
            statement("SELECT n FROM $table WHERE n = $placeholder") {
                it.prepare()
                it.parameterSchema.fields().size == 1
            }
        },
        DriverFeature("schema of a result without executing") {
            statement("SELECT 1 AS n") { it.executeSchema().fields().map { field -> field.name() } == listOf("n") }
        },
        DriverFeature("number of rows of an update") {
            create(1L..3L)
            connection.executeUpdate("DELETE FROM $table") == 3L
        },
        DriverFeature("number of rows of an ingest") { ingest(IngestMode.CREATE, 1L..3L) == 3L },
        DriverFeature("ingest: create, append, replace") {
            ingest(IngestMode.CREATE, 1L..3L)
            ingest(IngestMode.APPEND, 4L..4L)
            val appended = sumOf("SELECT n FROM $table")
            ingest(IngestMode.REPLACE, 5L..5L)
            appended == 10L && sumOf("SELECT n FROM $table") == 5L
        },
        DriverFeature("ingest: create-append") {
            repeat(2) { ingest(IngestMode.CREATE_APPEND, 1L..3L) }
            sumOf("SELECT n FROM $table") == 12L
        },
        DriverFeature("ingest: temporary table") {
            ingest(IngestMode.CREATE, 1L..3L) { it.temporary() }
            sumOf("SELECT n FROM $table") == 6L
        },
        DriverFeature("transactions") {
            create(1L..3L)
            connection.setAutocommit(false)
            connection.executeUpdate("DELETE FROM $table")
            connection.rollback()
            connection.setAutocommit(true)
            sumOf("SELECT n FROM $table") == 6L
        },
        DriverFeature("cancel") {
            statement("SELECT 1 AS n") {
                it.cancel()
                true
            }
        },
        DriverFeature("info") { connection.info.driverName != null },
        DriverFeature("catalogs, schemas, tables, columns") {
            create(1L..3L)
            connection
                .getObjects(ObjectFilter.to(ObjectFilter.Depth.ALL).ofTable(table))
                .flatMap { it.dbSchemas() }
                .flatMap { it.tables() }
                .any { it.name() == table && it.columns().size == 1 }
        },
        DriverFeature("schema of a table") {
            create(1L..3L)
            connection.getTableSchema(null, null, table).fields().size == 1
        },
        DriverFeature("types of tables") { connection.tableTypes.isNotEmpty() },
        DriverFeature("statistics") {
            create(1L..20L)
            connection.executeUpdate("ANALYZE $table")
            connection.getStatistics(null, schemaOfStatistics, table, true).isNotEmpty()
        },
        DriverFeature("partitions") {
            statement("SELECT 1 AS n") { it.executePartitions().descriptors.isNotEmpty() }
        },
        DriverFeature("Substrait plans are taken") {
            connection.createStatement().use { statement ->
                statement.setSubstraitPlan(ByteArray(0))
                true
            }
        },
    )

private fun Look.selected(
    statement: AdbcStatement,
    parameters: LongRange,
): Long {
    statement.prepare()
    numbers(parameters).use(statement::bind)
    return statement.executeQuery().use { it.sum() }
}

/** The table of drivers and features in `docs/adbc.md`. */
internal object DriverTable {
    val file: Path =
        generateSequence(Path.of("").toAbsolutePath()) { it.parent }
            .first { Files.exists(it.resolve("docs")) }
            .resolve("docs/adbc.md")

    /** What a database's driver has, feature by feature. */
    fun column(database: LookedAt): List<String> = DRIVER_FEATURES.map { if (database.has(it)) "yes" else "no" }

    /** The page with these columns, by the names of their databases. */
    fun updated(
        page: String,
        columns: Map<String, List<String>>,
    ): String {
        val table =
            buildString {
                append(columns.keys.joinToString(" | ", "| | ", " |\n"))
                append(columns.keys.joinToString(" | ", "| --- | ", " |\n") { "---" })
                DRIVER_FEATURES.forEachIndexed { i, feature ->
                    append(columns.values.joinToString(" | ", "| ${feature.title} | ", " |\n") { it[i] })
                }
            }
        return page.substringBefore(BEGIN) + BEGIN + "\n\n" + table + "\n" + END + page.substringAfter(END)
    }

    private const val BEGIN = "<!-- drivers: begin, made by DriverTableTest -->"
    private const val END = "<!-- drivers: end -->"
}
