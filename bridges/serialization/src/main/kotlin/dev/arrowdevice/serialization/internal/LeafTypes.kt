package dev.arrowdevice.serialization.internal

import dev.arrowdevice.ArrowType
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TypeId
import dev.arrowdevice.serialization.DecimalDigits
import dev.arrowdevice.serialization.DictionaryEncoded
import dev.arrowdevice.serialization.FixedSize
import dev.arrowdevice.serialization.Resolution
import dev.arrowdevice.serialization.StoredAs
import dev.arrowdevice.serialization.Zone
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.SerialDescriptor

/** The Arrow type of a leaf, as annotations steer it. */
internal fun leafType(
    leaf: Leaf,
    resolved: Resolved,
    path: Path,
): ArrowType {
    val stored = resolved.mark<StoredAs>()?.value
    val type =
        try {
            if (stored == null) plainType(leaf, resolved, path) else typeOf(stored, resolved, path)
        } catch (e: IllegalArgumentException) {
            throw if (e is SerializationException) e else path.fail(e.message.orEmpty())
        }
    if (!leaf.writes(type) && !isTextIn(type, resolved.descriptor)) {
        throw path.fail("${leaf.text} can't be stored as $type")
    }
    val dictionary = resolved.mark<DictionaryEncoded>() ?: return type
    return ArrowType.dictionary(indexType(dictionary.index, path), type)
}

/** Whether a class whose serializer writes text can be stored as that. */
internal fun isTextIn(
    type: ArrowType,
    descriptor: SerialDescriptor,
): Boolean = descriptor.kind == PrimitiveKind.STRING && Leaf.isText(type)

internal fun indexType(
    id: TypeId,
    path: Path,
): ArrowType {
    if (!id.isInteger) throw path.fail("indices of a dictionary are integers, not $id")
    return PLAIN.getValue(id)
}

private fun plainType(
    leaf: Leaf,
    resolved: Resolved,
    path: Path,
): ArrowType =
    when (leaf) {
        Leaf.BOOLEAN -> {
            ArrowType.BOOL
        }

        Leaf.BYTE -> {
            ArrowType.INT8
        }

        Leaf.SHORT -> {
            ArrowType.INT16
        }

        Leaf.INT -> {
            ArrowType.INT32
        }

        Leaf.LONG -> {
            ArrowType.INT64
        }

        Leaf.UBYTE -> {
            ArrowType.UINT8
        }

        Leaf.USHORT -> {
            ArrowType.UINT16
        }

        Leaf.UINT -> {
            ArrowType.UINT32
        }

        Leaf.ULONG -> {
            ArrowType.UINT64
        }

        Leaf.FLOAT -> {
            ArrowType.FLOAT32
        }

        Leaf.DOUBLE -> {
            ArrowType.FLOAT64
        }

        Leaf.CHAR, Leaf.STRING -> {
            ArrowType.UTF8
        }

        Leaf.BYTES -> {
            resolved.mark<FixedSize>()?.let { ArrowType.fixedSizeBinary(it.value) } ?: ArrowType.BINARY
        }

        Leaf.DATE -> {
            ArrowType.DATE32
        }

        Leaf.TIME -> {
            timeType(unitOf(resolved))
        }

        Leaf.DATE_TIME -> {
            ArrowType.timestamp(unitOf(resolved))
        }

        Leaf.INSTANT, Leaf.KOTLIN_INSTANT, Leaf.OFFSET_DATE_TIME -> {
            ArrowType.timestamp(unitOf(resolved), resolved.mark<Zone>()?.value ?: "UTC")
        }

        Leaf.DURATION, Leaf.KOTLIN_DURATION -> {
            ArrowType.duration(unitOf(resolved))
        }

        Leaf.PERIOD -> {
            ArrowType.INTERVAL_MONTHS
        }

        Leaf.DECIMAL -> {
            decimalType(null, resolved, path)
        }

        Leaf.BIG_INTEGER -> {
            val digits = resolved.mark<DecimalDigits>()
            if (digits == null) ArrowType.decimal128(38, 0) else decimalType(null, resolved, path)
        }

        Leaf.UUID, Leaf.KOTLIN_UUID -> {
            ArrowType.uuid()
        }
    }

/** The type of an id that an annotation names. */
private fun typeOf(
    id: TypeId,
    resolved: Resolved,
    path: Path,
): ArrowType =
    PLAIN[id] ?: when (id) {
        TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128, TypeId.DECIMAL256 -> decimalType(id, resolved, path)
        TypeId.FIXED_SIZE_BINARY -> throw path.fail("@FixedSize says how many bytes")
        else -> throw path.fail("@StoredAs can't name $id, which has more to it")
    }

private fun unitOf(resolved: Resolved): TimeUnit = resolved.mark<Resolution>()?.unit ?: TimeUnit.NANOSECOND

private fun timeType(unit: TimeUnit): ArrowType =
    if (unit == TimeUnit.SECOND || unit == TimeUnit.MILLISECOND) ArrowType.time32(unit) else ArrowType.time64(unit)

private fun decimalType(
    id: TypeId?,
    resolved: Resolved,
    path: Path,
): ArrowType {
    val digits =
        resolved.mark<DecimalDigits>()
            ?: throw path.fail("how many digits? Add @DecimalDigits(precision = 18, scale = 2), or the like")
    return when (id ?: if (digits.precision > 38) TypeId.DECIMAL256 else TypeId.DECIMAL128) {
        TypeId.DECIMAL32 -> ArrowType.decimal32(digits.precision, digits.scale)
        TypeId.DECIMAL64 -> ArrowType.decimal64(digits.precision, digits.scale)
        TypeId.DECIMAL128 -> ArrowType.decimal128(digits.precision, digits.scale)
        else -> ArrowType.decimal256(digits.precision, digits.scale)
    }
}

/** The types without parameters. */
private val PLAIN: Map<TypeId, ArrowType> =
    listOf(
        ArrowType.BOOL,
        ArrowType.INT8,
        ArrowType.INT16,
        ArrowType.INT32,
        ArrowType.INT64,
        ArrowType.UINT8,
        ArrowType.UINT16,
        ArrowType.UINT32,
        ArrowType.UINT64,
        ArrowType.FLOAT16,
        ArrowType.FLOAT32,
        ArrowType.FLOAT64,
        ArrowType.UTF8,
        ArrowType.LARGE_UTF8,
        ArrowType.UTF8_VIEW,
        ArrowType.BINARY,
        ArrowType.LARGE_BINARY,
        ArrowType.BINARY_VIEW,
        ArrowType.DATE32,
        ArrowType.DATE64,
        ArrowType.INTERVAL_MONTHS,
    ).associateBy { it.id() }
