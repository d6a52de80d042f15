@file:OptIn(ExperimentalUuidApi::class)

package dev.arrowdevice.serialization.internal

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.builder.ArrayBuilder
import kotlinx.serialization.SerializationStrategy
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.modules.SerializersModule
import java.math.BigDecimal
import java.math.BigInteger
import kotlin.time.toJavaDuration
import kotlin.time.toJavaInstant
import kotlin.uuid.ExperimentalUuidApi
import kotlin.uuid.Uuid
import kotlin.uuid.toJavaUuid

/** Values that a builder takes as they are. */
internal class PlainWriter(
    builder: ArrayBuilder,
    module: SerializersModule,
) : ValueWriter(builder, module) {
    override fun encodeBoolean(value: Boolean) {
        builder.append(value)
    }

    override fun encodeByte(value: Byte) {
        builder.append(value.toInt())
    }

    override fun encodeShort(value: Short) {
        builder.append(value.toInt())
    }

    override fun encodeInt(value: Int) {
        builder.append(value)
    }

    override fun encodeLong(value: Long) {
        builder.append(value)
    }

    override fun encodeFloat(value: Float) {
        builder.append(value)
    }

    override fun encodeDouble(value: Double) {
        builder.append(value)
    }

    override fun encodeChar(value: Char) {
        builder.append(value.toString() as Any)
    }

    override fun encodeString(value: String) {
        builder.append(value as Any)
    }
}

/** Unsigned integers, which serializers write as the bits of signed ones. */
internal class UnsignedWriter(
    builder: ArrayBuilder,
    module: SerializersModule,
) : ValueWriter(builder, module) {
    override fun encodeByte(value: Byte) {
        builder.append(value.toInt() and 0xFF)
    }

    override fun encodeShort(value: Short) {
        builder.append(value.toInt() and 0xFFFF)
    }

    override fun encodeInt(value: Int) {
        builder.append(value.toLong() and 0xFFFF_FFFFL)
    }

    override fun encodeLong(value: Long) {
        builder.appendUnsigned(value)
    }
}

/** Values whose class a builder takes. */
internal class ObjectWriter(
    builder: ArrayBuilder,
    module: SerializersModule,
) : ValueWriter(builder, module) {
    override fun <T> write(
        serializer: SerializationStrategy<T>,
        value: T,
    ) {
        when (value) {
            is java.time.temporal.Temporal,
            is java.time.temporal.TemporalAmount,
            is BigDecimal,
            is BigInteger,
            is java.util.UUID,
            is ByteArray,
            -> builder.append(value as Any)

            is kotlin.time.Instant -> builder.append(value.toJavaInstant() as Any)

            is kotlin.time.Duration -> builder.append(value.toJavaDuration() as Any)

            is Uuid -> builder.append(value.toJavaUuid() as Any)

            // A value class around one of these, or a null.
            else -> super.write(serializer, value)
        }
    }
}

/** Names of enum constants. */
internal class EnumWriter(
    private val names: Array<String>,
    builder: ArrayBuilder,
    module: SerializersModule,
) : ValueWriter(builder, module) {
    private val indexed = NamesInDictionary.use(names, builder)

    override fun encodeEnum(
        enumDescriptor: SerialDescriptor,
        index: Int,
    ) {
        encodeIndex(index)
    }

    /** Appends the name of an index. */
    fun encodeIndex(index: Int) {
        if (indexed) builder.appendIndex(index.toLong()) else builder.append(names[index] as Any)
    }
}

/** Dictionaries of all names, known or not yet seen, so that all batches of a flow have the same. */
internal object NamesInDictionary {
    /** Puts the names in the dictionary of a builder. Returns whether an index of them is one of it. */
    fun use(
        names: Array<String>,
        builder: ArrayBuilder,
    ): Boolean {
        val type: ArrowType = builder.type
        if (type !is DictionaryType || !Leaf.isText(type.valueType()) ||
            type.valueType() is DictionaryType
        ) {
            return false
        }
        if (names.isEmpty() || names.size - 1L > largest(type)) return false
        ArrayBuilder.of(type.valueType()).use { values ->
            for (name in names) values.append(name as Any)
            values.finish().use { builder.useDictionary(it) }
        }
        return true
    }

    private fun largest(type: DictionaryType): Long =
        when (type.indexType()) {
            ArrowType.INT8 -> Byte.MAX_VALUE.toLong()
            ArrowType.UINT8 -> UByte.MAX_VALUE.toLong()
            ArrowType.INT16 -> Short.MAX_VALUE.toLong()
            ArrowType.UINT16 -> UShort.MAX_VALUE.toLong()
            else -> Int.MAX_VALUE.toLong()
        }
}
