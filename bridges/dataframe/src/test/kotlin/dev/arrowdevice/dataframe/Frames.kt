package dev.arrowdevice.dataframe

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.Field
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.TypeId
import dev.arrowdevice.dataframe.internal.isGroup
import dev.arrowdevice.peers.arbitrary.comparable
import org.jetbrains.kotlinx.dataframe.AnyBaseCol
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataColumn
import org.jetbrains.kotlinx.dataframe.DataFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.Infer
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.columns.ColumnGroup
import org.jetbrains.kotlinx.dataframe.columns.FrameColumn

/** The values of a frame, column by column, as objects with an `equals` of their own. */
internal fun valuesOf(frame: AnyFrame): Map<String, List<Any?>> =
    frame.columns().associate { column ->
        column.name() to List(frame.rowsCount()) { plain(column[it]) }
    }

/** A value of a frame as one that is equal to whatever is the same value. */
internal fun plain(value: Any?): Any? =
    when (value) {
        is DataRow<*> -> value.df().columns().associate { it.name() to plain(it[value.index()]) }

        is DataFrame<*> -> List(value.rowsCount()) { plain(value[it]) }

        is List<*> -> value.map(::plain)

        is Map<*, *> -> value.entries.associate { plain(it.key) to plain(it.value) }

        // As those of Arrow's own values, whose maps are pairs.
        is Pair<*, *> -> plain(value.first) to plain(value.second)

        else -> comparable(value)
    }

/** What a frame must have for a value of a field, which the random batches have made [comparable]. */
internal fun expected(
    value: Any?,
    field: Field,
    inValue: Boolean = false,
): Any? {
    val storage = field.type.storageType()
    return when {
        storage is DictionaryType -> {
            expected(value, Field.nullable("", storage.valueType()), true)
        }

        storage is RunEndEncodedType -> {
            expected(value, storage.values(), true)
        }

        storage.id() == TypeId.STRUCT -> {
            if ((inValue || !storage.isGroup()) &&
                value == null
            ) {
                null
            } else {
                struct(value, storage, inValue)
            }
        }

        storage.id() == TypeId.MAP -> {
            value?.let { map(it as List<*>, storage) }
        }

        storage.isListType() -> {
            list(value, storage.children().single(), inValue)
        }

        else -> {
            value
        }
    }
}

private fun struct(
    value: Any?,
    type: ArrowType,
    inValue: Boolean,
): Any =
    type.children().associate {
        val name = if (inValue) it.name else it.name.ifEmpty { "untitled" }
        name to expected((value as Map<*, *>?)?.get(it.name), it, inValue)
    }

private fun map(
    entries: List<*>,
    type: ArrowType,
): Any {
    val (key, of) =
        type
            .children()
            .single()
            .type
            .children()
    return entries.associate { (it as Pair<*, *>).let { (k, v) -> expected(k, key, true) to expected(v, of, true) } }
}

private fun list(
    value: Any?,
    element: Field,
    inValue: Boolean,
): Any? {
    val frames = !inValue && element.type.isGroup()
    return if (value == null && frames) listOf() else (value as List<*>?)?.map { expected(it, element, !frames) }
}

internal fun ArrowType.isListType(): Boolean =
    id() in
        setOf(TypeId.LIST, TypeId.LARGE_LIST, TypeId.LIST_VIEW, TypeId.LARGE_LIST_VIEW, TypeId.FIXED_SIZE_LIST)

/** A frame of the same values in lists on the Java heap, as those that DataFrame computes. */
internal fun AnyFrame.onHeap(): AnyFrame =
    if (columns().isEmpty()) DataFrame.empty(rowsCount()) else dataFrameOf(columns().map { onHeap(it) })

private fun onHeap(column: AnyBaseCol): AnyBaseCol =
    when (column) {
        is ColumnGroup<*> -> {
            DataColumn.createColumnGroup(column.name(), (column as AnyFrame).onHeap())
        }

        is FrameColumn<*> -> {
            DataColumn.createFrameColumn(column.name(), column.toList().map { it.onHeap() }, column.schema)
        }

        else -> {
            DataColumn.createValueColumn(column.name(), column.toList().map { it }, column.type(), Infer.None)
        }
    }

/** Whether a type has unions in it: a copied value does not say which child it was of. */
internal fun ArrowType.hasUnions(): Boolean =
    id() == TypeId.SPARSE_UNION || id() == TypeId.DENSE_UNION ||
        (this is DictionaryType && valueType().hasUnions()) ||
        storageType().let { it != this && it.hasUnions() } ||
        children().any { it.type.hasUnions() }

/** Whether a field that is not nullable may have nulls, in the values of its runs or its dictionary. No builder makes that. */
internal fun Field.hidesNulls(): Boolean = (!nullable && type.refersToNulls()) || type.hidesNulls()

private fun ArrowType.hidesNulls(): Boolean =
    when (val storage = storageType()) {
        is DictionaryType -> storage.valueType().let { it.hidesNulls() || it.refersToNulls() }
        else -> storage.children().any { it.hidesNulls() }
    }

private fun ArrowType.refersToNulls(): Boolean =
    when (val storage = storageType()) {
        is RunEndEncodedType -> storage.values().nullable || storage.values().type().refersToNulls()
        is DictionaryType -> storage.valueType().let { it.storageType().id() == TypeId.NULL || it.refersToNulls() }
        else -> false
    }
