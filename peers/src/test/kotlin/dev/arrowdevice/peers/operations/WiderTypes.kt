package dev.arrowdevice.peers.operations

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DecimalType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.Field
import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.ListType
import dev.arrowdevice.MapType
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.StructType
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TypeId
import dev.arrowdevice.UnionType
import kotlin.random.Random

private val INTEGERS =
    mapOf(
        ArrowType.INT8 to listOf(ArrowType.INT16, ArrowType.INT32, ArrowType.INT64, ArrowType.FLOAT16),
        ArrowType.UINT8 to listOf(ArrowType.INT16, ArrowType.UINT16, ArrowType.UINT64, ArrowType.FLOAT16),
        ArrowType.INT16 to listOf(ArrowType.INT32, ArrowType.INT64, ArrowType.FLOAT32),
        ArrowType.UINT16 to listOf(ArrowType.INT32, ArrowType.UINT32, ArrowType.FLOAT32, ArrowType.FLOAT64),
        ArrowType.INT32 to listOf(ArrowType.INT64, ArrowType.FLOAT64, ArrowType.decimal64(12, 2)),
        ArrowType.UINT32 to listOf(ArrowType.INT64, ArrowType.UINT64, ArrowType.FLOAT64, ArrowType.decimal128(30, 20)),
        ArrowType.INT64 to listOf(ArrowType.decimal128(38, 19), ArrowType.decimal256(40, 3)),
        ArrowType.UINT64 to listOf(ArrowType.decimal128(20, 0), ArrowType.decimal256(60, 40)),
    )

private val LEAVES =
    INTEGERS +
        mapOf(
            ArrowType.FLOAT16 to listOf(ArrowType.FLOAT32, ArrowType.FLOAT64),
            ArrowType.FLOAT32 to listOf(ArrowType.FLOAT64),
            ArrowType.DATE32 to listOf(ArrowType.DATE64),
            ArrowType.UTF8 to
                listOf(ArrowType.LARGE_UTF8, ArrowType.UTF8_VIEW, ArrowType.BINARY, ArrowType.BINARY_VIEW),
            ArrowType.LARGE_UTF8 to listOf(ArrowType.LARGE_BINARY),
            ArrowType.UTF8_VIEW to listOf(ArrowType.BINARY_VIEW),
            ArrowType.BINARY to listOf(ArrowType.LARGE_BINARY, ArrowType.BINARY_VIEW),
        )

/** A random type that has each value of this one, also within it; this one itself where there is none. */
internal fun wider(
    type: ArrowType,
    random: Random,
): ArrowType {
    fun field(field: Field): Field = field.withType(wider(field.type(), random))
    return when (type) {
        is ExtensionType -> if (type.name() == "test.unknown") wider(type.storageType(), random) else type
        is DecimalType -> widerDecimal(type, random)
        is ListType -> ListType(listId(type.id(), random), field(type.element()))
        is FixedSizeListType -> FixedSizeListType(field(type.element()), type.listSize())
        is MapType -> MapType(field(type.entries()), false)
        is StructType -> StructType(type.fields().map(::field))
        is UnionType -> UnionType(type.id(), type.typeIds(), type.fields().map(::field))
        is RunEndEncodedType -> widerRuns(type, ::field)
        is DictionaryType -> widerDictionary(type, random)
        else -> if (type.id() == TypeId.TIME32) ArrowType.time64(unit(random)) else LEAVES[type]?.random(random) ?: type
    }
}

private fun unit(random: Random) = listOf(TimeUnit.MICROSECOND, TimeUnit.NANOSECOND).random(random)

private fun listId(
    id: TypeId,
    random: Random,
): TypeId =
    when {
        random.nextBoolean() -> id
        id == TypeId.LIST -> TypeId.LARGE_LIST
        id == TypeId.LIST_VIEW -> TypeId.LARGE_LIST_VIEW
        else -> id
    }

private fun widerDecimal(
    type: DecimalType,
    random: Random,
): DecimalType {
    val id =
        listOf(TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128, TypeId.DECIMAL256)
            .filter { it >= type.id() }
            .random(random)
    val most = mapOf(TypeId.DECIMAL32 to 9, TypeId.DECIMAL64 to 18, TypeId.DECIMAL128 to 38).getOrDefault(id, 76)
    val added = random.nextInt(most - type.precision() + 1)
    return DecimalType(id, type.precision() + added, type.scale() + random.nextInt(added + 1))
}

private fun widerRuns(
    type: RunEndEncodedType,
    field: (Field) -> Field,
): RunEndEncodedType {
    val ends = if (type.runEnds().type() == ArrowType.INT16) ArrowType.INT32 else ArrowType.INT64
    return RunEndEncodedType(type.runEnds().withType(ends), field(type.values()))
}

private fun widerDictionary(
    type: DictionaryType,
    random: Random,
): DictionaryType {
    val indices = INTEGERS.getValue(type.indexType()).filter { it.id().isInteger }
    val index = (indices + type.indexType()).random(random)
    return DictionaryType(index, wider(type.valueType(), random), type.ordered() && random.nextBoolean())
}
