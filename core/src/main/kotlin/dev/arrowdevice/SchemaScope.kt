package dev.arrowdevice

/**
 * Declares fields: of a schema, a struct or a union. A Kotlin type stands for an Arrow type as [arrowTypeOf] says; any
 * Arrow type can be named instead. Fields are nullable unless `nullable = false`.
 */
@ArrowDsl
public class SchemaScope
    @PublishedApi
    internal constructor() {
        private val fields = mutableListOf<Field>()
        private var metadata = Metadata.EMPTY

        /** Adds metadata, of the schema or the field that the block is for; order is kept, and so are equal keys. */
        public fun metadata(
            key: String,
            value: String,
        ) {
            metadata = metadata.plus(key, value)
        }

        /** A field of the Arrow type that stands for [T]. */
        public inline fun <reified T : Any> field(
            name: String,
            nullable: Boolean = true,
            metadata: Metadata = Metadata.EMPTY,
        ) {
            field(name, arrowTypeOf<T>(), nullable, metadata)
        }

        /** A field of any type. */
        public fun field(
            name: String,
            type: ArrowType,
            nullable: Boolean = true,
            metadata: Metadata = Metadata.EMPTY,
        ) {
            field(Field(name, type, nullable, metadata))
        }

        /** A field made elsewhere. */
        public fun field(field: Field) {
            fields += field
        }

        /** Lists of the Arrow type that stands for [E]. */
        public inline fun <reified E : Any> list(
            name: String,
            nullable: Boolean = true,
            elementNullable: Boolean = true,
        ) {
            field(name, listType(arrowTypeOf<E>(), elementNullable), nullable)
        }

        /** Lists of structs of the fields that the block declares. */
        public inline fun listOfStructs(
            name: String,
            nullable: Boolean = true,
            elementNullable: Boolean = true,
            fields: SchemaScope.() -> Unit,
        ) {
            field(name, listType(structType(fields), elementNullable), nullable)
        }

        /** Structs of the fields that the block declares. */
        public inline fun struct(
            name: String,
            nullable: Boolean = true,
            fields: SchemaScope.() -> Unit,
        ) {
            val scope = SchemaScope().apply(fields)
            field(name, scope.structType(), nullable, scope.metadata())
        }

        /** Maps from the Arrow type that stands for [K] to that for [V]. */
        public inline fun <reified K : Any, reified V : Any> map(
            name: String,
            nullable: Boolean = true,
            keysSorted: Boolean = false,
        ) {
            field(name, mapType(arrowTypeOf<K>(), arrowTypeOf<V>(), keysSorted), nullable)
        }

        /** Unions, each child as long as the union, of the fields that the block declares. */
        public inline fun sparseUnion(
            name: String,
            nullable: Boolean = true,
            fields: SchemaScope.() -> Unit,
        ) {
            val scope = SchemaScope().apply(fields)
            field(name, scope.sparseUnionType(), nullable, scope.metadata())
        }

        /** Unions, each child as long as it has values, of the fields that the block declares. */
        public inline fun denseUnion(
            name: String,
            nullable: Boolean = true,
            fields: SchemaScope.() -> Unit,
        ) {
            val scope = SchemaScope().apply(fields)
            field(name, scope.denseUnionType(), nullable, scope.metadata())
        }

        /** Dictionary-encoded values of the Arrow type that stands for [T]. */
        public inline fun <reified T : Any> dictionary(
            name: String,
            index: ArrowType = ArrowType.INT32,
            ordered: Boolean = false,
            nullable: Boolean = true,
        ) {
            field(name, ArrowType.dictionary(index, arrowTypeOf<T>(), ordered), nullable)
        }

        /** Run-end encoded values of the Arrow type that stands for [T]. */
        public inline fun <reified T : Any> runEndEncoded(
            name: String,
            runEnds: ArrowType = ArrowType.INT32,
            nullable: Boolean = true,
        ) {
            field(name, ArrowType.runEndEncoded(runEnds, arrowTypeOf<T>()), nullable)
        }

        /** Decimals: of 128 bits up to 38 digits, of 256 above. */
        public fun decimal(
            name: String,
            precision: Int,
            scale: Int,
            nullable: Boolean = true,
        ) {
            field(name, decimalType(precision, scale), nullable)
        }

        /** Timestamps, with a time zone or without. */
        public fun timestamp(
            name: String,
            unit: TimeUnit,
            zone: String? = null,
            nullable: Boolean = true,
        ) {
            field(name, ArrowType.timestamp(unit, zone), nullable)
        }

        /** Times of day. */
        public fun time(
            name: String,
            unit: TimeUnit,
            nullable: Boolean = true,
        ) {
            field(name, timeType(unit), nullable)
        }

        /** Lengths of time. */
        public fun duration(
            name: String,
            unit: TimeUnit,
            nullable: Boolean = true,
        ) {
            field(name, ArrowType.duration(unit), nullable)
        }

        @PublishedApi
        internal fun structType(): ArrowType = ArrowType.struct(fields)

        @PublishedApi
        internal fun sparseUnionType(): ArrowType = ArrowType.sparseUnion(fields.indices.toList(), fields)

        @PublishedApi
        internal fun denseUnionType(): ArrowType = ArrowType.denseUnion(fields.indices.toList(), fields)

        @PublishedApi
        internal fun metadata(): Metadata = metadata

        @PublishedApi
        internal fun schema(): Schema = Schema(fields, metadata())

        /** For types, which have no metadata. */
        @PublishedApi
        internal fun withoutMetadata(): SchemaScope {
            require(metadata() == Metadata.EMPTY) { "a type has no metadata; a field of it has" }
            return this
        }
    }

/**
 * Declares a schema.
 *
 * ```kotlin
 * val flights = schema {
 *     field<Int>("year", nullable = false)
 *     field("flight", ArrowType.UINT16)
 *     list<Double>("delays")
 *     struct("from") { field<String>("airport"); decimal("lat", precision = 9, scale = 6) }
 *     metadata("source", "nycflights13")
 * }
 * ```
 */
public inline fun schema(block: SchemaScope.() -> Unit): Schema = SchemaScope().apply(block).schema()

/** The struct type of the fields that the block declares. */
public inline fun structType(fields: SchemaScope.() -> Unit): ArrowType =
    SchemaScope().apply(fields).withoutMetadata().structType()

/** The sparse union type of the fields that the block declares, with type ids from 0. */
public inline fun sparseUnionType(fields: SchemaScope.() -> Unit): ArrowType =
    SchemaScope().apply(fields).withoutMetadata().sparseUnionType()

/** The dense union type of the fields that the block declares, with type ids from 0. */
public inline fun denseUnionType(fields: SchemaScope.() -> Unit): ArrowType =
    SchemaScope().apply(fields).withoutMetadata().denseUnionType()

@PublishedApi
internal fun listType(
    element: ArrowType,
    elementNullable: Boolean,
): ArrowType = ArrowType.list(Field(Field.LIST_ELEMENT_NAME, element, elementNullable, Metadata.EMPTY))

@PublishedApi
internal fun mapType(
    key: ArrowType,
    value: ArrowType,
    keysSorted: Boolean,
): ArrowType = ArrowType.map(Field.notNull("key", key), Field.nullable("value", value), keysSorted)

@PublishedApi
internal fun decimalType(
    precision: Int,
    scale: Int,
): ArrowType = if (precision <= 38) ArrowType.decimal128(precision, scale) else ArrowType.decimal256(precision, scale)

@PublishedApi
internal fun timeType(unit: TimeUnit): ArrowType =
    when (unit) {
        TimeUnit.SECOND, TimeUnit.MILLISECOND -> ArrowType.time32(unit)
        TimeUnit.MICROSECOND, TimeUnit.NANOSECOND -> ArrowType.time64(unit)
    }
