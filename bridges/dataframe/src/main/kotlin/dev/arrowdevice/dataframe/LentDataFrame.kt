package dev.arrowdevice.dataframe

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.dataframe.internal.LentColumns
import org.jetbrains.kotlinx.dataframe.AnyFrame

/**
 * A data frame over the memory of a record batch. It owns a share of that memory: the batch may be closed, or moved
 * to another consumer, and the frame stays valid until this is closed.
 *
 * ```kotlin
 * batch.toDataFrame().use { lent -> println(lent.frame) }
 * ```
 *
 * Each read of a value reads the memory and boxes. After [close], a read throws [IllegalStateException], also of
 * columns and rows that were taken from the frame. What DataFrame has computed from them is on the Java heap, and
 * stays valid: a filtered or sorted frame, but not one of selected or renamed columns, nor a range of rows.
 *
 * Frame and columns may be read from any thread.
 */
public class LentDataFrame internal constructor(
    private val batch: RecordBatch,
) : AutoCloseable {
    /** The frame. Nothing has been read to make it. */
    public val frame: AnyFrame = LentColumns(batch).frame()

    /** Whether this was not closed. */
    public val isLive: Boolean get() = batch.isLive

    /** Ends the share. Idempotent, never throws. A read that is running ends first. */
    override fun close() {
        batch.close()
    }

    /** The state and the schema. */
    override fun toString(): String = "LentDataFrame(${if (isLive) "live" else "closed"}, ${batch.schema})"
}

/**
 * This batch as a data frame over the same memory. No value is read or copied here.
 *
 * Columns have the classes that [dev.arrowdevice.ArrayReader.getObject] names, with these exceptions: a struct is a
 * column group, a list of structs a frame column, and a map a [Map], which has the last one of equal keys. A row of a
 * group can't be null, nor can a frame: a null struct is a row of nulls, a null list of structs an empty frame.
 *
 * The caller closes the result; the batch stays the caller's. Waits until the values are there.
 *
 * @throws IllegalArgumentException if columns or fields of a struct have the same name, or there are more rows than
 *     an [Int] can count
 * @throws dev.arrowdevice.UnreadableDeviceException if the host can't read the memory; [RecordBatch.copyTo] copies it
 * @throws IllegalStateException if the batch was closed or moved
 */
public fun RecordBatch.toDataFrame(): LentDataFrame {
    val shared = share()
    return try {
        shared.borrow { } // Fails if the host can't read.
        LentDataFrame(shared)
    } catch (e: Throwable) {
        shared.close()
        throw e
    }
}
