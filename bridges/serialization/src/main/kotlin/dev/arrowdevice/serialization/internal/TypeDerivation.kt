@file:OptIn(ExperimentalSerializationApi::class)

package dev.arrowdevice.serialization.internal

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.Schema
import dev.arrowdevice.TypeId
import dev.arrowdevice.serialization.ArrowFormat
import dev.arrowdevice.serialization.DictionaryEncoded
import dev.arrowdevice.serialization.FixedSize
import dev.arrowdevice.serialization.StoredAs
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.descriptors.SerialDescriptor

/** Derives the Arrow types of classes. */
internal class TypeDerivation(
    private val format: ArrowFormat,
) {
    /** The schema of the rows of a class. */
    fun schemaOf(root: SerialDescriptor): Schema {
        val path = Path.of(root)
        return Schema.of(columnsOf(rowClass(root, format, path), path))
    }

    private fun columnsOf(
        resolved: Resolved,
        path: Path,
    ): List<Field> =
        if (resolved.isHierarchy) hierarchyFields(resolved.descriptor, path) else fields(resolved.descriptor, path)

    private fun fieldOf(
        name: String,
        descriptor: SerialDescriptor,
        marks: List<Annotation>,
        path: Path,
    ): Field {
        val resolved = Resolved.of(descriptor, marks, format, path)
        return Field(name, typeOf(resolved, path), resolved.nullable, Metadata.EMPTY)
    }

    private fun typeOf(
        resolved: Resolved,
        path: Path,
    ): ArrowType {
        val leaf = resolved.leaf
        return when {
            leaf != null -> leafType(leaf, resolved, path)
            resolved.isEnum -> enumType(resolved, path)
            resolved.isStruct -> ArrowType.struct(fields(resolved.descriptor, path))
            resolved.isList -> listType(resolved, path)
            resolved.isMap -> mapType(resolved, path)
            resolved.isUnion(format) -> unionType(resolved, path)
            resolved.isHierarchy -> ArrowType.struct(hierarchyFields(resolved.descriptor, path))
            else -> throw path.fail("no Arrow type stands for ${resolved.descriptor.serialName}")
        }
    }

    private fun enumType(
        resolved: Resolved,
        path: Path,
    ): ArrowType {
        if (resolved.mark<StoredAs>() != null) return leafType(Leaf.STRING, resolved, path)
        val index = resolved.mark<DictionaryEncoded>()?.let { indexType(it.index, path) }
        return ArrowType.dictionary(index ?: smallestIndex(resolved.descriptor.elementsCount), ArrowType.UTF8)
    }

    private fun listType(
        list: Resolved,
        path: Path,
    ): ArrowType {
        val stored = list.mark<StoredAs>()?.value?.takeIf { it in LISTS }
        val size = list.mark<FixedSize>()?.value
        val rest = list.marks.filterNot { it is FixedSize || (it is StoredAs && it.value in LISTS) }
        val element = fieldOf(Field.LIST_ELEMENT_NAME, list.descriptor.getElementDescriptor(0), rest, path)
        return when {
            size != null -> ArrowType.fixedSizeList(element, size)
            stored == TypeId.LARGE_LIST -> ArrowType.largeList(element)
            stored == TypeId.LIST_VIEW -> ArrowType.listView(element)
            stored == TypeId.LARGE_LIST_VIEW -> ArrowType.largeListView(element)
            else -> ArrowType.list(element)
        }
    }

    private fun mapType(
        map: Resolved,
        path: Path,
    ): ArrowType {
        val key = fieldOf("key", map.descriptor.getElementDescriptor(0), emptyList(), path)
        if (key.nullable()) throw path.fail("keys of a map are not null in Arrow")
        return ArrowType.map(key, fieldOf("value", map.descriptor.getElementDescriptor(1), map.marks, path), false)
    }

    private fun fields(
        type: SerialDescriptor,
        outer: Path,
    ): List<Field> {
        val path = outer.within(type)
        val names = HashSet<String>()
        return List(type.elementsCount) { i ->
            val name = type.columnOf(i)
            val place = path.property(type.getElementName(i))
            if (!names.add(name)) throw place.fail("the class has two columns of the name \"$name\"")
            fieldOf(name, type.getElementDescriptor(i), type.getElementAnnotations(i), place)
        }
    }

    /** The discriminator, and the fields of all classes, of which each row has some. */
    private fun hierarchyFields(
        hierarchy: SerialDescriptor,
        outer: Path,
    ): List<Field> {
        val path = outer.within(hierarchy)
        val variants = variantsOf(hierarchy, format, path)
        val index = smallestIndex(variants.size)
        val found = LinkedHashMap<String, Field>()
        found[format.discriminator] =
            Field.notNull(format.discriminator, ArrowType.dictionary(index, ArrowType.UTF8))
        for (variant in variants) {
            for (field in fields(variant, path)) {
                val known = found.putIfAbsent(field.name(), field.withNullable(true)) ?: continue
                if (known.type() != field.type() || field.name() == format.discriminator) {
                    throw path.fail(
                        "two classes have a field \"${field.name()}\", of type ${known.type()} and ${field.type()}: " +
                            "rename one with @ColumnName, or use @DenseUnion",
                    )
                }
            }
        }
        return found.values.toList()
    }

    private fun unionType(
        resolved: Resolved,
        outer: Path,
    ): ArrowType {
        val path = outer.within(resolved.descriptor)
        val variants = variantsOf(resolved.descriptor, format, path)
        if (variants.size > MOST_VARIANTS) throw path.fail("a union has at most $MOST_VARIANTS children")
        val children =
            variants.map { variant ->
                Field(variant.serialName, ArrowType.struct(fields(variant, path)), resolved.nullable, Metadata.EMPTY)
            }
        return ArrowType.denseUnion(children.indices.toList(), children)
    }

    private companion object {
        val LISTS = setOf(TypeId.LIST, TypeId.LARGE_LIST, TypeId.LIST_VIEW, TypeId.LARGE_LIST_VIEW)
        const val MOST_VARIANTS = 127

        fun smallestIndex(values: Int): ArrowType =
            when {
                values <= Byte.MAX_VALUE + 1 -> ArrowType.INT8
                values <= Short.MAX_VALUE + 1 -> ArrowType.INT16
                else -> ArrowType.INT32
            }
    }
}

/** The class of rows, without wrappers. */
internal fun rowClass(
    root: SerialDescriptor,
    format: ArrowFormat,
    path: Path,
): Resolved {
    val resolved = Resolved.of(root, emptyList(), format, path)
    if (resolved.nullable) throw path.fail("rows can't be null")
    if (!resolved.isStruct && !resolved.isHierarchy) {
        throw path.fail("rows are objects of a class with properties, of which each is a column")
    }
    return resolved
}
