@file:OptIn(ExperimentalSerializationApi::class)

package dev.arrowdevice.serialization.internal

import dev.arrowdevice.Field
import dev.arrowdevice.MapType
import dev.arrowdevice.Schema
import dev.arrowdevice.StructType
import dev.arrowdevice.TypeId
import dev.arrowdevice.UnionType
import dev.arrowdevice.serialization.ArrowFormat
import dev.arrowdevice.serialization.Resolution
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.descriptors.SerialDescriptor

/** Finds how the properties of a class pass to, or from, the columns of a schema; refuses what does not fit. */
internal class PlanCompiler(
    private val format: ArrowFormat,
    private val writing: Boolean,
) {
    fun compile(
        root: SerialDescriptor,
        schema: Schema,
    ): BatchPlan {
        val path = Path.of(root)
        val resolved = rowClass(root, format, path)
        return BatchPlan(root, schema, rowsNode(resolved, schema.fields(), path))
    }

    private fun rowsNode(
        resolved: Resolved,
        fields: List<Field>,
        path: Path,
    ): Node =
        if (resolved.isHierarchy) {
            hierarchyNode(resolved.descriptor, fields, path)
        } else {
            classNode(resolved.descriptor, fields, path)
        }

    private fun node(
        descriptor: SerialDescriptor,
        marks: List<Annotation>,
        field: Field,
        path: Path,
    ): Node {
        val resolved = Resolved.of(descriptor, marks, format, path)
        if (writing && resolved.nullable && !field.nullable()) {
            throw path.fail("the property may be null, and the field \"${field.name()}\" of the schema may not")
        }
        val type = field.type()
        val storage = type.storageType()
        val leaf = resolved.leaf
        return when {
            leaf != null -> {
                leafNode(leaf, resolved, field, path)
            }

            resolved.isEnum -> {
                if (!Leaf.isText(type)) throw mismatch("an enum", field, path)
                EnumNode(resolved.descriptor, type)
            }

            resolved.isStruct -> {
                if (storage !is StructType) throw mismatch(Path.nameOf(resolved.descriptor), field, path)
                classNode(resolved.descriptor, storage.fields(), path)
            }

            resolved.isList -> {
                if (storage.id() !in LISTS) throw mismatch("a collection", field, path)
                val element = storage.children().single()
                ListNode(node(resolved.descriptor.getElementDescriptor(0), resolved.marks, element, path))
            }

            resolved.isMap -> {
                if (storage !is MapType) throw mismatch("a map", field, path)
                MapNode(
                    node(resolved.descriptor.getElementDescriptor(0), emptyList(), storage.key(), path),
                    node(resolved.descriptor.getElementDescriptor(1), resolved.marks, storage.value(), path),
                )
            }

            resolved.isHierarchy -> {
                when (storage) {
                    is StructType -> hierarchyNode(resolved.descriptor, storage.fields(), path)
                    is UnionType -> unionNode(resolved.descriptor, storage, path)
                    else -> throw mismatch(Path.nameOf(resolved.descriptor), field, path)
                }
            }

            else -> {
                throw path.fail("no Arrow type stands for ${resolved.descriptor.serialName}")
            }
        }
    }

    private fun leafNode(
        leaf: Leaf,
        resolved: Resolved,
        field: Field,
        path: Path,
    ): Node {
        val type = field.type()
        if (if (writing) leaf.writes(type) else leaf.reads(type)) {
            return LeafNode(leaf, type, resolved.mark<Resolution>()?.truncate == true)
        }
        if (isTextIn(type, resolved.descriptor)) return LeafNode(Leaf.STRING, type, false)
        // A collection of bytes, rather than their sequence.
        if (leaf == Leaf.BYTES && type.storageType().id() in LISTS) {
            val element = type.storageType().children().single()
            return ListNode(node(resolved.descriptor.getElementDescriptor(0), emptyList(), element, path))
        }
        throw mismatch(leaf.text, field, path)
    }

    private fun classNode(
        type: SerialDescriptor,
        fields: List<Field>,
        outer: Path,
        given: Set<Int> = emptySet(),
    ): ClassNode {
        val path = outer.within(type)
        val columns = IntArray(type.elementsCount)
        val properties = arrayOfNulls<Node>(type.elementsCount)
        for (i in columns.indices) {
            val place = path.property(type.getElementName(i))
            val name = type.columnOf(i)
            val column = columnNamed(name, fields, place)
            if (writing && column >= 0 && (column in given || columns.indexOf(column) in 0 until i)) {
                throw place.fail("the column \"$name\" would have two values in each row; rename with @ColumnName")
            }
            columns[i] = if (column < 0) absent(type, i, name, fields, place) else column
            if (column >= 0) {
                val marks = type.getElementAnnotations(i)
                properties[i] = node(type.getElementDescriptor(i), marks, fields[column], place)
            }
        }
        val unfilled = fields.indices.filterNot { it in columns || it in given }
        if (writing && given.isEmpty()) requireNullable(unfilled, fields, path)
        return ClassNode(type, columns, properties, unfilled.toIntArray())
    }

    /** The index of the one column with a name, or -1. */
    private fun columnNamed(
        name: String,
        fields: List<Field>,
        path: Path,
    ): Int {
        val first = fields.indexOfFirst { it.name() == name }
        if (first == fields.indexOfLast { it.name() == name }) return first
        throw path.fail("more than one column is named \"$name\"; select one of them by its index, or rename")
    }

    /** What a property without a column has. */
    private fun absent(
        type: SerialDescriptor,
        property: Int,
        name: String,
        fields: List<Field>,
        path: Path,
    ): Int =
        when {
            !writing && type.isElementOptional(property) -> {
                ClassNode.ABSENT
            }

            !writing && Resolved.of(type.getElementDescriptor(property), emptyList(), format, path).nullable -> {
                ClassNode.NULL
            }

            else -> {
                val why = if (writing) "" else ", and the property has no default and is not nullable"
                throw path.fail("there is no column \"$name\"$why; there are: ${fields.joinToString { it.name() }}")
            }
        }

    private fun requireNullable(
        unfilled: List<Int>,
        fields: List<Field>,
        path: Path,
    ) {
        val field = fields.firstOrNull { fields.indexOf(it) in unfilled && !it.nullable() } ?: return
        throw path.fail("no property is for \"${field.name()}\" of the schema, which is not nullable")
    }

    private fun hierarchyNode(
        hierarchy: SerialDescriptor,
        fields: List<Field>,
        outer: Path,
    ): HierarchyNode {
        val path = outer.within(hierarchy)
        val name = format.discriminator
        val discriminator = columnNamed(name, fields, path)
        if (discriminator < 0) throw path.fail("there is no field \"$name\" that names the class")
        val type = fields[discriminator].type()
        if (!Leaf.isText(type)) throw mismatch("the name of a class", fields[discriminator], path)
        val variants =
            variantsOf(hierarchy, format, path).map { classNode(it, fields, path, setOf(discriminator)) }
        if (writing) variants.forEach { requireNullable(it.unfilled.toList(), fields, path) }
        return HierarchyNode(discriminator, type, variants)
    }

    private fun unionNode(
        hierarchy: SerialDescriptor,
        union: UnionType,
        outer: Path,
    ): UnionNode {
        val path = outer.within(hierarchy)
        val found = variantsOf(hierarchy, format, path)
        val children = found.map { variant -> union.fields().indexOfFirst { it.name() == variant.serialName } }
        val missing = children.indexOf(-1)
        if (missing >= 0 && writing) {
            throw path.fail(
                "the union has no child \"${found[missing].serialName}\"; there are: " +
                    union.fields().joinToString { it.name() },
            )
        }
        val present = children.indices.filter { children[it] >= 0 }
        val variants =
            present.map {
                val field = union.fields()[children[it]]
                val struct =
                    field.type().storageType() as? StructType
                        ?: throw mismatch(Path.nameOf(found[it]), field, path)
                classNode(found[it], struct.fields(), path)
            }
        return UnionNode(variants, present.map { children[it] }.toIntArray())
    }

    private fun mismatch(
        what: String,
        field: Field,
        path: Path,
    ) = path.fail(
        "$what can't be ${if (writing) "written to" else "read from"} the column \"${field.name()}\" " +
            "of type ${field.type()}",
    )

    private companion object {
        val LISTS =
            setOf(
                TypeId.LIST,
                TypeId.LARGE_LIST,
                TypeId.LIST_VIEW,
                TypeId.LARGE_LIST_VIEW,
                TypeId.FIXED_SIZE_LIST,
            )
    }
}
