package dev.arrowdevice.dataframe.internal

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.Column
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.StructColumn
import dev.arrowdevice.TypeId
import dev.arrowdevice.struct
import org.jetbrains.kotlinx.dataframe.AnyBaseCol
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataColumn
import org.jetbrains.kotlinx.dataframe.DataFrame
import org.jetbrains.kotlinx.dataframe.api.Infer
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.schema

/** Makes data frames whose columns read the memory of a batch, which each of them keeps reachable. */
internal class LentColumns(
    private val batch: RecordBatch,
) {
    fun frame(): AnyFrame {
        val rows = batch.rowCount
        require(rows <= Int.MAX_VALUE) { "a DataFrame has at most ${Int.MAX_VALUE} rows, the batch $rows; slice it" }
        return frame(batch.asStruct().struct(), Window(0, rows.toInt()), listOf())
    }

    /**
     * @param window the structs that are rows
     * @param around the structs that may be null, and with them their values
     */
    fun frame(
        structs: StructColumn,
        window: Window,
        around: List<ArrayView>,
    ): AnyFrame {
        val fields = structs.array.type.fields()
        requireUniqueNames(structs, fields)
        if (fields.isEmpty()) return DataFrame.empty(window.size)
        return dataFrameOf(fields.mapIndexed { i, field -> column(structs, i, field, window, around) })
    }

    private fun column(
        structs: StructColumn,
        index: Int,
        field: Field,
        window: Window,
        around: List<ArrayView>,
    ): AnyBaseCol =
        when {
            field.type.isGroup() -> {
                val struct = structs.struct(index)
                val nulls = if (field.nullable) around + struct.array else around
                DataColumn.createColumnGroup(field.columnName, frame(struct, window, nulls))
            }

            field.type.isListOfStructs() -> {
                val frames = LentFrames(this, structs.values<LongRange>(index), window)
                DataColumn.createFrameColumn(field.columnName, frames, lazy { frames.empty().schema() })
            }

            else -> {
                val values =
                    LentList(batch, reader(structs, index, field.type), around, converterOf(field.type), window)
                val nullable = around.isNotEmpty() || field.nullable || mayBeNull(field.type)
                DataColumn.createValueColumn(field.columnName, values, kotlinTypeOf(field.type, nullable), Infer.None)
            }
        }

    /** Getters of numbers read ahead; all other values are read one by one. */
    private fun reader(
        structs: StructColumn,
        index: Int,
        type: ArrowType,
    ): Column<*> =
        when (type.id()) {
            TypeId.INT32 -> structs.values<Int>(index)
            TypeId.INT64 -> structs.values<Long>(index)
            TypeId.FLOAT32 -> structs.values<Float>(index)
            TypeId.FLOAT64 -> structs.values<Double>(index)
            else -> structs.values<Any>(index)
        }

    private fun requireUniqueNames(
        structs: StructColumn,
        fields: List<Field>,
    ) {
        val twice =
            fields
                .groupingBy { it.columnName }
                .eachCount()
                .entries
                .firstOrNull { it.value > 1 } ?: return
        val where = if (structs.name.isEmpty()) "the batch" else "the struct \"${structs.name}\""
        throw IllegalArgumentException(
            "$where has ${twice.value} fields named \"${twice.key}\", a DataFrame only one of each name: " +
                "select or rename columns first",
        )
    }
}

/** The name of a field's column: DataFrame has none without a name. */
internal val Field.columnName: String get() = name.ifEmpty { "untitled" }

/** Consecutive elements of an array. */
internal class Window(
    val start: Long,
    val size: Int,
)

internal fun ArrowType.fields(): List<Field> = storageType().children()

internal fun ArrowType.isStruct(): Boolean = storageType().id() == TypeId.STRUCT

/** Whether a column group has the values. A group without columns would forget how many rows it has. */
internal fun ArrowType.isGroup(): Boolean = isStruct() && fields().isNotEmpty()

internal fun ArrowType.isList(): Boolean =
    when (storageType().id()) {
        TypeId.LIST, TypeId.LARGE_LIST, TypeId.LIST_VIEW, TypeId.LARGE_LIST_VIEW, TypeId.FIXED_SIZE_LIST -> true
        else -> false
    }

internal fun ArrowType.isListOfStructs(): Boolean = isList() && fields().single().type.isGroup()
