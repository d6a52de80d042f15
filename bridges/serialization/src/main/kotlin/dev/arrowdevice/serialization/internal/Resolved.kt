@file:OptIn(ExperimentalSerializationApi::class)

package dev.arrowdevice.serialization.internal

import dev.arrowdevice.serialization.ArrowFormat
import dev.arrowdevice.serialization.ColumnName
import dev.arrowdevice.serialization.DenseUnion
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PolymorphicKind
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.SerialKind
import kotlinx.serialization.descriptors.StructureKind
import kotlinx.serialization.descriptors.elementDescriptors
import kotlinx.serialization.descriptors.getContextualDescriptor
import kotlinx.serialization.descriptors.getPolymorphicDescriptors
import kotlinx.serialization.descriptors.nonNullOriginal

/** Where in a class a descriptor stands, for messages, and the classes around it. */
internal class Path private constructor(
    private val text: String,
    private val classes: List<SerialDescriptor>,
) {
    /** A property of the class here. */
    fun property(name: String): Path = Path("$text.$name", classes)

    /** The class that a class here contains. Refused if it is one of those around. */
    fun within(type: SerialDescriptor): Path {
        if (classes.size >= DEEPEST || classes.any { it == type }) {
            val cycle = (classes.dropWhile { it != type } + type).joinToString(" → ") { nameOf(it) }
            throw fail("the class contains itself, which no Arrow type can: $cycle")
        }
        return Path(text, classes + type)
    }

    fun fail(what: String): SerializationException = SerializationException("$text: $what")

    companion object {
        private const val DEEPEST = 64

        fun of(root: SerialDescriptor): Path = Path(nameOf(root), emptyList())

        /** The name of a class without its package. */
        fun nameOf(type: SerialDescriptor): String = type.serialName.substringAfterLast('.')
    }
}

/**
 * What a descriptor comes to without wrappers: those of nulls, value classes and contextual serializers.
 *
 * @property marks the annotations of the property, and of those in value classes
 */
internal class Resolved private constructor(
    val descriptor: SerialDescriptor,
    val nullable: Boolean,
    val marks: List<Annotation>,
) {
    val leaf: Leaf? = Leaf.of(descriptor)

    val isEnum: Boolean get() = descriptor.kind == SerialKind.ENUM

    /** Pairs in a map, which kotlinx.serialization calls maps too, are structs. */
    val isStruct: Boolean
        get() =
            descriptor.kind == StructureKind.CLASS || descriptor.kind == StructureKind.OBJECT ||
                descriptor.serialName == MAP_ENTRY

    val isList: Boolean get() = descriptor.kind == StructureKind.LIST

    val isMap: Boolean get() = descriptor.kind == StructureKind.MAP

    val isHierarchy: Boolean get() = descriptor.kind is PolymorphicKind

    /** Whether a hierarchy is stored as a union. */
    fun isUnion(format: ArrowFormat): Boolean =
        isHierarchy && (format.unions || (marks + descriptor.annotations).any { it is DenseUnion })

    inline fun <reified A : Annotation> mark(): A? = marks.firstNotNullOfOrNull { it as? A }

    companion object {
        private const val MAP_ENTRY = "kotlin.collections.Map.Entry"

        fun of(
            descriptor: SerialDescriptor,
            marks: List<Annotation>,
            format: ArrowFormat,
            path: Path,
        ): Resolved {
            var found = descriptor
            var nullable = false
            var all = marks
            while (true) {
                if (found.isNullable) {
                    nullable = true
                    found = found.nonNullOriginal
                } else if (found.kind == SerialKind.CONTEXTUAL) {
                    found = format.serializersModule.getContextualDescriptor(found)
                        ?: throw path.fail("the module of the format has no serializer for this contextual property")
                } else if (found.isInline && Leaf.of(found) == null) {
                    all = all + found.getElementAnnotations(0)
                    found = found.getElementDescriptor(0)
                } else {
                    return Resolved(found, nullable, all)
                }
            }
        }
    }
}

/** The name of the column of a property. */
internal fun SerialDescriptor.columnOf(index: Int): String =
    getElementAnnotations(index).firstNotNullOfOrNull { it as? ColumnName }?.value ?: getElementName(index)

/** The classes of a hierarchy, each of which has a name of its own. */
internal fun variantsOf(
    hierarchy: SerialDescriptor,
    format: ArrowFormat,
    path: Path,
): List<SerialDescriptor> {
    val variants =
        if (hierarchy.kind == PolymorphicKind.SEALED) {
            hierarchy.getElementDescriptor(1).elementDescriptors.toList()
        } else {
            format.serializersModule.getPolymorphicDescriptors(hierarchy)
        }
    if (variants.isEmpty()) {
        throw path.fail("the module of the format names no class of the open hierarchy ${hierarchy.serialName}")
    }
    variants.firstOrNull { (it.kind != StructureKind.CLASS && it.kind != StructureKind.OBJECT) || it.isInline }?.let {
        throw path.fail("${it.serialName} of a hierarchy is neither a class with properties nor an object")
    }
    return variants
}
