package dev.arrowdevice.peers.arbitrary

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.Field
import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.TypeId
import dev.arrowdevice.UnionType
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.BufferKind
import dev.arrowdevice.spi.DeviceBuffer
import java.nio.ByteBuffer
import java.util.AbstractMap.SimpleImmutableEntry
import java.util.UUID
import kotlin.random.Random

/** Builds arrays buffer by buffer, as the columnar format allows them, without the SDK's builders. */
internal class ArbitraryArrays(
    private val random: Random,
    private val memory: Memory,
    private val layouts: Layouts,
) {
    private val leaves = LeafValues(random)
    private val contents = ByteContents(random, memory)

    fun array(
        field: Field,
        length: Int,
    ): Generated = array(field.type(), field.nullable(), length)

    private fun array(
        type: ArrowType,
        nullable: Boolean,
        length: Int,
    ): Generated {
        if (type is ExtensionType) return extension(type, nullable, length)
        val slots = Slots(random, memory, layouts, type, nullable, length)
        return when (type.id()) {
            TypeId.NULL -> {
                slots.generated(List(slots.count) { null }, listOf())
            }

            TypeId.BOOL -> {
                bool(slots)
            }

            TypeId.UTF8, TypeId.BINARY, TypeId.LARGE_UTF8, TypeId.LARGE_BINARY -> {
                contents.withOffsets(type, slots)
            }

            TypeId.UTF8_VIEW, TypeId.BINARY_VIEW -> {
                contents.withViews(type, slots)
            }

            TypeId.LIST, TypeId.LARGE_LIST, TypeId.MAP -> {
                list(type, slots)
            }

            TypeId.LIST_VIEW, TypeId.LARGE_LIST_VIEW -> {
                listView(type, slots)
            }

            TypeId.FIXED_SIZE_LIST -> {
                fixedSizeList(type as FixedSizeListType, slots)
            }

            TypeId.STRUCT -> {
                struct(type, slots)
            }

            TypeId.SPARSE_UNION -> {
                sparseUnion(type as UnionType, slots)
            }

            TypeId.DENSE_UNION -> {
                denseUnion(type as UnionType, slots)
            }

            TypeId.RUN_END_ENCODED -> {
                runEndEncoded(type as RunEndEncodedType, slots)
            }

            TypeId.DICTIONARY -> {
                dictionary(type as DictionaryType, slots, nullable)
            }

            else -> {
                fixedWidth(type, slots)
            }
        }
    }

    private fun fixedWidth(
        type: ArrowType,
        slots: Slots,
    ): Generated {
        val width = type.layout().bitWidth() / 8
        val out = nativeBytes(slots.count * width)
        val values =
            List(slots.count) { slot ->
                if (slots.isValid(slot)) leaves.next(type, out) else null.also { out.put(random.nextBytes(width)) }
            }
        return slots.generated(values, listOf(memory.buffer(out.array(), misalignment())))
    }

    private fun bool(slots: Slots): Generated {
        val bytes = random.nextBytes((slots.count + 7) / 8)
        val values = List(slots.count) { random.nextBoolean() }
        values.forEachIndexed { slot, value -> bytes.setBit(slot, value) }
        return slots.generated(values, listOf(memory.buffer(bytes)))
    }

    /** Lists and maps: consecutive ranges of the child, of which some before, between (under nulls) and behind are unused. */
    private fun list(
        type: ArrowType,
        slots: Slots,
    ): Generated {
        val ranges = mutableListOf<IntRange>()
        var position = random.nextInt(3)
        repeat(slots.count) {
            val size = random.nextInt(4)
            ranges += position until position + size
            position += size
        }
        val child = array(type.children().single(), position + random.nextInt(3))
        val offsets = ranges.map { it.first } + position
        return slots.generated(
            ranges.map { elements(type, child, it) },
            listOf(offsets(type, offsets, 1)),
            listOf(child.data),
        )
    }

    /** List views: ranges of the child in any order, overlapping. */
    private fun listView(
        type: ArrowType,
        slots: Slots,
    ): Generated {
        val child = array(type.children().single(), random.nextInt(slots.count + 3))
        val ranges =
            List(slots.count) {
                val start = random.nextInt(child.values.size + 1)
                start until start + random.nextInt(minOf(4, child.values.size - start + 1))
            }
        val buffers = listOf(offsets(type, ranges.map { it.first }, 1), offsets(type, ranges.map { it.count() }, 2))
        return slots.generated(ranges.map { elements(type, child, it) }, buffers, listOf(child.data))
    }

    private fun fixedSizeList(
        type: FixedSizeListType,
        slots: Slots,
    ): Generated {
        val child = array(type.element(), slots.count * type.listSize() + random.nextInt(3))
        val ranges = List(slots.count) { it * type.listSize() until (it + 1) * type.listSize() }
        return slots.generated(ranges.map { elements(type, child, it) }, listOf(), listOf(child.data))
    }

    private fun elements(
        type: ArrowType,
        child: Generated,
        range: IntRange,
    ): List<Any?> {
        val elements = child.values.subList(range.first, range.last + 1)
        if (type.id() != TypeId.MAP) return elements
        return elements.map { entry ->
            (entry as Map<*, *>).values.toList().let { (key, value) -> SimpleImmutableEntry(key, value) }
        }
    }

    /** The offsets or sizes in the type's buffer of that number. */
    private fun offsets(
        type: ArrowType,
        values: List<Int>,
        buffer: Int,
    ): DeviceBuffer {
        val kind = type.layout().buffers()[buffer]
        val wide = kind == BufferKind.OFFSETS64 || kind == BufferKind.SIZES64
        return memory.buffer(offsetBytes(values, wide), misalignment())
    }

    private fun struct(
        type: ArrowType,
        slots: Slots,
    ): Generated {
        val children = type.children().map { array(it, slots.count + random.nextInt(2)) }
        val names = type.children().map { it.name() }
        val values =
            List(slots.count) { slot -> names.zip(children) { name, child -> name to child.values[slot] }.toMap() }
        return slots.generated(values, listOf(), children.map { it.data })
    }

    private fun sparseUnion(
        type: UnionType,
        slots: Slots,
    ): Generated {
        val chosen = List(slots.count) { random.nextInt(type.fields().size) }
        val children = type.fields().map { array(it, slots.count + random.nextInt(2)) }
        val values = chosen.mapIndexed { slot, child -> children[child].values[slot] }
        return slots.generated(values, listOf(typeIds(type, chosen)), children.map { it.data })
    }

    /** "The respective offsets for each child value array must be in order / increasing"; some values are skipped. */
    private fun denseUnion(
        type: UnionType,
        slots: Slots,
    ): Generated {
        val used = IntArray(type.fields().size)
        val chosen = List(slots.count) { random.nextInt(type.fields().size) }
        val positions = chosen.map { child -> (used[child] + random.nextInt(2)).also { used[child] = it + 1 } }
        val children = type.fields().mapIndexed { child, field -> array(field, used[child] + random.nextInt(2)) }
        val values = chosen.zip(positions) { child, position -> children[child].values[position] }
        val buffers = listOf(typeIds(type, chosen), memory.buffer(offsetBytes(positions, false), misalignment()))
        return slots.generated(values, buffers, children.map { it.data })
    }

    private fun typeIds(
        type: UnionType,
        chosen: List<Int>,
    ): DeviceBuffer = memory.buffer(ByteArray(chosen.size) { type.typeIds()[chosen[it]].toByte() })

    /** Runs over all slots, of which the last may reach further than they do. */
    private fun runEndEncoded(
        type: RunEndEncodedType,
        slots: Slots,
    ): Generated {
        val ends = mutableListOf<Int>()
        while ((ends.lastOrNull() ?: 0) < slots.count) ends += (ends.lastOrNull() ?: 0) + random.nextInt(1, 6)
        val runValues = array(type.values(), ends.size)
        val values = List(slots.count) { slot -> runValues.values[ends.indexOfFirst { it > slot }] }
        return slots.generated(values, listOf(), listOf(runEnds(type, ends), runValues.data))
    }

    private fun runEnds(
        type: RunEndEncodedType,
        ends: List<Int>,
    ): ArrayData {
        val runEnds = Slots(random, memory, Layouts.PLAIN, type.runEnds().type(), false, ends.size)
        val out =
            nativeBytes(
                ends.size *
                    type
                        .runEnds()
                        .type()
                        .layout()
                        .bitWidth() / 8,
            )
        ends.forEach { out.putInteger(type.runEnds().type(), it) }
        return runEnds.generated(ends, listOf(memory.buffer(out.array()))).data
    }

    /** A dictionary with nulls, with values twice, with values that nobody uses. */
    private fun dictionary(
        type: DictionaryType,
        slots: Slots,
        nullable: Boolean,
    ): Generated {
        val dictionary =
            array(
                type.valueType(),
                nullable,
                if (slots.count ==
                    0
                ) {
                    random.nextInt(2)
                } else {
                    random.nextInt(1, 6)
                },
            )
        val width = type.indexType().layout().bitWidth() / 8
        val out = nativeBytes(slots.count * width)
        val values =
            List(slots.count) { slot ->
                if (slots.isValid(slot)) {
                    val index = random.nextInt(dictionary.values.size)
                    out.putInteger(type.indexType(), index)
                    dictionary.values[index]
                } else {
                    null.also { out.put(random.nextBytes(width)) }
                }
            }
        return slots.generated(values, listOf(memory.buffer(out.array(), misalignment())), listOf(), dictionary.data)
    }

    private fun extension(
        type: ExtensionType,
        nullable: Boolean,
        length: Int,
    ): Generated {
        val storage = contents.ofJson(type.name() == ExtensionType.JSON) { array(type.storageType(), nullable, length) }
        return storage.withType(type) { value ->
            when (type.name()) {
                ExtensionType.UUID -> ByteBuffer.wrap(value as ByteArray).let { UUID(it.long, it.long) }
                ExtensionType.BOOL8 -> value != 0.toByte()
                else -> value
            }
        }
    }

    /** Buffers should start at a multiple of 8 at least; most of ours start at one of 64. */
    private fun misalignment(): Int = if (layouts == Layouts.UNUSUAL && random.nextInt(4) == 0) 8 else 0
}

internal fun offsetBytes(
    values: List<Int>,
    wide: Boolean,
): ByteArray {
    val out = nativeBytes(values.size * if (wide) Long.SIZE_BYTES else Int.SIZE_BYTES)
    values.forEach { if (wide) out.putLong(it.toLong()) else out.putInt(it) }
    return out.array()
}

private fun ByteBuffer.putInteger(
    type: ArrowType,
    value: Int,
) {
    when (type.layout().bitWidth()) {
        8 -> put(value.toByte())
        16 -> putShort(value.toShort())
        32 -> putInt(value)
        else -> putLong(value.toLong())
    }
}
