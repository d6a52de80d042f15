package dev.arrowdevice.serialization.internal

import dev.arrowdevice.ArrowType
import kotlinx.serialization.descriptors.SerialDescriptor

/** How the values of a property pass to or from an array of one type. A plan is a tree of these; it holds no data. */
internal sealed class Node

/** One Arrow value for each. */
internal class LeafNode(
    val leaf: Leaf,
    val type: ArrowType,
    val truncates: Boolean,
) : Node()

/** The names of enum constants, in a dictionary or not. */
internal class EnumNode(
    val descriptor: SerialDescriptor,
    val type: ArrowType,
) : Node()

internal class ListNode(
    val element: Node,
) : Node()

internal class MapNode(
    val key: Node,
    val value: Node,
) : Node()

/**
 * The properties of a class, in structs or in a batch.
 *
 * @property columns which child each property has; [ABSENT] and [NULL] if none
 * @property properties how each property passes; null if it has no child
 * @property unfilled the children that no property has, which are null in what is written
 */
internal class ClassNode(
    val descriptor: SerialDescriptor,
    val columns: IntArray,
    val properties: Array<Node?>,
    val unfilled: IntArray,
) : Node() {
    companion object {
        /** The property has its default. */
        const val ABSENT = -1

        /** The property is null. */
        const val NULL = -2
    }
}

/**
 * A hierarchy of classes in structs whose discriminator names the class.
 * The children that a class leaves null are the [ClassNode.unfilled] of it.
 *
 * @property discriminator the child that names the class
 */
internal class HierarchyNode(
    val discriminator: Int,
    val discriminatorType: ArrowType,
    val variants: List<ClassNode>,
) : Node()

/** A hierarchy of classes, each of which is a child of a union. */
internal class UnionNode(
    val variants: List<ClassNode>,
    val children: IntArray,
) : Node()
