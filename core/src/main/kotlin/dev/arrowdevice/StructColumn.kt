package dev.arrowdevice

import dev.arrowdevice.internal.type.Brief
import kotlin.reflect.KType
import kotlin.reflect.typeOf

/**
 * An array of structs, whose fields are columns. It is a view: it is valid as long as what it came from is open.
 *
 * A field's value is null if the field or the struct is null at that index. In nested structs, it is null if any of
 * them is.
 *
 * @property name the column's name for messages, after the names of the structs around it: `from.position`
 * @property array the array itself, for everything else
 */
public class StructColumn internal constructor(
    public val name: String,
    public val array: ArrayView,
    internal val view: ArrayView,
) {
    /** The number of structs, nulls included. */
    public val length: Long get() = array.length

    /** Whether the struct at an index, from 0, is null, or a struct around it is. */
    public fun isNull(index: Long): Boolean = view.isNull(index)

    /**
     * The values of the first field with a name, as a Kotlin type; see [RecordBatch.values].
     *
     * @throws IllegalArgumentException if there is no such field, or [T] does not fit it; the message names the types
     * that do
     */
    public inline fun <reified T : Any> values(name: String): Column<T> = field(indexOf(name), typeOf<T>())

    /**
     * The values of the field at an index, from 0, as a Kotlin type.
     *
     * @throws IndexOutOfBoundsException if there is no such field
     * @throws IllegalArgumentException if [T] does not fit it
     */
    public inline fun <reified T : Any> values(index: Int): Column<T> = field(index, typeOf<T>())

    /**
     * The first field with a name, which must be an array of structs.
     *
     * @throws IllegalArgumentException if there is no such field, or its type is not a struct
     */
    public fun struct(name: String): StructColumn = struct(indexOf(name))

    /**
     * The field at an index, from 0, which must be an array of structs.
     *
     * @throws IndexOutOfBoundsException if there is no such field
     * @throws IllegalArgumentException if its type is not a struct
     */
    public fun struct(index: Int): StructColumn = structOf(pathOf(index), array.child(index), view.field(index))

    /** Name, type and first values. */
    override fun toString(): String = if (name.isEmpty()) view.toString() else "$name: $view"

    @PublishedApi
    internal fun indexOf(field: String): Int {
        val names = names()
        val index = names.indexOf(field)
        require(index >= 0) {
            "${columnText(name, array.type)} has no field ${Brief.quoted(field)}; there are: " +
                Brief.names(array.type.storageType().children())
        }
        return index
    }

    @PublishedApi
    internal fun <T : Any> field(
        index: Int,
        type: KType,
    ): Column<T> {
        val field = array.child(index)
        return columnOf(pathOf(index), field, view.field(index), type)
    }

    private fun names(): List<String> =
        array.type
            .storageType()
            .children()
            .map { it.name }

    private fun pathOf(index: Int): String {
        val field = names().getOrElse(index) { "" }
        return if (name.isEmpty()) field else "$name.$field"
    }
}
