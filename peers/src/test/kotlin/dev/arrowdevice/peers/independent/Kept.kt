package dev.arrowdevice.peers.independent

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.Field
import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.ListType
import dev.arrowdevice.MapType
import dev.arrowdevice.Metadata
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.Schema
import dev.arrowdevice.StructType
import dev.arrowdevice.UnionType

/**
 * What a peer keeps of a schema. The values of a dictionary are a type without a field everywhere: no extension type that
 * the peer doesn't know, and nothing that only a field can say.
 *
 * @param metadataOrder whether metadata keeps its order, and duplicate keys; otherwise the last value of a key is kept
 * @param runFields whether the children of a run-end encoded type are fields
 * @param ordered whether dictionaries keep that they are ordered
 * @param mapEntries whether the entries of a map, their keys and values, are fields
 */
internal class Kept(
    private val metadataOrder: Boolean,
    private val runFields: Boolean,
    private val ordered: Boolean,
    private val mapEntries: Boolean,
) {
    fun of(schema: Schema) = Schema(schema.fields().map(::of), of(schema.metadata()))

    fun of(field: Field) = Field(field.name(), of(field.type()), field.nullable(), of(field.metadata()))

    fun of(metadata: Metadata): Metadata {
        if (metadataOrder) return metadata
        val last = metadata.entries.associate { it.key to it.value }.toSortedMap()
        return Metadata.of(*last.flatMap { listOf(it.key, it.value) }.toTypedArray())
    }

    private fun of(type: ArrowType): ArrowType =
        when (type) {
            is ListType -> {
                ListType(type.id(), of(type.element()))
            }

            is FixedSizeListType -> {
                FixedSizeListType(of(type.element()), type.listSize())
            }

            is StructType -> {
                StructType(type.fields().map(::of))
            }

            is MapType -> {
                MapType(entries(type), type.keysSorted())
            }

            is UnionType -> {
                UnionType(type.id(), type.typeIds(), type.fields().map(::of))
            }

            is DictionaryType -> {
                DictionaryType(
                    type.indexType(),
                    withoutField(type.valueType()),
                    ordered && type.ordered(),
                )
            }

            is RunEndEncodedType -> {
                runs(type)
            }

            is ExtensionType -> {
                ArrowType.extension(type.name(), of(type.storageType()), type.serialized())
            }

            else -> {
                type
            }
        }

    private fun entries(type: MapType): Field {
        if (mapEntries) return of(type.entries())
        val (key, value) = type.entries().children()
        return Field.notNull(
            "entries",
            ArrowType.struct(
                Field.notNull("key", withoutField(key.type())),
                Field.nullable("value", withoutField(value.type())),
            ),
        )
    }

    private fun runs(type: RunEndEncodedType): ArrowType =
        if (runFields) {
            RunEndEncodedType(of(type.runEnds()), of(type.values()))
        } else {
            ArrowType.runEndEncoded(type.runEnds().type(), withoutField(type.values().type()))
        }

    private fun withoutField(type: ArrowType): ArrowType {
        val kept = of(type.storageType())
        return if (kept is DictionaryType) DictionaryType(kept.indexType(), kept.valueType(), false) else kept
    }
}
