package dev.arrowdevice.internal.notebooks

import dev.arrowdevice.ArrayReader
import dev.arrowdevice.ArrayView
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.StructType
import dev.arrowdevice.internal.owners.Owners
import dev.arrowdevice.internal.printing.TextFormat
import dev.arrowdevice.internal.reading.Preview
import dev.arrowdevice.internal.type.Brief

private const val MAX_ROWS = 20
private const val MAX_COLUMNS = 50

private const val MAX_ELEMENTS = 20
private const val MAX_NESTED = 100

/** Four bytes for each character that a cell shows, and more. */
private const val MAX_TEXT_BYTES = 1_000

internal fun batchHtml(batch: RecordBatch): String = Html().apply { rows(batch.asStruct()) }.toString()

/** The structs of an array as rows, and a line with their number. */
private fun Html.rows(structs: ArrayView) {
    val fields = structs.type.storageType().children()
    val shown = minOf(fields.size, MAX_COLUMNS)
    val values = Values.read(structs) { reader -> List(shown, reader::child) }
    if (shown > 0) {
        table(List(shown) { header(fields[it].name(), structs.child(it), values.obstacle) }, values.rows)
    }
    val columns = counted(fields.size.toLong(), "column") + if (shown < fields.size) " ($shown shown)" else ""
    note("${counted(structs.length, "row")} × $columns${values.ending(structs)}")
}

/**
 * @param name the column's name; may be empty
 * @param array the array of that column
 * @param view the array as it is read
 */
internal fun arrayHtml(
    name: String,
    array: ArrayView,
    view: ArrayView,
): String = Html().apply { values(name, array, view) }.toString()

private fun Html.values(
    name: String,
    array: ArrayView,
    view: ArrayView,
) {
    val values = Values.read(view) { reader -> listOf(reader) }
    if (values.obstacle == null) {
        table(listOf(header(name, array, null)), values.rows)
        note(counted(array.length, "value") + values.ending(array))
    } else {
        val type = Brief.type(array.type)
        note("${if (name.isEmpty()) type else "$name: $type"} × ${grouped(array.length)}${values.ending(array)}")
    }
}

/**
 * Shows the array that the stream will return next, which is pulled for that if it wasn't yet. The stream returns it all the
 * same.
 */
internal fun streamHtml(stream: DeviceArrayStream): String {
    val html = Html()
    try {
        val type = stream.field.type()
        val isOfBatches = type.storageType() is StructType
        val what = if (isOfBatches) "batches" else "arrays of type ${Brief.type(type)}"
        val title = "Stream of $what on ${DeviceType.name(stream.deviceType)}"
        Owners.peek(stream).use {
            html.note(if (it == null) "$title: no more" else "$title, the next one:")
            if (it != null) {
                if (isOfBatches) {
                    html.rows(it)
                } else {
                    html.values("", it, it)
                }
            }
        }
    } catch (e: Exception) {
        // Whatever the source of the stream throws.
        html.note("Stream: ${e.message ?: e.javaClass.name}")
    }
    return html.toString()
}

private fun header(
    name: String,
    array: ArrayView,
    obstacle: String?,
): Cell {
    val nulls = if (obstacle == null) nullCount(array) else 0
    val note = Brief.type(array.type) + if (nulls > 0) ", ${grouped(nulls)} null" else ""
    return Cell(name, array.type.id().isNumber(), note)
}

/** Zero also if it can't be counted, which the values say. */
private fun nullCount(array: ArrayView): Long =
    try {
        array.nullCount
    } catch (e: RuntimeException) {
        0
    }

/**
 * The first values of an array.
 *
 * @property obstacle why there are none, or null
 */
private class Values(
    val rows: List<List<Cell>>,
    val obstacle: String?,
) {
    /** What follows the number of values: how many are shown, where they are, what prevents them from being shown. */
    fun ending(array: ArrayView): String =
        when {
            obstacle != null -> ", $obstacle"
            !array.device.isCpu -> " on ${array.device}"
            else -> ""
        } + if (obstacle == null && rows.size < array.length) ", the first ${rows.size} shown" else ""

    companion object {
        /** @param columns the readers of the columns, of that of the array */
        fun read(
            array: ArrayView,
            columns: (ArrayReader) -> List<ArrayReader>,
        ): Values {
            val obstacle = TextFormat.obstacle(array)
            if (obstacle != null) return Values(emptyList(), obstacle)
            return try {
                val count = minOf(array.length, MAX_ROWS.toLong())
                array.borrow { reader ->
                    val readers = columns(reader)
                    Values(List(count.toInt()) { row -> readers.map { cell(reader, it, row.toLong()) } }, null)
                }
            } catch (e: IllegalStateException) {
                Values(emptyList(), e.message)
            } catch (e: IndexOutOfBoundsException) {
                Values(emptyList(), e.message)
            }
        }

        /** A column of a struct that is null is null. */
        private fun cell(
            array: ArrayReader,
            column: ArrayReader,
            row: Long,
        ): Cell {
            val number = column.type.id().isNumber()
            if (column !== array && array.isNull(row)) return Cell(null, number)
            val value = TextFormat.safeObject(column, row, Preview(MAX_ELEMENTS, MAX_NESTED, MAX_TEXT_BYTES))
            return Cell(value?.let { StringBuilder().apply { TextFormat.value(this, it) }.toString() }, number)
        }
    }
}
