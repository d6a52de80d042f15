@file:OptIn(ExperimentalSerializationApi::class)

package dev.arrowdevice.serialization.internal

import dev.arrowdevice.ArrayReader
import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.CompositeDecoder
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.modules.SerializersModule

/** Reads the values of one property from one array. What a subclass does not override it does not have. */
internal abstract class ValueSource(
    val reader: ArrayReader,
    final override val serializersModule: SerializersModule,
) : Decoder {
    /** The index of the value that is read next. */
    @JvmField
    var row: Long = 0

    /** Reads a value as its deserializer says. */
    open fun <T> read(deserializer: DeserializationStrategy<T>): T = deserializer.deserialize(this)

    /** The properties within this one that a value was read of last, for messages; empty if there are none. */
    open fun place(): String = ""

    /** The source of that property. */
    open fun last(): ValueSource = this

    /** The error of a value that is null where the property is not nullable, or of one out of range. */
    protected fun failed(what: String) = SerializationException(what)

    protected fun nullValue() = failed(NULL)

    /** What is wrong, if it is that the value that was read last is null. */
    fun nullText(): String? =
        try {
            if (reader.isNull(row)) NULL else null
        } catch (_: RuntimeException) {
            null // Malformed data, as the first failure says.
        }

    override fun <T> decodeSerializableValue(deserializer: DeserializationStrategy<T>): T = read(deserializer)

    override fun decodeNotNullMark(): Boolean = !reader.isNull(row)

    override fun decodeNull(): Nothing? = null

    override fun decodeInline(descriptor: SerialDescriptor): Decoder = this

    override fun beginStructure(descriptor: SerialDescriptor): CompositeDecoder = throw unfit("an object")

    override fun decodeBoolean(): Boolean = throw unfit("a Boolean")

    override fun decodeByte(): Byte = throw unfit("a Byte")

    override fun decodeShort(): Short = throw unfit("a Short")

    override fun decodeInt(): Int = throw unfit("an Int")

    override fun decodeLong(): Long = throw unfit("a Long")

    override fun decodeFloat(): Float = throw unfit("a Float")

    override fun decodeDouble(): Double = throw unfit("a Double")

    override fun decodeChar(): Char = throw unfit("a Char")

    override fun decodeString(): String = throw unfit("a String")

    override fun decodeEnum(enumDescriptor: SerialDescriptor): Int = throw unfit("an enum")

    private fun unfit(what: String) =
        failed("the serializer reads $what, which its descriptor does not say, from ${reader.type}")

    private companion object {
        const val NULL = "the value is null, and the property is not nullable"
    }
}

/** A composite whose elements each have a source. */
internal abstract class PartsSource(
    reader: ArrayReader,
    module: SerializersModule,
) : ValueSource(reader, module),
    CompositeDecoder {
    /** The source of an element, at its value. */
    abstract fun part(index: Int): ValueSource

    override fun endStructure(descriptor: SerialDescriptor) {}

    override fun decodeSequentially(): Boolean = true

    override fun decodeElementIndex(descriptor: SerialDescriptor): Int = CompositeDecoder.DECODE_DONE

    override fun decodeBooleanElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Boolean = part(index).decodeBoolean()

    override fun decodeByteElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Byte = part(index).decodeByte()

    override fun decodeShortElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Short = part(index).decodeShort()

    override fun decodeIntElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Int = part(index).decodeInt()

    override fun decodeLongElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Long = part(index).decodeLong()

    override fun decodeFloatElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Float = part(index).decodeFloat()

    override fun decodeDoubleElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Double = part(index).decodeDouble()

    override fun decodeCharElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Char = part(index).decodeChar()

    override fun decodeStringElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): String = part(index).decodeString()

    override fun decodeInlineElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Decoder = part(index)

    override fun <T> decodeSerializableElement(
        descriptor: SerialDescriptor,
        index: Int,
        deserializer: DeserializationStrategy<T>,
        previousValue: T?,
    ): T = part(index).read(deserializer)

    override fun <T : Any> decodeNullableSerializableElement(
        descriptor: SerialDescriptor,
        index: Int,
        deserializer: DeserializationStrategy<T?>,
        previousValue: T?,
    ): T? {
        val part = part(index)
        return if (part.decodeNotNullMark()) part.read(deserializer) else null
    }
}
