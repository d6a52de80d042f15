package dev.arrowdevice.dataframe.internal

import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.spi.CpuRuntime
import kotlinx.datetime.toJavaInstant
import kotlinx.datetime.toJavaLocalDate
import kotlinx.datetime.toJavaLocalDateTime
import kotlinx.datetime.toJavaLocalTime
import org.jetbrains.kotlinx.dataframe.AnyCol
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.AnyRow
import org.jetbrains.kotlinx.dataframe.DataFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.rows
import org.jetbrains.kotlinx.dataframe.columns.ColumnGroup
import org.jetbrains.kotlinx.dataframe.columns.FrameColumn
import java.math.BigInteger
import kotlin.time.toJavaDuration
import kotlin.time.toJavaInstant

/** Writes data frames as batches of a schema, one column after the other. */
internal object FrameWriter {
    fun write(
        frame: AnyFrame,
        schema: Schema,
    ): RecordBatch = batch(frame, schema, "")

    /** @param parent the groups around, for messages */
    private fun batch(
        frame: AnyFrame,
        schema: Schema,
        parent: String,
    ): RecordBatch {
        requireFields(frame, schema.fields, parent)
        val arrays = mutableListOf<DeviceArray>()
        try {
            for (field in schema.fields) {
                arrays += array(frame.getColumnOrNull(field.columnName), field, frame.rowsCount(), parent)
            }
            return RecordBatch.of(schema, arrays, frame.rowsCount().toLong())
        } catch (e: Throwable) {
            arrays.forEach(DeviceArray::close)
            throw e
        }
    }

    /** Every column has one field, so that nothing is lost in silence, and each field that may not be null a column. */
    private fun requireFields(
        frame: AnyFrame,
        fields: List<Field>,
        parent: String,
    ) {
        val names = fields.map { it.columnName }
        require(names.distinct().size == names.size) {
            "the schema has fields of the same name, a DataFrame only one of each: $names"
        }
        for (name in frame.columnNames()) {
            require(name in names) {
                "column \"$parent$name\" has no field in the schema, which has ${names.joinToString { "\"$it\"" }}"
            }
        }
        for (field in fields) {
            require(field.nullable || frame.getColumnOrNull(field.columnName) != null) {
                "the schema's field \"$parent${field.columnName}\" is not nullable, and the frame has no such column"
            }
        }
    }

    private fun array(
        column: AnyCol?,
        field: Field,
        rows: Int,
        parent: String,
    ): DeviceArray {
        val path = parent + field.columnName
        if (column is ColumnGroup<*>) requireType(field.type.isStruct(), "a column group", path, field)
        if (column is FrameColumn<*>) requireType(field.type.isListOfStructs(), "a frame column", path, field)
        return when {
            column == null -> {
                built(field, path) { it.appendRun(null, rows.toLong()) }
            }

            column is ColumnGroup<*> && !field.nullable && field.type == field.type.storageType() -> {
                struct(
                    column,
                    field,
                    path,
                )
            }

            else -> {
                shared(column, field) ?: built(field, path) { copy(column, field, it) }
            }
        }
    }

    private fun requireType(
        fits: Boolean,
        what: String,
        path: String,
        field: Field,
    ) = require(fits) { "column \"$path\" is $what, its type in the schema is ${field.type}" }

    /** A group's columns as a struct. Where that may be null, rows are looked at instead. */
    private fun struct(
        group: ColumnGroup<*>,
        field: Field,
        path: String,
    ): DeviceArray = batch(group, Schema.of(field.type.fields()), "$path.").use { it.intoStruct() }

    private fun shared(
        column: AnyCol,
        field: Field,
    ): DeviceArray? {
        val values = column.values() as? LentList ?: return null
        // A null too many is found by the copy, with its row.
        return if (values.type == field.type && (field.nullable || !values.mayHaveNulls)) values.share() else null
    }

    private inline fun built(
        field: Field,
        path: String,
        fill: (ArrayBuilder) -> Unit,
    ): DeviceArray =
        ArrayBuilder.of(field.withName(path), CpuRuntime.INSTANCE, ::adapted).use { builder ->
            fill(builder)
            builder.finish()
        }

    private fun copy(
        column: AnyCol,
        field: Field,
        builder: ArrayBuilder,
    ) {
        builder.reserve(column.size().toLong())
        if (column is ColumnGroup<*>) {
            for (row in column.rows()) builder.append(valueOf(row, field))
        } else {
            for (value in column.values()) builder.append(valueOf(value, field))
        }
    }

    /** A value as one that the builder of a field takes. */
    private fun valueOf(
        value: Any?,
        field: Field?,
    ): Any? =
        when (value) {
            is DataRow<*> -> structOf(value, field)
            is DataFrame<*> -> listOf(value, field)
            else -> value
        }

    /** A row as a map. It is null if all its values are and the field may be. */
    private fun structOf(
        row: AnyRow,
        field: Field?,
    ): Map<String, Any?>? {
        if (field?.nullable == true && isNull(row)) return null
        val fields = (field?.type?.fields() ?: emptyList()).associateBy { it.columnName }
        return row.df().columns().associate {
            val own = fields[it.name()]
            (own?.name ?: it.name()) to valueOf(it[row.index()], own)
        }
    }

    /** A frame as a list of maps. An empty one that a list of fixed size has no room for stands for a null. */
    private fun listOf(
        frame: AnyFrame,
        field: Field?,
    ): List<Any?>? {
        val fixed = field?.type?.storageType() as? FixedSizeListType
        if (fixed != null && frame.rowsCount() == 0 && fixed.listSize() > 0) return null
        return frame.rows().map { structOf(it, field?.type?.fields()?.singleOrNull()) }
    }

    /** Whether a value is what a null is in a frame, where rows and frames are never null. */
    private fun isNull(value: Any?): Boolean =
        when (value) {
            is DataRow<*> -> value.df().columns().all { isNull(it[value.index()]) }
            is DataFrame<*> -> value.rowsCount() == 0
            else -> value == null
        }

    /** A value of a class that only Kotlin has as one of a class that builders know; any other as it is. */
    private fun adapted(value: Any): Any =
        when (value) {
            is UByte -> value.toShort()
            is UShort -> value.toInt()
            is UInt -> value.toLong()
            is ULong -> BigInteger(value.toString())
            is Char -> value.toString()
            is Enum<*> -> value.name
            is kotlin.time.Instant -> value.toJavaInstant()
            is kotlin.time.Duration -> if (value.isFinite()) value.toJavaDuration() else value
            is kotlinx.datetime.LocalDate -> value.toJavaLocalDate()
            is kotlinx.datetime.LocalTime -> value.toJavaLocalTime()
            is kotlinx.datetime.LocalDateTime -> value.toJavaLocalDateTime()
            is kotlinx.datetime.Instant -> value.toJavaInstant()
            else -> value
        }
}
