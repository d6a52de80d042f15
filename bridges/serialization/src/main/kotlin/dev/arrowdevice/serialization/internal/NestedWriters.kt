@file:OptIn(ExperimentalSerializationApi::class)

package dev.arrowdevice.serialization.internal

import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.builder.ListBuilder
import dev.arrowdevice.builder.MapBuilder
import dev.arrowdevice.builder.StructBuilder
import dev.arrowdevice.builder.UnionBuilder
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerializationException
import kotlinx.serialization.SerializationStrategy
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.CompositeEncoder
import kotlinx.serialization.modules.SerializersModule

/** Objects of a class: a row of structs, or of a batch. */
internal class ClassWriter(
    private val node: ClassNode,
    private val struct: StructBuilder,
    module: SerializersModule,
) : PartsWriter(struct, module) {
    private val parts =
        Array(node.columns.size) { i -> writerOf(node.properties[i]!!, struct.child(node.columns[i]), module) }
    private val unfilled = Array(node.unfilled.size) { i -> struct.child(node.unfilled[i]) }
    private val isEmpty = struct.childCount == 0
    private var at = NOWHERE
    private var written = 0

    override fun place(): String =
        if (at == NOWHERE) "" else ".${node.descriptor.getElementName(at)}${parts[at].place()}"

    override fun part(index: Int): ValueWriter {
        at = index
        written++
        return parts[index]
    }

    override fun beginStructure(descriptor: SerialDescriptor): CompositeEncoder {
        written = 0
        return this
    }

    override fun endStructure(descriptor: SerialDescriptor) {
        at = NOWHERE
        if (written != parts.size) throw incomplete()
        for (child in unfilled) child.appendNull()
        if (isEmpty) struct.appendRow()
    }

    // The calls that classes make most, once more, where the JIT compiler sees only this class.

    override fun encodeIntElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Int,
    ) {
        part(index).encodeInt(value)
    }

    override fun encodeLongElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Long,
    ) {
        part(index).encodeLong(value)
    }

    override fun encodeDoubleElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Double,
    ) {
        part(index).encodeDouble(value)
    }

    override fun encodeBooleanElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Boolean,
    ) {
        part(index).encodeBoolean(value)
    }

    override fun encodeStringElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: String,
    ) {
        part(index).encodeString(value)
    }

    /** Values that are left out would be those of the next row. */
    private fun incomplete() =
        SerializationException(
            "the serializer wrote $written of ${parts.size} properties; " +
                "a column needs each value, so leave out @EncodeDefault(NEVER)",
        )

    private companion object {
        const val NOWHERE = -1
    }
}

/** Collections and arrays. */
internal class ListWriter(
    node: ListNode,
    private val lists: ListBuilder,
    module: SerializersModule,
) : PartsWriter(lists, module) {
    private val elements = lists.elements()
    private val element = writerOf(node.element, elements, module)
    private val takesArrays = element is PlainWriter

    override fun place(): String = "[]${element.place()}"

    override fun part(index: Int): ValueWriter = element

    override fun <T> write(
        serializer: SerializationStrategy<T>,
        value: T,
    ) {
        if (takesArrays && value is Any && value.javaClass.isArray && value !is Array<*> && value !is CharArray) {
            builder.append(value as Any)
        } else {
            serializer.serialize(this, value)
        }
    }

    override fun beginStructure(descriptor: SerialDescriptor): CompositeEncoder {
        lists.startList()
        return this
    }

    override fun endStructure(descriptor: SerialDescriptor) {
        lists.endList()
    }
}

/** Maps, which serializers write as key, value, key, value, … */
internal class MapWriter(
    node: MapNode,
    private val maps: MapBuilder,
    module: SerializersModule,
) : PartsWriter(maps, module) {
    private val key = writerOf(node.key, maps.keys(), module)
    private val value = writerOf(node.value, maps.values(), module)
    private var last = key

    override fun place(): String = (if (last === key) "[] (a key)" else "[]") + last.place()

    override fun part(index: Int): ValueWriter {
        last = if (index and 1 == 0) key else value
        return last
    }

    override fun beginStructure(descriptor: SerialDescriptor): CompositeEncoder {
        maps.startMap()
        return this
    }

    override fun endStructure(descriptor: SerialDescriptor) {
        maps.endMap()
    }
}

/**
 * A hierarchy. Its serializer writes the name of the class, as element 0, and the object. The class is that of the
 * object's serializer.
 */
internal abstract class VariantsWriter(
    builder: ArrayBuilder,
    module: SerializersModule,
    variants: List<ClassNode>,
) : PartsWriter(builder, module) {
    private val indexes = variants.withIndex().associate { (i, variant) -> variant.descriptor.serialName to i }

    /** Appends an object of a class. */
    abstract fun <T> writeVariant(
        variant: Int,
        serializer: SerializationStrategy<T>,
        value: T,
    )

    final override fun part(index: Int): ValueWriter = this

    final override fun beginStructure(descriptor: SerialDescriptor): CompositeEncoder = this

    final override fun encodeStringElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: String,
    ) {}

    final override fun <T> encodeSerializableElement(
        descriptor: SerialDescriptor,
        index: Int,
        serializer: SerializationStrategy<T>,
        value: T,
    ) {
        val name = serializer.descriptor.serialName
        val variant = indexes[name] ?: throw SerializationException("$name is no class of ${descriptor.serialName}")
        writeVariant(variant, serializer, value)
    }
}

/** A hierarchy as structs with a discriminator. */
internal class HierarchyWriter(
    node: HierarchyNode,
    struct: StructBuilder,
    module: SerializersModule,
) : VariantsWriter(struct, module, node.variants) {
    private val names = Array(node.variants.size) { i -> node.variants[i].descriptor.serialName }
    private val discriminator = EnumWriter(names, struct.child(node.discriminator), module)
    private val variants = Array(names.size) { i -> ClassWriter(node.variants[i], struct, module) }
    private var last: ClassWriter? = null

    override fun place(): String = last?.place().orEmpty()

    override fun <T> writeVariant(
        variant: Int,
        serializer: SerializationStrategy<T>,
        value: T,
    ) {
        discriminator.encodeIndex(variant)
        val writer = variants[variant]
        last = writer
        writer.write(serializer, value)
    }
}

/** A hierarchy as a union. */
internal class UnionWriter(
    node: UnionNode,
    private val union: UnionBuilder,
    module: SerializersModule,
) : VariantsWriter(union, module, node.variants) {
    private val children = node.children

    // All before the first value: a null, or a value of another child, may append to them.
    private val variants =
        Array(children.size) { i ->
            ClassWriter(node.variants[i], union.select(children[i]).`as`(StructBuilder::class.java), module)
        }
    private var last: ClassWriter? = null

    override fun place(): String = last?.place().orEmpty()

    override fun <T> writeVariant(
        variant: Int,
        serializer: SerializationStrategy<T>,
        value: T,
    ) {
        union.select(children[variant])
        val writer = variants[variant]
        last = writer
        writer.write(serializer, value)
    }
}

/** The writer of a property to a builder of the type that the node was made for. */
internal fun writerOf(
    node: Node,
    builder: ArrayBuilder,
    module: SerializersModule,
): ValueWriter =
    when (node) {
        is LeafNode -> {
            if (node.truncates) builder.truncateTimes()
            when {
                node.leaf.isObject -> ObjectWriter(builder, module)
                node.leaf.isUnsigned -> UnsignedWriter(builder, module)
                else -> PlainWriter(builder, module)
            }
        }

        is EnumNode -> {
            EnumWriter(Array(node.descriptor.elementsCount, node.descriptor::getElementName), builder, module)
        }

        is ClassNode -> {
            ClassWriter(node, builder.`as`(StructBuilder::class.java), module)
        }

        is ListNode -> {
            ListWriter(node, builder.`as`(ListBuilder::class.java), module)
        }

        is MapNode -> {
            MapWriter(node, builder.`as`(MapBuilder::class.java), module)
        }

        is HierarchyNode -> {
            HierarchyWriter(node, builder.`as`(StructBuilder::class.java), module)
        }

        is UnionNode -> {
            UnionWriter(node, builder.`as`(UnionBuilder::class.java), module)
        }
    }
