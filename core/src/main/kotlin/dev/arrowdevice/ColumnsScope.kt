package dev.arrowdevice

import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.builder.StructBuilder
import java.math.BigDecimal
import java.time.Instant
import java.time.LocalDateTime
import java.time.LocalTime

/**
 * Declares and fills the columns of a record batch, or of a column of structs, all to the same length. Each function
 * gives a scope for values, to its block and as its result, so that rows can be added in a loop later:
 *
 * ```kotlin
 * val people = listOf(Triple(1L, "Ulm", 89073), Triple(2L, "Bonn", 53111))
 * recordBatch {
 *     val id = column<Long>("id")
 *     val address = struct("address") {
 *         column<String>("city")
 *         column<Int>("zip")
 *     }
 *     for ((number, city, zip) in people) {
 *         id.add(number)
 *         address.row(city, zip)
 *     }
 * }
 * ```
 *
 * A name that is there already, declared before or by the schema that the batch is built for, means that very column:
 * its type and nullability stay, and a type that is named must be the same.
 *
 * @property builder the builder behind, of structs whose fields are the columns
 */
@ArrowDsl
public class ColumnsScope
    @PublishedApi
    internal constructor(
        public val builder: StructBuilder,
    ) {
        /** A column of the Arrow type that stands for [T]. */
        public inline fun <reified T : Any> column(
            name: String,
            nullable: Boolean = true,
            metadata: Metadata = Metadata.EMPTY,
            block: ArrayScope<T>.() -> Unit = {},
        ): ArrayScope<T> = scope<T>(name, nullable, metadata) { arrowTypeOf<T>() }.apply(block)

        /** A column of any type, of values that fit it, see [ArrayBuilder.append]. */
        public inline fun column(
            name: String,
            type: ArrowType,
            nullable: Boolean = true,
            metadata: Metadata = Metadata.EMPTY,
            block: ArrayScope<Any>.() -> Unit = {},
        ): ArrayScope<Any> = namedScope<Any>(name, type, nullable, metadata).apply(block)

        /** A column of any type, of values of one Kotlin type that fits it. */
        @JvmName("typedColumn")
        public inline fun <T : Any> column(
            name: String,
            type: ArrowType,
            nullable: Boolean = true,
            metadata: Metadata = Metadata.EMPTY,
            block: ArrayScope<T>.() -> Unit = {},
        ): ArrayScope<T> = namedScope<T>(name, type, nullable, metadata).apply(block)

        /** Adds a row: as many values as there are columns; these must have equally many before. */
        public fun row(vararg values: Any?) {
            builder.append(values.asList() as Any)
        }

        /** Adds a row that is null, to a column of structs: its columns must have equally many values. */
        public fun addNull() {
            builder.appendNull()
        }

        /** Adds metadata, of the batch's schema or the column of structs; order is kept, and so are equal keys. */
        public fun metadata(
            key: String,
            value: String,
        ) {
            builder.setMetadata(builder.field.metadata().plus(key, value))
        }

        /** Lists of the Arrow type that stands for [E]; `add { … }` adds a list element by element. */
        public inline fun <reified E : Any> list(
            name: String,
            nullable: Boolean = true,
            elementNullable: Boolean = true,
            block: ArrayScope<List<E?>>.() -> Unit = {},
        ): ArrayScope<List<E?>> =
            scope<List<E?>>(name, nullable) { listType(arrowTypeOf<E>(), elementNullable) }.apply(block)

        /**
         * Lists of structs of the fields that [fields] declares. In the block of `add { … }`, [row] adds a struct:
         *
         * ```kotlin
         * recordBatch {
         *     listOfStructs("items", { field<String>("sku"); field<Int>("count") }) {
         *         add { row("A-1", 2); row("B-7", 1) }
         *         addNull()
         *     }
         * }
         * ```
         */
        public inline fun listOfStructs(
            name: String,
            fields: SchemaScope.() -> Unit,
            nullable: Boolean = true,
            elementNullable: Boolean = true,
            block: ArrayScope<List<Map<String, Any?>?>>.() -> Unit = {},
        ): ArrayScope<List<Map<String, Any?>?>> =
            scope<List<Map<String, Any?>?>>(
                name,
                nullable,
            ) { listType(structType(fields), elementNullable) }.apply(block)

        /** Structs, whose columns the block declares and fills. */
        public inline fun struct(
            name: String,
            nullable: Boolean = true,
            block: ColumnsScope.() -> Unit = {},
        ): ColumnsScope = structScope(name, nullable).apply(block)

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
            fields: SchemaScope.() -> Unit,
            nullable: Boolean = true,
            block: ArrayScope<Any>.() -> Unit = {},
        ): ArrayScope<Any> = column(name, sparseUnionType(fields), nullable, block = block)

        /** Unions, each child as long as it has values, of the fields that [fields] declares. */
        public inline fun denseUnion(
            name: String,
            fields: SchemaScope.() -> Unit,
            nullable: Boolean = true,
            block: ArrayScope<Any>.() -> Unit = {},
        ): ArrayScope<Any> = column(name, denseUnionType(fields), nullable, block = block)

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
                scope.builder.useDictionary(dictionary)
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

        /**
         * Instants, to be shown in a time zone.
         *
         * @param truncate whether a value finer than the unit is truncated, as [Instant.truncatedTo] does, or refused
         */
        public inline fun timestamp(
            name: String,
            unit: TimeUnit,
            zone: String,
            nullable: Boolean = true,
            truncate: Boolean = false,
            block: ArrayScope<Instant>.() -> Unit = {},
        ): ArrayScope<Instant> =
            times<Instant>(name, nullable, truncate) { ArrowType.timestamp(unit, zone) }.apply(block)

        /**
         * Readings of a wall clock, without a time zone.
         *
         * @param truncate whether a value finer than the unit is truncated, as [LocalDateTime.truncatedTo] does, or refused
         */
        public inline fun timestamp(
            name: String,
            unit: TimeUnit,
            nullable: Boolean = true,
            truncate: Boolean = false,
            block: ArrayScope<LocalDateTime>.() -> Unit = {},
        ): ArrayScope<LocalDateTime> =
            times<LocalDateTime>(name, nullable, truncate) { ArrowType.timestamp(unit) }.apply(block)

        /**
         * Times of day.
         *
         * @param truncate whether a value finer than the unit is truncated, as [LocalTime.truncatedTo] does, or refused
         */
        public inline fun time(
            name: String,
            unit: TimeUnit,
            nullable: Boolean = true,
            truncate: Boolean = false,
            block: ArrayScope<LocalTime>.() -> Unit = {},
        ): ArrayScope<LocalTime> = times<LocalTime>(name, nullable, truncate) { timeType(unit) }.apply(block)

        /**
         * Lengths of time.
         *
         * @param truncate whether a value finer than the unit is truncated towards zero, or refused
         */
        public inline fun duration(
            name: String,
            unit: TimeUnit,
            nullable: Boolean = true,
            truncate: Boolean = false,
            block: ArrayScope<java.time.Duration>.() -> Unit = {},
        ): ArrayScope<java.time.Duration> =
            times<java.time.Duration>(name, nullable, truncate) { ArrowType.duration(unit) }.apply(block)

        /** A scope of times. */
        @PublishedApi
        internal inline fun <T : Any> times(
            name: String,
            nullable: Boolean,
            truncate: Boolean,
            type: () -> ArrowType,
        ): ArrayScope<T> = scope<T>(name, nullable, type = type).also { if (truncate) it.builder.truncateTimes() }

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
        ): ColumnsScope {
            val builder = declare(Field(name, ArrowType.struct(), nullable, Metadata.EMPTY))
            return ColumnsScope(builder.`as`(StructBuilder::class.java))
        }

        /** The builder of the column of this name, which is added if it is not there. */
        @PublishedApi
        internal fun declare(field: Field): ArrayBuilder = find(field.name) ?: builder.addField(field)

        /** The builder of the column of this name, null if it is not there. */
        @PublishedApi
        internal fun find(name: String): ArrayBuilder? = builder.children.firstOrNull { it.field.name == name }
    }
