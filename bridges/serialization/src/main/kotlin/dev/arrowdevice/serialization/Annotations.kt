package dev.arrowdevice.serialization

import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TypeId
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialInfo

// Each is for a property of a class, or a component of a Java record. On a collection or a map they are for its
// elements or values, unless they only fit the collection.

/** The name of the column, instead of that of the property or its `@SerialName`. */
@OptIn(ExperimentalSerializationApi::class)
@SerialInfo
@Target(AnnotationTarget.PROPERTY, AnnotationTarget.FIELD)
public annotation class ColumnName(
    val value: String,
)

/**
 * The Arrow type, of those that stand for the Kotlin type: `@StoredAs(TypeId.LARGE_UTF8) val text: String`. For a
 * collection also `LARGE_LIST`, `LIST_VIEW` and `LARGE_LIST_VIEW`.
 */
@OptIn(ExperimentalSerializationApi::class)
@SerialInfo
@Target(AnnotationTarget.PROPERTY, AnnotationTarget.FIELD)
public annotation class StoredAs(
    val value: TypeId,
)

/** The digits of a decimal, and how many of them are behind the point. A `BigDecimal` must have it. */
@OptIn(ExperimentalSerializationApi::class)
@SerialInfo
@Target(AnnotationTarget.PROPERTY, AnnotationTarget.FIELD)
public annotation class DecimalDigits(
    val precision: Int,
    val scale: Int,
)

/**
 * The unit of a time, timestamp or duration, instead of nanoseconds.
 *
 * @property truncate whether a value that is finer is truncated; if not, it is refused
 */
@OptIn(ExperimentalSerializationApi::class)
@SerialInfo
@Target(AnnotationTarget.PROPERTY, AnnotationTarget.FIELD)
public annotation class Resolution(
    val unit: TimeUnit,
    val truncate: Boolean = false,
)

/** The time zone that is written for the instants of a column, instead of `UTC`. The moments stay the same. */
@OptIn(ExperimentalSerializationApi::class)
@SerialInfo
@Target(AnnotationTarget.PROPERTY, AnnotationTarget.FIELD)
public annotation class Zone(
    val value: String,
)

/** Each `ByteArray` of the property has [value] bytes, or each collection [value] elements. */
@OptIn(ExperimentalSerializationApi::class)
@SerialInfo
@Target(AnnotationTarget.PROPERTY, AnnotationTarget.FIELD)
public annotation class FixedSize(
    val value: Int,
)

/**
 * Each distinct value is stored once. Enums are so stored without it.
 *
 * @property index the integer type of the indices
 */
@OptIn(ExperimentalSerializationApi::class)
@SerialInfo
@Target(AnnotationTarget.PROPERTY, AnnotationTarget.FIELD)
public annotation class DictionaryEncoded(
    val index: TypeId = TypeId.INT32,
)

/**
 * Values of a sealed hierarchy as a dense union, with a child for each class, instead of a struct with a discriminator.
 * Not all readers of Arrow know unions. For a property, or for the sealed class and so all properties of it. Rows
 * themselves are never unions.
 */
@OptIn(ExperimentalSerializationApi::class)
@SerialInfo
@Target(AnnotationTarget.PROPERTY, AnnotationTarget.FIELD, AnnotationTarget.CLASS)
public annotation class DenseUnion
