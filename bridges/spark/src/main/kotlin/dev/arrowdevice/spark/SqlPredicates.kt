package dev.arrowdevice.spark

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TimestampType
import dev.arrowdevice.TypeId
import org.apache.spark.sql.connector.expressions.Expression
import org.apache.spark.sql.connector.expressions.Literal
import org.apache.spark.sql.connector.expressions.NamedReference
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.types.DataType
import org.apache.spark.sql.types.DataTypes
import org.apache.spark.sql.types.Decimal
import org.apache.spark.unsafe.types.UTF8String
import java.io.Serializable
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.time.format.DateTimeFormatterBuilder
import java.time.temporal.ChronoUnit
import java.util.Locale

/** How a database writes names: in double quotes, as standard SQL has it, unless the option `quote` says otherwise. */
internal class SqlNames(
    options: SourceOptions,
) : Serializable {
    private val quote = options["quote"] ?: "\""

    init {
        require(quote.length == 1) { "the option quote is \"$quote\", not one character" }
    }

    fun quoted(name: String): String {
        require(name.none { it == '\u0000' }) { "a name with the character NUL" }
        return quote + name.replace(quote, quote + quote) + quote
    }

    fun quoted(table: TableName): String = table.parts.joinToString(".") { quoted(it) }
}

/** The name of a table, maybe after that of its schema and catalog: `name`, `schema.name`, or `"a name".x` in double quotes. */
internal class TableName(
    text: String,
) : Serializable {
    val parts: List<String> =
        PART
            .findAll(text)
            .map { it.groupValues[1].ifEmpty { it.groupValues[2].replace("\"\"", "\"") } }
            .toList()

    init {
        require(WHOLE.matches(text) && parts.size <= CATALOG_SCHEMA_NAME) {
            "the option dbtable is \"$text\", not the name of a table"
        }
    }

    val name: String get() = parts.last()
    val schema: String? get() = parts.getOrNull(parts.size - 2)
    val catalog: String? get() = parts.getOrNull(parts.size - CATALOG_SCHEMA_NAME)

    fun sibling(name: String): TableName =
        TableName(
            (parts.dropLast(1) + name).joinToString(".") {
                "\"" +
                    it.replace("\"", "\"\"") +
                    "\""
            },
        )

    private companion object {
        const val CATALOG_SCHEMA_NAME = 3
        val PART = Regex("([^.\"\\s][^.\"]*)|\"((?:[^\"]|\"\")+)\"")
        val WHOLE = Regex("(?:${PART.pattern})(?:\\.(?:${PART.pattern}))*")
    }
}

/**
 * A condition in SQL.
 *
 * @property isExact whether the database finds the same rows as Spark. Otherwise it finds these and maybe others
 */
internal class SqlCondition(
    val text: String,
    val isExact: Boolean,
)

/**
 * Spark's conditions as SQL, as far as a database is sure to find at least the same rows. Texts are compared by its rules, which
 * may ignore case: so only equality of texts is passed on, and Spark compares again. The same goes for floating point numbers.
 */
internal class SqlPredicates(
    private val schema: Schema,
    private val names: SqlNames,
) {
    fun condition(predicate: Expression): SqlCondition? {
        if (predicate !is Predicate) return null
        val parts = predicate.children()
        return when (predicate.name()) {
            "AND", "OR" -> {
                val (left, right) = parts.map { condition(it) ?: return null }
                SqlCondition("(${left.text} ${predicate.name()} ${right.text})", left.isExact && right.isExact)
            }

            // The rows that are not among too many may be too few.
            "NOT" -> {
                condition(parts[0])?.takeIf { it.isExact }?.let { SqlCondition("NOT (${it.text})", true) }
            }

            "IS_NULL" -> {
                column(parts[0])?.let { SqlCondition("${it.sql} IS NULL", true) }
            }

            "IS_NOT_NULL" -> {
                column(parts[0])?.let { SqlCondition("${it.sql} IS NOT NULL", true) }
            }

            "=", "<>", "<", "<=", ">", ">=" -> {
                comparison(predicate.name(), parts)
            }

            "IN" -> {
                among(parts)
            }

            else -> {
                null
            }
        }
    }

    private fun comparison(
        operator: String,
        parts: Array<Expression>,
    ): SqlCondition? {
        val swapped = parts[0] is Literal<*>
        val column = column(parts[if (swapped) 1 else 0]) ?: return null
        val literal = literal(parts[if (swapped) 0 else 1], column) ?: return null
        if (!column.isExact && operator != "=") return null
        return SqlCondition(
            "${column.sql} ${if (swapped) SWAPPED[operator] ?: operator else operator} $literal",
            column.isExact,
        )
    }

    private fun among(parts: Array<Expression>): SqlCondition? {
        val column = column(parts[0]) ?: return null
        val values = parts.drop(1).map { literal(it, column) ?: return null }
        return if (values.isEmpty()) {
            null
        } else {
            SqlCondition(
                "${column.sql} IN (${values.joinToString()})",
                column.isExact,
            )
        }
    }

    private class SqlColumn(
        val sql: String,
        val type: ArrowType,
    ) {
        val isText = type.id() in TEXTS
        val isExact = type.id() in EXACT
    }

    private fun column(expression: Expression): SqlColumn? {
        val path = (expression as? NamedReference)?.fieldNames() ?: return null
        if (path.size != 1) return null
        val type = schema.fields().find { it.name() == path[0] }?.type() ?: return null
        return SqlColumn(names.quoted(path[0]), type).takeIf {
            type.id() in EXACT || type.id() in TEXTS ||
                type.id() in FLOATS
        }
    }

    private fun literal(
        expression: Expression,
        column: SqlColumn,
    ): String? {
        val literal = expression as? Literal<*> ?: return null
        val type = literal.dataType()
        return when (val value = literal.value()) {
            is UTF8String -> if (column.isText) text(value.toString()) else null

            is Boolean -> if (column.type.id() == TypeId.BOOL) value.toString().uppercase() else null

            is Decimal -> value.toJavaBigDecimal().toPlainString()

            is Int -> if (type == DataTypes.DateType) date(value.toLong()) else value.toString()

            is Long -> if (type in TIMESTAMPS) timestamp(value, type, column) else value.toString()

            is Byte, is Short -> value.toString()

            // Databases read 0.1 as a number that is nearer to a tenth than the float is, and find no row.
            is Float -> null

            is Double -> if (value.isFinite()) value.toString() else null

            else -> null
        }
    }

    /** Nothing for nanoseconds: what Spark has cut off counts in the database. */
    private fun timestamp(
        micros: Long,
        type: DataType,
        column: SqlColumn,
    ): String? =
        if ((column.type as? TimestampType)?.unit() == TimeUnit.NANOSECOND) {
            null
        } else {
            timestamp(micros, type == DataTypes.TimestampType)
        }

    companion object {
        private val SWAPPED = mapOf("<" to ">", "<=" to ">=", ">" to "<", ">=" to "<=")
        private val TEXTS = setOf(TypeId.UTF8, TypeId.LARGE_UTF8, TypeId.UTF8_VIEW)
        private val FLOATS = setOf(TypeId.FLOAT32, TypeId.FLOAT64)
        private val EXACT =
            setOf(
                TypeId.BOOL,
                TypeId.INT8,
                TypeId.INT16,
                TypeId.INT32,
                TypeId.INT64,
                TypeId.UINT8,
                TypeId.UINT16,
                TypeId.UINT32,
                TypeId.DECIMAL32,
                TypeId.DECIMAL64,
                TypeId.DECIMAL128,
                TypeId.DATE32,
                TypeId.TIMESTAMP,
            )

        /** Some databases read a backslash in a text as the beginning of something else, so such texts are not passed on. */
        private fun text(value: String): String? =
            if (value.any { it == '\\' || it == '\u0000' }) null else "'" + value.replace("'", "''") + "'"

        private val TIMESTAMPS = setOf(DataTypes.TimestampType, DataTypes.TimestampNTZType)

        /** A day; null if it has a year that databases write each in their own way. */
        fun date(day: Long): String? =
            LocalDate.ofEpochDay(day).takeIf { it.year in YEARS }?.let { "CAST('$it' AS DATE)" }

        fun timestamp(
            micros: Long,
            withZone: Boolean,
        ): String? {
            val instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS)
            val local = LocalDateTime.ofInstant(instant, ZoneOffset.UTC)
            if (local.year !in YEARS) return null
            val text = local.format(WITH_SECONDS)
            return if (withZone) "CAST('$text+00' AS TIMESTAMP WITH TIME ZONE)" else "CAST('$text' AS TIMESTAMP)"
        }

        private val YEARS = 1..9999

        /** `LocalDateTime.toString` leaves out seconds that are 0, which some databases want. */
        private val WITH_SECONDS =
            DateTimeFormatterBuilder()
                .append(DateTimeFormatter.ISO_LOCAL_DATE)
                .appendLiteral(' ')
                .append(DateTimeFormatter.ISO_LOCAL_TIME)
                .toFormatter(Locale.ROOT)
    }
}
