package dev.arrowdevice.internal.columns

import dev.arrowdevice.ArrayReader
import dev.arrowdevice.ArrayView
import dev.arrowdevice.internal.reading.PrimitiveReaders
import dev.arrowdevice.internal.reading.ValueReader
import java.math.BigInteger
import kotlin.time.toKotlinDuration
import kotlin.time.toKotlinInstant

/** Reads the values of an array of one Arrow type as values of one Kotlin type. Only for values that are not null. */
internal interface Decoder<out T : Any> {
    /** A value, read within a borrow. */
    fun read(
        reader: ArrayReader,
        index: Long,
    ): T

    /** One value. */
    fun get(
        array: ArrayView,
        index: Long,
    ): T = array.borrow { read(it, index) }

    /** All values, with null for each null. */
    fun iterator(array: ArrayView): Iterator<T?> = NullableObjects(array, this)

    /** All values of an array without nulls. */
    fun valuesNotNull(array: ArrayView): Iterator<T> = PresentValues(iterator(array))

    /** Fills an array with the values from an index on, within bounds, read within a borrow. */
    fun readAll(
        reader: ArrayReader,
        index: Long,
        target: Array<Any?>,
        nullable: Boolean,
    ) {
        for (i in target.indices) target[i] = readNullable(reader, index + i, nullable)
    }
}

private inline fun <T : Any> decoder(
    crossinline read: (ArrayReader, Long) -> T,
    crossinline get: (ArrayView, Long) -> T,
    noinline iterator: ((ArrayView) -> Iterator<T?>)? = null,
    noinline valuesNotNull: ((ArrayView) -> Iterator<T>)? = null,
    noinline box: ((ValueReader, Long, Array<Any?>) -> Boolean)? = null,
): Decoder<T> =
    object : Decoder<T> {
        override fun read(
            reader: ArrayReader,
            index: Long,
        ) = read(reader, index)

        override fun get(
            array: ArrayView,
            index: Long,
        ) = get(array, index)

        override fun iterator(array: ArrayView) = iterator?.invoke(array) ?: super.iterator(array)

        override fun valuesNotNull(array: ArrayView) = valuesNotNull?.invoke(array) ?: super.valuesNotNull(array)

        override fun readAll(
            reader: ArrayReader,
            index: Long,
            target: Array<Any?>,
            nullable: Boolean,
        ) {
            if (box == null || !box(reader as ValueReader, index, target)) {
                super.readAll(reader, index, target, nullable)
            }
        }
    }

/** Boxes values of a reader's own width, of which none is null, in one loop. Returns whether it could. */
private inline fun <reified R : ValueReader> boxing(
    crossinline box: R.(Long, Array<Any?>) -> Unit,
): (ValueReader, Long, Array<Any?>) -> Boolean =
    { reader, index, target ->
        val can = reader is R && !reader.mayHaveNulls()
        if (can) box(reader, index, target)
        can
    }

/** The decoders of single values, named after their getters. */
internal object Decoders {
    val BOOLEAN = decoder(ArrayReader::getBoolean, ArrayView::getBoolean)
    val BYTE = decoder(ArrayReader::getByte, ArrayView::getByte)
    val SHORT = decoder(ArrayReader::getShort, ArrayView::getShort)
    val INT =
        decoder(
            ArrayReader::getInt,
            ArrayView::getInt,
            ::NullableInts,
            ::IntValues,
            boxing<PrimitiveReaders.Int32> { index, target -> box(index, target) },
        )
    val LONG =
        decoder(
            ArrayReader::getLong,
            ArrayView::getLong,
            ::NullableLongs,
            ::LongValues,
            boxing<PrimitiveReaders.Int64> { index, target -> box(index, target) },
        )
    val FLOAT =
        decoder(
            ArrayReader::getFloat,
            ArrayView::getFloat,
            ::NullableFloats,
            ::FloatValues,
            boxing<PrimitiveReaders.Float32> { index, target -> box(index, target) },
        )
    val DOUBLE =
        decoder(
            ArrayReader::getDouble,
            ArrayView::getDouble,
            ::NullableDoubles,
            ::DoubleValues,
            boxing<PrimitiveReaders.Float64> { index, target -> box(index, target) },
        )
    val DECIMAL = decoder(ArrayReader::getDecimal, ArrayView::getDecimal)
    val STRING = decoder(ArrayReader::getString, ArrayView::getString)
    val BYTES = decoder(ArrayReader::getBytes, ArrayView::getBytes)
    val OBJECT = decoder({ reader, i -> reader.getObject(i)!! }, { array, i -> array.getObject(i)!! })

    // An unsigned type has the bits of its own width, and the value of any narrower type.
    val UBYTE = decoder({ reader, i -> reader.getByte(i).toUByte() }, { array, i -> array.getByte(i).toUByte() })
    val USHORT = decoder({ reader, i -> reader.getShort(i).toUShort() }, { array, i -> array.getShort(i).toUShort() })
    val UINT = decoder({ reader, i -> reader.getInt(i).toUInt() }, { array, i -> array.getInt(i).toUInt() })
    val ULONG = decoder({ reader, i -> reader.getLong(i).toULong() }, { array, i -> array.getLong(i).toULong() })

    /** Which elements of the child a list has, or entries a map. */
    val RANGE = decoder({ reader, i -> elements(reader, i) }, { array, i -> array.borrow { elements(it, i) } })

    private fun elements(
        reader: ArrayReader,
        index: Long,
    ): LongRange {
        val lists = (reader as ValueReader).target(index)
        val at = reader.targetIndex(index)
        val start = lists.listStart(at)
        return start until start + lists.listSize(at)
    }

    val BIG_INTEGER = LONG.map(BigInteger::valueOf)
    val KOTLIN_INSTANT = OBJECT.map { (it as java.time.Instant).toKotlinInstant() }
    val KOTLIN_DURATION = OBJECT.map { (it as java.time.Duration).toKotlinDuration() }

    private fun <A : Any, B : Any> Decoder<A>.map(convert: (A) -> B): Decoder<B> =
        decoder({ reader, i -> convert(read(reader, i)) }, { array, i -> convert(get(array, i)) })
}

/** Decodes a list to a copy. */
internal class ListDecoder(
    private val element: Decoder<*>,
    private val elementNullable: Boolean,
) : Decoder<List<Any?>> {
    override fun read(
        reader: ArrayReader,
        index: Long,
    ): List<Any?> {
        val lists = (reader as ValueReader).target(index)
        val at = reader.targetIndex(index)
        val elements = lists.child(0)
        val start = lists.listStart(at)
        val size = lists.listSize(at)
        // Checked before the allocation, because offsets that were not validated may ask for any number of elements.
        check(start >= 0 && size >= 0 && size <= elements.length - start && size <= Int.MAX_VALUE - 8) {
            "the list at index $index has $size elements from $start of a child of length ${elements.length}"
        }
        val values = arrayOfNulls<Any>(size.toInt())
        element.readAll(elements, start, values, elementNullable)
        return values.asList()
    }
}

/** Decodes a map to a copy, in the order of its entries. Of equal keys the last one counts. */
internal class MapDecoder(
    private val key: Decoder<*>,
    private val value: Decoder<*>,
    private val valueNullable: Boolean,
) : Decoder<Map<Any?, Any?>> {
    override fun read(
        reader: ArrayReader,
        index: Long,
    ): Map<Any?, Any?> {
        val maps = (reader as ValueReader).target(index)
        val at = reader.targetIndex(index)
        val entries = maps.child(0)
        val start = maps.listStart(at)
        return buildMap {
            for (i in start until start + maps.listSize(at)) {
                put(
                    key.readNullable(entries.child(0), i, nullable = false),
                    value.readNullable(entries.child(1), i, valueNullable),
                )
            }
        }
    }
}

internal fun Decoder<*>.readNullable(
    reader: ArrayReader,
    index: Long,
    nullable: Boolean,
): Any? =
    when {
        !reader.isNull(index) -> read(reader, index)

        nullable -> null

        else -> throw IllegalStateException(
            "the element at index $index is null; ask for a type with nullable elements",
        )
    }
