package dev.arrowdevice.adbc.validation

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.adbc.AdbcDatabase
import dev.arrowdevice.adbc.AdbcException
import dev.arrowdevice.adbc.AdbcStatement
import dev.arrowdevice.adbc.AdbcStatus
import dev.arrowdevice.adbc.IngestMode
import dev.arrowdevice.adbc.IngestTarget
import dev.arrowdevice.add
import dev.arrowdevice.asSequence
import dev.arrowdevice.deviceArray
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain

/**
 * A case of `adbc_validation`, the suite that ADBC has for its drivers, through the face of the SDK.
 *
 * @property name of the case there
 */
internal class ValidationCase(
    val name: String,
    val check: CaseRun.() -> Unit,
)

/**
 * A database that the cases run on.
 *
 * @property catalog the current one; null if the driver does not say
 * @property dbSchema the current one; null if the driver does not say
 * @property temporary the schema of temporary tables
 * @property key the type of a column that makes its own keys
 * @property info what the driver says of itself, by info code, or a part of it
 * @property selected the type of a result's column, by the type that was ingested
 * @property lacks the cases that do not pass, and why
 */
internal class Validated(
    val name: String,
    val placeholder: (Int) -> String = { "?" },
    val catalog: String?,
    val dbSchema: String?,
    val temporary: String,
    val key: String,
    val info: Map<Long, Any>,
    val selected: (ArrowType) -> ArrowType,
    val lacks: Map<String, String>,
    val open: () -> AdbcDatabase,
)

/** A column of a batch: its name, its type and its values. */
internal data class Values(
    val name: String,
    val type: ArrowType,
    val values: List<Any?>,
)

/** A result, as objects. */
internal class Rows(
    val schema: Schema,
    val rows: List<List<Any?>>,
) {
    val names: List<String> get() = schema.fields().map { it.name() }

    val types: List<ArrowType> get() = schema.fields().map { it.type() }

    fun column(index: Int = 0): List<Any?> = rows.map { plain(it[index]) }
}

/** A case that runs: its database and its connection. */
internal class CaseRun(
    val subject: Validated,
    val database: AdbcDatabase,
) {
    val connection: AdbcConnection by lazy { database.connect() }

    fun drop(
        table: String,
        schema: String? = null,
    ) = connection.executeUpdate("DROP TABLE IF EXISTS ${schema?.let { "\"$it\"." } ?: ""}\"$table\"")

    fun execute(sql: String): Long = connection.executeUpdate(sql)

    fun <R> statement(block: (AdbcStatement) -> R): R = connection.createStatement().use(block)

    fun prepared(
        sql: String,
        block: (AdbcStatement) -> Unit,
    ) = statement {
        it.setSqlQuery(sql)
        it.prepare()
        block(it)
    }

    fun rows(
        sql: String,
        connection: AdbcConnection = this.connection,
    ): Rows = connection.executeQuery(sql).use(::rows)

    fun rows(result: DeviceArrayStream): Rows =
        Rows(
            result.schema,
            result
                .asSequence()
                .flatMap { batch ->
                    (0 until batch.rowCount).map { row -> List(batch.columnCount) { batch.column(it).getObject(row) } }
                }.toList(),
        )

    fun batch(vararg columns: Values): RecordBatch =
        RecordBatch.of(
            Schema.of(columns.map { Field.nullable(it.name, it.type) }),
            columns.map { column ->
                deviceArray(column.type) { column.values.forEach { if (it == null) addNull() else add(it) } }
            },
        )

    fun int64s(vararg values: Long?): Values = Values("int64s", ArrowType.INT64, values.toList())

    fun ingest(
        table: String,
        mode: IngestMode,
        vararg columns: Values,
        target: (IngestTarget) -> IngestTarget = { it },
    ) {
        val rows = batch(*columns).use { connection.ingest(target(IngestTarget.table(table, mode)), it) }
        listOf(-1L, columns[0].values.size.toLong()) shouldContain rows
    }

    /** The table that many cases have. */
    fun sample(
        table: String,
        schema: String? = null,
    ) {
        drop(table, schema)
        ingest(
            table,
            IngestMode.CREATE,
            int64s(42, -42, null),
            Values("strings", ArrowType.UTF8, listOf("foo", null, "")),
        ) { if (schema == null) it else it.inDbSchema(schema) }
    }

    /** The status that a call is refused with. */
    fun status(call: () -> Unit): AdbcStatus = shouldThrow<AdbcException> { call() }.status
}

/** A value so that equal ones are equal, whatever class they have. */
internal fun plain(value: Any?): Any? =
    when (value) {
        is Byte, is Short, is Int -> (value as Number).toLong()
        is java.math.BigInteger -> value.toLong()
        is Float -> value.toDouble()
        is Boolean -> if (value) 1L else 0L
        is ByteArray -> value.toList()
        is List<*> -> value.map(::plain)
        else -> value
    }
