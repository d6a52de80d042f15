package dev.arrowdevice.peers.arrowcpp

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.Field
import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.ListType
import dev.arrowdevice.MapType
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.Schema
import dev.arrowdevice.StructType
import dev.arrowdevice.UnionType

/**
 * The schema that is left after an exchange with Arrow C++. For C++ an extension that it doesn't know is its storage,
 * in a field whose metadata has the rest; but the values of a dictionary and of runs are types without a field.
 */
internal fun keptByCpp(schema: Schema) = Schema(schema.fields().map(::kept), schema.metadata())

private fun kept(field: Field): Field = field.withType(kept(field.type()))

private fun kept(type: ArrowType): ArrowType =
    when (type) {
        is ListType -> {
            ListType(type.id(), kept(type.element()))
        }

        is FixedSizeListType -> {
            FixedSizeListType(kept(type.element()), type.listSize())
        }

        is StructType -> {
            StructType(type.fields().map(::kept))
        }

        is MapType -> {
            MapType(kept(type.entries()), type.keysSorted())
        }

        is UnionType -> {
            UnionType(type.id(), type.typeIds(), type.fields().map(::kept))
        }

        is DictionaryType -> {
            DictionaryType(type.indexType(), withoutField(type.valueType()), type.ordered())
        }

        is RunEndEncodedType -> {
            ArrowType.runEndEncoded(type.runEnds().type(), withoutField(type.values().type()))
        }

        is ExtensionType -> {
            if (knows(type)) type else ArrowType.extension(type.name(), kept(type.storageType()), type.serialized())
        }

        else -> {
            type
        }
    }

private fun withoutField(type: ArrowType): ArrowType =
    kept(
        if (type is ExtensionType &&
            !knows(type)
        ) {
            type.storageType()
        } else {
            type
        },
    )

private fun knows(type: ExtensionType) = type.name().startsWith("arrow.")

/**
 * Whether a schema has what this Arrow C++ can't take or give: runs of runs, which it refuses; and an extension that it
 * knows over views, which it exports without the sizes of the variadic buffers (apache/arrow#46659).
 */
internal fun isBeyondCpp(schema: Schema): Boolean = schema.fields().any { isBeyondCpp(it.type()) }

private fun isBeyondCpp(type: ArrowType): Boolean {
    val storage = type.storageType()
    if (type is ExtensionType && knows(type) && storage == ArrowType.UTF8_VIEW) return true
    if (storage is RunEndEncodedType && storage.values().type().storageType() is RunEndEncodedType) return true
    val inner = storage.children().map { it.type() } + listOfNotNull((storage as? DictionaryType)?.valueType())
    return inner.any(::isBeyondCpp)
}
