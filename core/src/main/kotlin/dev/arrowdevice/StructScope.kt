package dev.arrowdevice

import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.builder.StructBuilder
import dev.arrowdevice.builder.UnionBuilder

/**
 * Declares and fills the fields of a struct column, all to the same length:
 *
 * ```
 * struct("address") {
 *     val city = field<String>("city") { add("Ulm") }
 *     val zip = field<Int>("zip") { add(89073) }
 *     addNull()                            // where all fields have equally many values: a row that is null
 *     row("Graz", 8010)
 * }
 * ```
 *
 * @property builder the builder behind
 */
@ArrowDsl
public class StructScope internal constructor(
    public val builder: StructBuilder,
) : ColumnsScope() {
    /** A field of the Arrow type that stands for [T]. */
    public inline fun <reified T : Any> field(
        name: String,
        nullable: Boolean = true,
        metadata: Metadata = Metadata.EMPTY,
        block: ArrayScope<T>.() -> Unit = {},
    ): ArrayScope<T> = scope<T>(name, nullable, metadata) { arrowTypeOf<T>() }.apply(block)

    /** A field of any type, of values that fit it. */
    public inline fun field(
        name: String,
        type: ArrowType,
        nullable: Boolean = true,
        metadata: Metadata = Metadata.EMPTY,
        block: ArrayScope<Any>.() -> Unit = {},
    ): ArrayScope<Any> = namedScope<Any>(name, type, nullable, metadata).apply(block)

    /** A field of any type, of values of one Kotlin type that fits it. */
    @JvmName("typedField")
    public inline fun <T : Any> field(
        name: String,
        type: ArrowType,
        nullable: Boolean = true,
        metadata: Metadata = Metadata.EMPTY,
        block: ArrayScope<T>.() -> Unit = {},
    ): ArrayScope<T> = namedScope<T>(name, type, nullable, metadata).apply(block)

    /** Adds a row that is null; all fields must have equally many values. */
    public fun addNull() {
        builder.appendNull()
    }

    /** Adds a row: as many values as there are fields; these must have equally many before. */
    public fun row(vararg values: Any?) {
        builder.append(values.asList() as Any)
    }

    @PublishedApi
    override fun declare(field: Field): ArrayBuilder = find(field.name) ?: builder.addField(field)

    @PublishedApi
    override fun find(name: String): ArrayBuilder? = builder.children().firstOrNull { it.field.name == name }
}

/**
 * Adds values to a union column: each goes to one of its fields.
 *
 * @property builder the builder behind
 */
@ArrowDsl
public class UnionScope internal constructor(
    public val builder: UnionBuilder,
) {
    /** Adds a value to the first field that takes it, or a null to the first that is nullable. */
    public fun add(value: Any?) {
        builder.append(value)
    }

    /**
     * Adds a value to a certain field.
     *
     * @throws IllegalArgumentException also if there is no such field
     */
    public fun add(
        field: String,
        value: Any?,
    ) {
        val child = builder.indexOf(field)
        require(child >= 0) { "no field is named \"$field\" in ${builder.type}" }
        builder.append(UnionBuilder.Choice(child, value))
    }

    /** Adds a null to the first field that is nullable. */
    public fun addNull() {
        builder.appendNull()
    }
}
