package dev.arrowdevice

import dev.arrowdevice.internal.columns.Decoder
import dev.arrowdevice.internal.columns.Numbers
import dev.arrowdevice.internal.columns.decoderOf
import dev.arrowdevice.internal.columns.kotlinNamesOf
import dev.arrowdevice.internal.columns.numbersOf
import kotlin.reflect.KType
import kotlin.reflect.typeOf

/**
 * The values of the first column with a name, as a Kotlin type. [T] is the default type for the column's type (see
 * [arrowTypeOf]), or a wider one that represents every value exactly (an int32 column as [Long]). For temporal types it
 * may also be the raw [Int] or [Long]. Dictionary-encoded and run-end-encoded columns are decoded. The column is
 * borrowed from the batch.
 *
 * ```kotlin
 * val total = batch.values<Long>("id").sum()
 * for (name in batch.values<String>("name")) println(name ?: "nobody")
 * ```
 *
 * Lists and maps may also be read as [LongRange]: the indexes of the elements (of the entries) of each in
 * [`column(name).child(0)`][ArrayView.child], the array of all of them. This copies nothing:
 *
 * ```kotlin
 * val items = batch.values<LongRange>("items")
 * val skus = batch.column("items").child(0).struct().values<String>("sku")
 * for (range in items) println(range?.map { skus[it] })
 * ```
 *
 * @throws IllegalArgumentException if there is no such column, or [T] does not fit it; the message names the types that
 * do
 */
public inline fun <reified T : Any> RecordBatch.values(name: String): Column<T> =
    columnOf(name, column(name), typeOf<T>())

/**
 * The values of the column at an index, from 0, as a Kotlin type.
 *
 * @throws IndexOutOfBoundsException if there is no such column
 * @throws IllegalArgumentException if [T] does not fit it
 */
public inline fun <reified T : Any> RecordBatch.values(index: Int): Column<T> =
    columnOf(schema.field(index).name, column(index), typeOf<T>())

/**
 * The values of the array as a Kotlin type.
 *
 * @throws IllegalArgumentException if [T] does not fit it; the message names the types that do
 */
public inline fun <reified T : Any> ArrayView.values(): Column<T> = columnOf("", this, typeOf<T>())

/**
 * The rows as maps from the columns' names to values, which are of the classes that [ArrayReader.getObject] names. Of
 * columns with one name, a row has the last. For rows of any batch; columns of a known type are read faster, and without
 * casts, by [values].
 *
 * ```kotlin
 * for (row in batch.rows()) println("${row["id"]}: ${row["name"]}")
 * ```
 */
public fun RecordBatch.rows(): NonNullColumn<Map<String, Any?>> =
    NonNullColumn(columnOf("", asStruct(), typeOf<Map<String, Any?>>()))

/**
 * The first column with a name, which must be an array of structs. It is borrowed from the batch.
 *
 * ```kotlin
 * val north = batch.struct("point").values<Double>("x").maxOrNull()
 * ```
 *
 * @throws IllegalArgumentException if there is no such column, or its type is not a struct
 */
public fun RecordBatch.struct(name: String): StructColumn = structOf(name, column(name))

/**
 * The column at an index, from 0, which must be an array of structs. It is borrowed from the batch.
 *
 * @throws IndexOutOfBoundsException if there is no such column
 * @throws IllegalArgumentException if its type is not a struct
 */
public fun RecordBatch.struct(index: Int): StructColumn = structOf(schema.field(index).name, column(index))

/**
 * The array as a column of structs.
 *
 * @throws IllegalArgumentException if its type is not a struct
 */
public fun ArrayView.struct(): StructColumn = structOf("", this)

@PublishedApi
internal fun <T : Any> columnOf(
    name: String,
    array: ArrayView,
    type: KType,
): Column<T> = columnOf(name, array, array, type)

/**
 * @param view the array to read, which may have more nulls than [array]
 */
internal fun <T : Any> columnOf(
    name: String,
    array: ArrayView,
    view: ArrayView,
    type: KType,
): Column<T> {
    val decoder =
        requireNotNull(decoderOf(type, array.type)) {
            "${columnText(name, array.type)} has no values of type ${nameOf(type)}; " +
                "the types that fit are ${kotlinNamesOf(array.type).joinToString()}"
        }
    // Decoder and arithmetic were both chosen for the type T.
    @Suppress("UNCHECKED_CAST")
    return Column(name, array, view, decoder as Decoder<T>, numbersOf(type) as Numbers<T>?)
}

internal fun structOf(
    name: String,
    array: ArrayView,
    view: ArrayView = array,
): StructColumn {
    val storage = array.type.storageType()
    require(storage.id() == TypeId.STRUCT) {
        val ofStructs =
            storage
                .children()
                .singleOrNull()
                ?.type()
                ?.storageType()
                ?.id() == TypeId.STRUCT
        val advice = if (ofStructs) "child(0).struct() has those of all its structs" else "values<…>() reads its values"
        "${columnText(name, array.type)} has no fields; $advice"
    }
    return StructColumn(name, array, view)
}
