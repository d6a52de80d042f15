package dev.arrowdevice.peers.operations

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.TypeId
import dev.arrowdevice.UnionType
import dev.arrowdevice.Validation
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.deviceArray
import dev.arrowdevice.peers.arbitrary.ArbitraryArrays
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.Layouts
import dev.arrowdevice.peers.arbitrary.Memory
import dev.arrowdevice.peers.arbitrary.comparable
import dev.arrowdevice.peers.arbitrary.valuesOf
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import kotlin.random.Random

/** An array with an offset of its own, of values of which some are null. */
internal fun <T : Any> sliced(
    type: ArrowType,
    values: List<T?>,
    filler: T,
): DeviceArray =
    deviceArray<T>(type) {
        repeat(OFFSET) { add(filler) }
        addAll(values)
    }.use { it.slice(OFFSET.toLong(), values.size.toLong()) }

private const val OFFSET = 3

/** A mask. Some are null; the share of those that are true is random. */
internal fun mask(
    random: Random,
    length: Int,
): List<Boolean?> {
    val density = random.nextInt(9)
    return List(length) { if (random.nextInt(12) == 0) null else random.nextInt(8) < density }
}

/** Indices into an array, of which some are null if that is allowed. */
internal fun indices(
    random: Random,
    length: Int,
    nullable: Boolean,
): List<Int?> {
    val count = if (length == 0 && !nullable) 0 else random.nextInt(2 * length + 3)
    val inOrder = random.nextInt(3) == 0
    return List(count) { i ->
        when {
            length == 0 || (nullable && random.nextInt(6) == 0) -> null
            inOrder -> i % length
            else -> random.nextInt(length)
        }
    }
}

/** The integer types whose indices reach every element of an array of up to 127 elements. */
internal val INDEX_TYPES =
    listOf(
        ArrowType.INT8,
        ArrowType.UINT8,
        ArrowType.INT16,
        ArrowType.UINT16,
        ArrowType.INT32,
        ArrowType.UINT32,
        ArrowType.INT64,
        ArrowType.UINT64,
    )

/** Whether a null index can make a null of this type. */
internal fun canBeNull(type: ArrowType): Boolean =
    when (val storage = type.storageType()) {
        is UnionType -> storage.fields().any { it.nullable() && canBeNull(it.type()) }
        is RunEndEncodedType -> storage.values().nullable() && canBeNull(storage.values().type())
        else -> true
    }

/** Whether the type has dictionary indices or run ends, which may be too narrow for many elements. */
internal fun isNarrow(type: ArrowType): Boolean =
    type.storageType().id() in setOf(TypeId.DICTIONARY, TypeId.RUN_END_ENCODED) ||
        type.storageType().children().any { isNarrow(it.type()) }

/** Checks each byte of an array, and that it has these values. */
internal fun DeviceArray.shouldHave(
    values: List<Any?>,
    what: String,
) {
    withClue(what) {
        OwnedArrays.of(data, ReferenceCounted.nothing(), null, Validation.FULL).close()
        valuesOf(this) shouldBe values
        nullsAreCounted(this)
    }
}

private fun nullsAreCounted(array: ArrayView) {
    val counted = array.data.validity?.let { array.length - array.toValidityArray().count { valid -> valid } } ?: return
    if (array.type.storageType().id() != TypeId.DICTIONARY) array.nullCount shouldBe counted
}

/** Each column of a random batch, with what it must read as. */
internal inline fun BatchShape.forEachColumn(action: (Field, ArrayView, List<Any?>) -> Unit) {
    val made = build()
    made.batch.use { batch ->
        schema.fields().forEachIndexed { i, field ->
            withClue("column $i of type ${field.type()}") { action(field, batch.column(i), made.values[i]) }
        }
    }
}

/** An array of a field with other content than that of the shape, and what it must read as. */
internal inline fun another(
    field: Field,
    rows: Int,
    action: (DeviceArray, List<Any?>) -> Unit,
) {
    val memory = Memory()
    val generated = ArbitraryArrays(Random(rows), memory, Layouts.UNUSUAL).array(field, rows)
    OwnedArrays.of(generated.data, memory.owner()).use { action(it, generated.values.map(::comparable)) }
}
