package dev.arrowdevice.peers

import dev.arrowdevice.ArrayReader
import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DecimalType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.TypeId
import dev.arrowdevice.UnionType
import java.util.HexFormat

/** All values of an array, read through the SDK's getters, in the form of the C peer's own decoder. */
fun ArrayView.canonical(): String =
    borrow { reader ->
        StringBuilder().apply { range(reader, 0, reader.length) }.toString()
    }

private fun StringBuilder.range(
    reader: ArrayReader,
    from: Long,
    count: Long,
) {
    append('[')
    for (i in 0 until count) {
        if (i > 0) append(',')
        value(reader, from + i)
    }
    append(']')
}

private fun StringBuilder.value(
    reader: ArrayReader,
    index: Long,
) {
    val storage = reader.type.storageType()
    when {
        // Unions and runs are never null themselves, their children may be.
        storage is UnionType -> union(reader, storage, index)

        storage is RunEndEncodedType -> value(reader.child(1), reader.runIndex(index))

        reader.isNull(index) -> append("null")

        storage is DictionaryType -> value(reader.dictionary, reader.dictionaryIndex(index))

        else -> valid(reader, storage, index)
    }
}

private fun StringBuilder.valid(
    reader: ArrayReader,
    type: ArrowType,
    index: Long,
) {
    when (type.id()) {
        TypeId.BOOL -> {
            append(reader.getBoolean(index))
        }

        TypeId.UINT8, TypeId.UINT16, TypeId.UINT32, TypeId.UINT64 -> {
            append(reader.getObject(index))
        }

        TypeId.FLOAT16 -> {
            append("f2:").append("%04x".format(java.lang.Float.floatToFloat16(reader.getFloat(index))))
        }

        TypeId.FLOAT32 -> {
            append("f4:").append("%08x".format(reader.getFloat(index).toRawBits()))
        }

        TypeId.FLOAT64 -> {
            append("f8:").append("%016x".format(reader.getDouble(index).toRawBits()))
        }

        TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128, TypeId.DECIMAL256 -> {
            append(reader.getDecimal(index).unscaledValue()).append('e').append(-(type as DecimalType).scale())
        }

        TypeId.UTF8, TypeId.LARGE_UTF8, TypeId.UTF8_VIEW -> {
            quoted(reader.getString(index))
        }

        TypeId.BINARY, TypeId.LARGE_BINARY, TypeId.BINARY_VIEW, TypeId.FIXED_SIZE_BINARY -> {
            append("x'").append(HexFormat.of().formatHex(reader.getBytes(index))).append('\'')
        }

        TypeId.INTERVAL_DAY_TIME, TypeId.INTERVAL_MONTH_DAY_NANO -> {
            interval(reader.getObject(index)!!)
        }

        TypeId.LIST, TypeId.LARGE_LIST, TypeId.LIST_VIEW, TypeId.LARGE_LIST_VIEW, TypeId.FIXED_SIZE_LIST -> {
            range(reader.child(0), reader.listStart(index), reader.listSize(index))
        }

        TypeId.STRUCT -> {
            struct(reader, type, index)
        }

        TypeId.MAP -> {
            map(reader, index)
        }

        else -> {
            append(reader.getLong(index))
        }
    }
}

private fun StringBuilder.interval(value: Any) {
    when (value) {
        is dev.arrowdevice.DayTimeInterval -> {
            append("${value.days()}d${value.milliseconds()}ms")
        }

        is dev.arrowdevice.MonthDayNanoInterval -> {
            append(
                "${value.months()}m${value.days()}d${value.nanoseconds()}ns",
            )
        }

        else -> {
            error("no interval: $value")
        }
    }
}

private fun StringBuilder.struct(
    reader: ArrayReader,
    type: ArrowType,
    index: Long,
) {
    append('{')
    type.children().forEachIndexed { i, field ->
        if (i > 0) append(',')
        quoted(field.name())
        append(':')
        value(reader.child(i), index)
    }
    append('}')
}

private fun StringBuilder.map(
    reader: ArrayReader,
    index: Long,
) {
    val entries = reader.child(0)
    val start = reader.listStart(index)
    append('<')
    for (i in start until start + reader.listSize(index)) {
        if (i > start) append(',')
        value(entries.child(0), i)
        append(':')
        value(entries.child(1), i)
    }
    append('>')
}

private fun StringBuilder.union(
    reader: ArrayReader,
    type: UnionType,
    index: Long,
) {
    val child = reader.unionChild(index)
    append('(').append(type.typeIds()[child]).append(':')
    value(reader.child(child), reader.unionOffset(index))
    append(')')
}

private fun StringBuilder.quoted(text: String) {
    append('"').append(text.replace("\\", "\\\\").replace("\"", "\\\"")).append('"')
}
