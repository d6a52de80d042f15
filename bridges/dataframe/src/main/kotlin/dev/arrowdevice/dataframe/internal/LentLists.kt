package dev.arrowdevice.dataframe.internal

import dev.arrowdevice.ArrayView
import dev.arrowdevice.Column
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.struct
import org.jetbrains.kotlinx.dataframe.AnyFrame
import java.util.Objects

/**
 * Values that are read from an array when they are asked for.
 *
 * @param batch the owner of the array, which is not taken for lost as long as the list refers to it
 * @param around the structs around the values, whose nulls are nulls of the list but not of the array
 * @param convert makes the list's value of the column's
 */
internal class LentList(
    private val batch: RecordBatch,
    private val column: Column<*>,
    private val around: List<ArrayView>,
    private val convert: ((Any) -> Any)?,
    private val window: Window,
) : AbstractList<Any?>(),
    RandomAccess {
    override val size: Int get() = window.size

    override fun get(index: Int): Any? {
        Objects.checkIndex(index, window.size)
        val value = column[window.start + index]
        return if (value == null || convert == null) value else convert(value)
    }

    override fun subList(
        fromIndex: Int,
        toIndex: Int,
    ): List<Any?> {
        Objects.checkFromToIndex(fromIndex, toIndex, size)
        return LentList(batch, column, around, convert, Window(window.start + fromIndex, toIndex - fromIndex))
    }

    /** The array's type. */
    val type get() = column.array.type

    /** Whether the array has nulls, though maybe not in this window. */
    val mayHaveNulls get() = column.array.nullCount > 0

    /** An owner of exactly these values, in the same memory. Null if the array lacks some of the nulls. */
    fun share(): DeviceArray? {
        if (around.any { it.nullCount > 0 }) return null
        return column.array.slice(window.start, window.size.toLong())
    }
}

/** The frames of lists of structs, each made when it is asked for. A null list is an empty frame. */
internal class LentFrames(
    private val columns: LentColumns,
    private val lists: Column<LongRange>,
    private val window: Window,
) : AbstractList<AnyFrame>(),
    RandomAccess {
    private val structs = lists.array.child(0).struct()
    private val around =
        if (lists.array.type
                .fields()
                .single()
                .nullable
        ) {
            listOf(structs.array)
        } else {
            listOf()
        }

    override val size: Int get() = window.size

    override fun get(index: Int): AnyFrame {
        Objects.checkIndex(index, window.size)
        val range = lists[window.start + index] ?: return empty()
        val count = range.last - range.first + 1
        check(range.first >= 0 && count >= 0 && count <= structs.length - range.first && count <= Int.MAX_VALUE) {
            "the list at index $index has $count elements from ${range.first} of a child of length ${structs.length}"
        }
        return frame(Window(range.first, count.toInt()))
    }

    override fun subList(
        fromIndex: Int,
        toIndex: Int,
    ): List<AnyFrame> {
        Objects.checkFromToIndex(fromIndex, toIndex, size)
        return LentFrames(columns, lists, Window(window.start + fromIndex, toIndex - fromIndex))
    }

    fun empty(): AnyFrame = frame(Window(0, 0))

    private fun frame(elements: Window): AnyFrame = columns.frame(structs, elements, around)
}
