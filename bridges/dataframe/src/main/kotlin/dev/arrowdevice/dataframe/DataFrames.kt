package dev.arrowdevice.dataframe

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.dataframe.internal.FrameWriter
import dev.arrowdevice.dataframe.internal.schemaOf
import org.jetbrains.kotlinx.dataframe.AnyFrame

/**
 * This data frame as a record batch on the CPU, which the caller closes. The frame stays as it is.
 *
 * Values are copied. A column that is still that of a batch, such as one that was selected or renamed, or a range of
 * its rows, is shared instead if the types agree: the result then has a share of its own of that memory.
 *
 * Without a [schema], the types are those that [dev.arrowdevice.arrowTypeOf] has for the columns' Kotlin types.
 * Column groups are structs, frame columns lists of structs, decimals `decimal128(38, …)` with the largest scale of
 * the column, or `decimal256` where that has no room.
 *
 * With one, columns and the fields of groups are found by name, and each value must fit the type, as
 * [dev.arrowdevice.builder.ArrayBuilder.append] says. A field that the frame lacks is null. A row of a group is a
 * null struct if all its values are null and the struct may be null.
 *
 * @throws IllegalArgumentException if a column has no Arrow type, or does not fit the schema; the message names the
 *     column, and the row if it is about a value. Nothing stays allocated
 * @throws IllegalStateException if columns are those of a [LentDataFrame] that was closed
 */
public fun AnyFrame.toRecordBatch(schema: Schema? = null): RecordBatch =
    FrameWriter.write(
        this,
        schema ?: schemaOf(this),
    )
