package dev.arrowdevice

import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.builder.DictionaryBuilder
import dev.arrowdevice.builder.StructBuilder
import dev.arrowdevice.builder.UnionBuilder
import java.math.BigDecimal
import java.time.Instant
import java.time.LocalDateTime
import java.time.LocalTime

/**
 * Declares columns, or the fields of a struct, and fills them. Each function gives a scope for values, to its block and
 * as its result, so that rows can be added in a loop later:
 *
 * ```
 * recordBatch {
 *     val id = column<Long>("id")
 *     val name = column<String>("name")
 *     for (person in people) {
 *         id.add(person.id)
 *         name.add(person.name)
 *     }
 * }
 * ```
 *
 * A name that is there already, declared before or by the schema that the batch is built for, means that very column:
 * its type and nullability stay, and a type that is named must be the same.
 */
@ArrowDsl
public abstract class ColumnsScope internal constructor() {
    /** The builder of the column of this name, which is added if it is not there. */
    @PublishedApi
    internal abstract fun declare(field: Field): ArrayBuilder

    /** The builder of the column of this name, null if it is not there. */
    @PublishedApi
    internal abstract fun find(name: String): ArrayBuilder?

    /** Lists of the Arrow type that stands for [E]; `add { … }` adds a list element by element. */
    public inline fun <reified E : Any> list(
        name: String,
        nullable: Boolean = true,
        elementNullable: Boolean = true,
        block: ArrayScope<List<E?>>.() -> Unit = {},
    ): ArrayScope<List<E?>> =
        scope<List<E?>>(name, nullable) { listType(arrowTypeOf<E>(), elementNullable) }.apply(block)

    /** Structs, whose fields the block declares and fills. */
    public inline fun struct(
        name: String,
        nullable: Boolean = true,
        block: StructScope.() -> Unit = {},
    ): StructScope = structScope(name, nullable).apply(block)

    /** Maps from the Arrow type that stands for [K] to that for [V]. */
    public inline fun <reified K : Any, reified V : Any> map(
        name: String,
        nullable: Boolean = true,
        keysSorted: Boolean = false,
        block: ArrayScope<Map<K, V?>>.() -> Unit = {},
    ): ArrayScope<Map<K, V?>> =
        scope<Map<K, V?>>(name, nullable) { mapType(arrowTypeOf<K>(), arrowTypeOf<V>(), keysSorted) }.apply(block)

    /** Unions, each child as long as the union, of the fields that [fields] declares. */
    public inline fun sparseUnion(
        name: String,
        fields: FieldScope.() -> Unit,
        nullable: Boolean = true,
        block: UnionScope.() -> Unit = {},
    ): UnionScope = unionScope(name, sparseUnionType(fields), nullable).apply(block)

    /** Unions, each child as long as it has values, of the fields that [fields] declares. */
    public inline fun denseUnion(
        name: String,
        fields: FieldScope.() -> Unit,
        nullable: Boolean = true,
        block: UnionScope.() -> Unit = {},
    ): UnionScope = unionScope(name, denseUnionType(fields), nullable).apply(block)

    /**
     * Dictionary-encoded values of the Arrow type that stands for [T]: each goes into the dictionary once.
     *
     * @param ordered a promise that the order of the dictionary, which is that of first sight, has a meaning
     * @param dictionary one that is there already, whose memory is shared; a value that it lacks is an error
     */
    public inline fun <reified T : Any> dictionary(
        name: String,
        index: ArrowType = ArrowType.INT32,
        ordered: Boolean = false,
        nullable: Boolean = true,
        dictionary: ArrayView? = null,
        block: ArrayScope<T>.() -> Unit = {},
    ): ArrayScope<T> {
        val scope = scope<T>(name, nullable) { ArrowType.dictionary(index, arrowTypeOf<T>(), ordered) }
        if (dictionary != null) {
            scope.builder.`as`(DictionaryBuilder::class.java).useDictionary(dictionary)
        }
        return scope.apply(block)
    }

    /** Run-end encoded values of the Arrow type that stands for [T]: values equal to the last make its run longer. */
    public inline fun <reified T : Any> runEndEncoded(
        name: String,
        runEnds: ArrowType = ArrowType.INT32,
        nullable: Boolean = true,
        block: ArrayScope<T>.() -> Unit = {},
    ): ArrayScope<T> = scope<T>(name, nullable) { ArrowType.runEndEncoded(runEnds, arrowTypeOf<T>()) }.apply(block)

    /** Decimals, of 128 bits up to 38 digits and 256 above. A number is never rounded: it fits exactly or is an error. */
    public inline fun decimal(
        name: String,
        precision: Int,
        scale: Int,
        nullable: Boolean = true,
        block: ArrayScope<BigDecimal>.() -> Unit = {},
    ): ArrayScope<BigDecimal> = scope<BigDecimal>(name, nullable) { decimalType(precision, scale) }.apply(block)

    /** Instants, to be shown in a time zone. */
    public inline fun timestamp(
        name: String,
        unit: TimeUnit,
        zone: String,
        nullable: Boolean = true,
        block: ArrayScope<Instant>.() -> Unit = {},
    ): ArrayScope<Instant> = scope<Instant>(name, nullable) { ArrowType.timestamp(unit, zone) }.apply(block)

    /** Readings of a wall clock, without a time zone. */
    public inline fun timestamp(
        name: String,
        unit: TimeUnit,
        nullable: Boolean = true,
        block: ArrayScope<LocalDateTime>.() -> Unit = {},
    ): ArrayScope<LocalDateTime> = scope<LocalDateTime>(name, nullable) { ArrowType.timestamp(unit) }.apply(block)

    /** Times of day. */
    public inline fun time(
        name: String,
        unit: TimeUnit,
        nullable: Boolean = true,
        block: ArrayScope<LocalTime>.() -> Unit = {},
    ): ArrayScope<LocalTime> = scope<LocalTime>(name, nullable) { timeType(unit) }.apply(block)

    /** Lengths of time. */
    public inline fun duration(
        name: String,
        unit: TimeUnit,
        nullable: Boolean = true,
        block: ArrayScope<java.time.Duration>.() -> Unit = {},
    ): ArrayScope<java.time.Duration> =
        scope<java.time.Duration>(name, nullable) { ArrowType.duration(unit) }.apply(block)

    /** A scope of values of a column whose type, if it is not there, the Kotlin type gives. */
    @PublishedApi
    internal inline fun <T : Any> scope(
        name: String,
        nullable: Boolean,
        metadata: Metadata = Metadata.EMPTY,
        type: () -> ArrowType,
    ): ArrayScope<T> = ArrayScope(find(name) ?: declare(Field(name, type(), nullable, metadata)))

    /** A scope of values of a column of a type that was named. */
    @PublishedApi
    internal fun <T : Any> namedScope(
        name: String,
        type: ArrowType,
        nullable: Boolean,
        metadata: Metadata,
    ): ArrayScope<T> {
        val builder = declare(Field(name, type, nullable, metadata))
        require(builder.type == type) { "column \"$name\" is of type ${builder.type}, not $type" }
        return ArrayScope(builder)
    }

    @PublishedApi
    internal fun structScope(
        name: String,
        nullable: Boolean,
    ): StructScope {
        val builder = declare(Field(name, ArrowType.struct(), nullable, Metadata.EMPTY))
        return StructScope(builder.`as`(StructBuilder::class.java))
    }

    @PublishedApi
    internal fun unionScope(
        name: String,
        type: ArrowType,
        nullable: Boolean,
    ): UnionScope =
        UnionScope(namedScope<Any>(name, type, nullable, Metadata.EMPTY).builder.`as`(UnionBuilder::class.java))
}
