@file:OptIn(ExperimentalSerializationApi::class)

package dev.arrowdevice.serialization.internal

import dev.arrowdevice.ArrayReader
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.TypeId
import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.CompositeDecoder
import kotlinx.serialization.modules.SerializersModule

/** Objects of a class: a row of structs, or of a batch. */
internal class ClassSource(
    private val node: ClassNode,
    reader: ArrayReader,
    module: SerializersModule,
) : PartsSource(reader, module) {
    private val parts =
        Array(node.columns.size) { i ->
            val property = node.properties[i]
            if (property ==
                null
            ) {
                NullSource(reader, module)
            } else {
                sourceOf(property, reader.child(node.columns[i]), module)
            }
        }
    private val isComplete = ClassNode.ABSENT !in node.columns
    private var at = NOWHERE

    override fun place(): String =
        if (at == NOWHERE) "" else ".${node.descriptor.getElementName(at)}${parts[at].place()}"

    override fun last(): ValueSource = if (at == NOWHERE) this else parts[at].last()

    override fun part(index: Int): ValueSource {
        at = index
        val part = parts[index]
        part.row = row
        return part
    }

    override fun beginStructure(descriptor: SerialDescriptor): CompositeDecoder {
        at = NOWHERE
        if (reader.isNull(row)) throw nullValue()
        return this
    }

    override fun endStructure(descriptor: SerialDescriptor) {
        at = NOWHERE
    }

    override fun decodeSequentially(): Boolean = isComplete

    override fun decodeElementIndex(descriptor: SerialDescriptor): Int {
        var next = at + 1
        while (next < parts.size && node.columns[next] == ClassNode.ABSENT) next++
        return if (next < parts.size) next else CompositeDecoder.DECODE_DONE
    }

    // The calls that classes make most, once more, where the JIT compiler sees only this class.

    override fun decodeIntElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Int = part(index).decodeInt()

    override fun decodeLongElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Long = part(index).decodeLong()

    override fun decodeDoubleElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Double = part(index).decodeDouble()

    override fun decodeBooleanElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Boolean = part(index).decodeBoolean()

    override fun decodeStringElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): String = part(index).decodeString()

    private companion object {
        const val NOWHERE = -1
    }
}

/** Collections and arrays. */
internal class ListSource(
    node: ListNode,
    reader: ArrayReader,
    module: SerializersModule,
) : PartsSource(reader, module) {
    private val element = sourceOf(node.element, reader.child(0), module)
    private var start = 0L
    private var size = 0
    private var isWithin = false

    override fun place(): String = if (isWithin) "[]${element.place()}" else ""

    override fun last(): ValueSource = if (isWithin) element.last() else this

    override fun part(index: Int): ValueSource {
        isWithin = true
        element.row = start + index
        return element
    }

    override fun beginStructure(descriptor: SerialDescriptor): CompositeDecoder {
        isWithin = false
        if (reader.isNull(row)) throw nullValue()
        start = reader.listStart(row)
        size = Math.toIntExact(reader.listSize(row))
        return this
    }

    override fun endStructure(descriptor: SerialDescriptor) {
        isWithin = false
    }

    override fun decodeCollectionSize(descriptor: SerialDescriptor): Int = size
}

/** Maps, which deserializers read as key, value, key, value, … */
internal class MapSource(
    node: MapNode,
    reader: ArrayReader,
    module: SerializersModule,
) : PartsSource(reader, module) {
    private val key = sourceOf(node.key, reader.child(0).child(0), module)
    private val value = sourceOf(node.value, reader.child(0).child(1), module)
    private var latest: ValueSource? = null
    private var start = 0L
    private var size = 0

    override fun place(): String = latest?.let { (if (it === key) "[] (a key)" else "[]") + it.place() }.orEmpty()

    override fun last(): ValueSource = latest?.last() ?: this

    override fun part(index: Int): ValueSource {
        val part = if (index and 1 == 0) key else value
        latest = part
        part.row = start + (index shr 1)
        return part
    }

    override fun beginStructure(descriptor: SerialDescriptor): CompositeDecoder {
        latest = null
        if (reader.isNull(row)) throw nullValue()
        start = reader.listStart(row)
        size = Math.toIntExact(reader.listSize(row))
        return this
    }

    override fun endStructure(descriptor: SerialDescriptor) {
        latest = null
    }

    override fun decodeCollectionSize(descriptor: SerialDescriptor): Int = size
}

/** A hierarchy. Its deserializer reads the name of the class, as element 0, and then the object. */
internal abstract class VariantsSource(
    reader: ArrayReader,
    module: SerializersModule,
) : PartsSource(reader, module) {
    /** The source of the object. */
    abstract fun variant(): ValueSource

    final override fun part(index: Int): ValueSource = variant()

    final override fun beginStructure(descriptor: SerialDescriptor): CompositeDecoder {
        if (reader.isNull(row)) throw nullValue()
        return this
    }
}

/** A hierarchy as structs with a discriminator. */
internal class HierarchySource(
    node: HierarchyNode,
    reader: ArrayReader,
    module: SerializersModule,
) : VariantsSource(reader, module) {
    private val names = textSource(reader.child(node.discriminator), module)
    private val variants =
        node.variants.associate { it.descriptor.serialName to ClassSource(it, reader, module) }
    private var latest: ClassSource? = null

    override fun place(): String = latest?.place().orEmpty()

    override fun last(): ValueSource = latest?.last() ?: this

    override fun decodeStringElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): String {
        names.row = row
        val name = names.decodeString()
        latest = variants[name]
        return name
    }

    override fun variant(): ValueSource {
        val variant = latest ?: throw failed("the class is not known before its name was read")
        variant.row = row
        return variant
    }
}

/** A hierarchy as a union. */
internal class UnionSource(
    node: UnionNode,
    reader: ArrayReader,
    module: SerializersModule,
) : VariantsSource(reader, module) {
    private val names = Array(node.variants.size) { i -> node.variants[i].descriptor.serialName }
    private val variants =
        Array(names.size) { i -> ClassSource(node.variants[i], reader.child(node.children[i]), module) }
    private val children = node.children
    private var latest = 0

    override fun place(): String = variants[latest].place()

    override fun last(): ValueSource = variants[latest].last()

    override fun decodeStringElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): String {
        val child = reader.unionChild(row)
        latest = maxOf(children.indexOf(child), 0)
        return names.getOrNull(children.indexOf(child))
            ?: throw failed("no class is for child $child of ${reader.type}")
    }

    override fun variant(): ValueSource {
        val variant = variants[latest]
        variant.row = reader.unionOffset(row)
        return variant
    }
}

/** The source of a property from an array of the type that the node was made for. */
internal fun sourceOf(
    node: Node,
    reader: ArrayReader,
    module: SerializersModule,
): ValueSource =
    when (node) {
        is LeafNode -> leafSource(node.leaf, reader, module)
        is EnumNode -> EnumSource(textSource(reader, module), node.descriptor)
        is ClassNode -> ClassSource(node, reader, module)
        is ListNode -> ListSource(node, reader, module)
        is MapNode -> MapSource(node, reader, module)
        is HierarchyNode -> HierarchySource(node, reader, module)
        is UnionNode -> UnionSource(node, reader, module)
    }

private fun textSource(
    reader: ArrayReader,
    module: SerializersModule,
): ValueSource =
    if (DictionaryTextSource.fits(reader)) DictionaryTextSource(reader, module) else PlainSource(reader, module)

private fun leafSource(
    leaf: Leaf,
    reader: ArrayReader,
    module: SerializersModule,
): ValueSource {
    val values = Leaf.valuesOf(reader.type)
    val id = values.storageType().id()
    return when {
        leaf.isObject -> ObjectSource(leaf, reader, module)
        leaf == Leaf.STRING || leaf == Leaf.CHAR -> textSource(reader, module)
        leaf == Leaf.BOOLEAN && values is ExtensionType -> ByteBooleanSource(reader, module)
        leaf.isUnsigned -> UnsignedSource(leaf, reader, module)
        hasAll(leaf, id) -> PlainSource(reader, module)
        else -> CheckedSource(leaf, reader, module)
    }
}

/** Whether a property has room for all values of a type, and a getter of its own for them. */
private fun hasAll(
    leaf: Leaf,
    id: TypeId,
): Boolean =
    when (leaf) {
        Leaf.BYTE -> id == TypeId.INT8
        Leaf.SHORT -> id == TypeId.INT8 || id == TypeId.INT16 || id == TypeId.UINT8
        Leaf.INT -> id in WITHIN_INT
        Leaf.LONG -> id != TypeId.UINT64
        else -> true
    }

private val WITHIN_INT =
    setOf(
        TypeId.INT8,
        TypeId.INT16,
        TypeId.INT32,
        TypeId.UINT8,
        TypeId.UINT16,
        TypeId.DATE32,
        TypeId.TIME32,
        TypeId.INTERVAL_MONTHS,
    )
