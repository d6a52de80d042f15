package dev.arrowdevice.serialization.internal

import dev.arrowdevice.ArrayReader
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.TypeId
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.modules.SerializersModule

/** Values that a reader has as they are. */
internal open class PlainSource(
    reader: ArrayReader,
    module: SerializersModule,
) : ValueSource(reader, module) {
    override fun decodeBoolean(): Boolean = reader.getBoolean(row)

    override fun decodeByte(): Byte = reader.getByte(row)

    override fun decodeShort(): Short = reader.getShort(row)

    override fun decodeInt(): Int = reader.getInt(row)

    override fun decodeLong(): Long = reader.getLong(row)

    override fun decodeFloat(): Float = reader.getFloat(row)

    override fun decodeDouble(): Double = reader.getDouble(row)

    override fun decodeString(): String = reader.getString(row)

    final override fun decodeChar(): Char {
        val text = decodeString()
        if (text.length != 1) throw failed("a text of length ${text.length} where a Char is expected")
        return text[0]
    }
}

/** Booleans of `arrow.bool8`, a byte each. */
internal class ByteBooleanSource(
    reader: ArrayReader,
    module: SerializersModule,
) : ValueSource(reader, module) {
    override fun decodeBoolean(): Boolean = reader.getByte(row) != 0.toByte()
}

/** Integers of an array that holds more of them than the property does. */
internal class CheckedSource(
    private val leaf: Leaf,
    reader: ArrayReader,
    module: SerializersModule,
) : ValueSource(reader, module) {
    private val isUnsigned64 = Leaf.valuesOf(reader.type).storageType().id() == TypeId.UINT64

    override fun decodeByte(): Byte = within(Byte.MIN_VALUE.toLong(), Byte.MAX_VALUE.toLong()).toByte()

    override fun decodeShort(): Short = within(Short.MIN_VALUE.toLong(), Short.MAX_VALUE.toLong()).toShort()

    override fun decodeInt(): Int = within(Int.MIN_VALUE.toLong(), Int.MAX_VALUE.toLong()).toInt()

    override fun decodeLong(): Long = within(Long.MIN_VALUE, Long.MAX_VALUE)

    private fun within(
        min: Long,
        max: Long,
    ): Long {
        val value = reader.getLong(row)
        if (value < min || value > max || (isUnsigned64 && value < 0)) throw outOfRange(value)
        return value
    }

    private fun outOfRange(value: Long) =
        failed("${if (isUnsigned64) value.toULong() else value} is no value of ${leaf.text.substringAfter(' ')}")
}

/** Unsigned integers, which deserializers read as the bits of signed ones. */
internal class UnsignedSource(
    private val leaf: Leaf,
    reader: ArrayReader,
    module: SerializersModule,
) : ValueSource(reader, module) {
    private val isUnsigned64 = Leaf.valuesOf(reader.type).storageType().id() == TypeId.UINT64

    override fun decodeByte(): Byte = atMost(0xFF).toByte()

    override fun decodeShort(): Short = atMost(0xFFFF).toShort()

    override fun decodeInt(): Int = atMost(0xFFFF_FFFFL).toInt()

    override fun decodeLong(): Long = if (isUnsigned64) reader.getLong(row) else atMost(Long.MAX_VALUE)

    private fun atMost(max: Long): Long {
        val value = reader.getLong(row)
        if (value < 0 || value > max) {
            throw failed(
                "${if (isUnsigned64) value.toULong() else value} is no value of ${leaf.text.substringAfter(' ')}",
            )
        }
        return value
    }
}

/** Texts of a dictionary, of which each is made once. */
internal class DictionaryTextSource(
    reader: ArrayReader,
    module: SerializersModule,
) : PlainSource(reader, module) {
    private val dictionary = reader.dictionary
    private val texts = arrayOfNulls<String>(dictionary.length.toInt())

    override fun decodeString(): String {
        if (reader.isNull(row)) throw nullValue()
        val index = reader.dictionaryIndex(row).toInt()
        return texts[index] ?: dictionary.getString(index.toLong()).also { texts[index] = it }
    }

    companion object {
        /** Whether an array has a dictionary of few enough texts. */
        fun fits(reader: ArrayReader): Boolean {
            val type = reader.type as? DictionaryType ?: return false
            return Leaf.isText(type.valueType()) && type.valueType() !is DictionaryType &&
                reader.dictionary.length <= maxOf(reader.length, FEW)
        }

        private const val FEW = 128L
    }
}

/** Names of enum constants. */
internal class EnumSource(
    private val names: ValueSource,
    descriptor: SerialDescriptor,
) : ValueSource(names.reader, names.serializersModule) {
    private val enumName = Path.nameOf(descriptor)
    private val ordinals =
        HashMap<String, Int>().also { map ->
            for (i in 0 until descriptor.elementsCount) map[descriptor.getElementName(i)] = i
        }

    override fun decodeEnum(enumDescriptor: SerialDescriptor): Int {
        names.row = row
        val name = names.decodeString()
        return ordinals[name] ?: throw failed("\"$name\" is no constant of $enumName")
    }
}

/** A property without a column, which is null. */
internal class NullSource(
    reader: ArrayReader,
    module: SerializersModule,
) : ValueSource(reader, module) {
    override fun decodeNotNullMark(): Boolean = false
}
