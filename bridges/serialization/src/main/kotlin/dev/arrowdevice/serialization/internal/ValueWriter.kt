@file:OptIn(ExperimentalSerializationApi::class)

package dev.arrowdevice.serialization.internal

import dev.arrowdevice.builder.ArrayBuilder
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerializationException
import kotlinx.serialization.SerializationStrategy
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.CompositeEncoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.modules.SerializersModule

/** Appends the values of one property to one builder. What a subclass does not override it does not take. */
internal abstract class ValueWriter(
    val builder: ArrayBuilder,
    final override val serializersModule: SerializersModule,
) : Encoder {
    /** Appends a value, or what stands for it as its serializer says. */
    open fun <T> write(
        serializer: SerializationStrategy<T>,
        value: T,
    ) {
        serializer.serialize(this, value)
    }

    /** The properties within this one that a value was appended to last, for messages; empty if there are none. */
    open fun place(): String = ""

    override fun <T> encodeSerializableValue(
        serializer: SerializationStrategy<T>,
        value: T,
    ) {
        write(serializer, value)
    }

    override fun encodeNull() {
        builder.appendNull()
    }

    override fun encodeInline(descriptor: SerialDescriptor): Encoder = this

    override fun beginStructure(descriptor: SerialDescriptor): CompositeEncoder = throw unfit("an object")

    override fun encodeBoolean(value: Boolean): Unit = throw unfit("a Boolean")

    override fun encodeByte(value: Byte): Unit = throw unfit("a Byte")

    override fun encodeShort(value: Short): Unit = throw unfit("a Short")

    override fun encodeInt(value: Int): Unit = throw unfit("an Int")

    override fun encodeLong(value: Long): Unit = throw unfit("a Long")

    override fun encodeFloat(value: Float): Unit = throw unfit("a Float")

    override fun encodeDouble(value: Double): Unit = throw unfit("a Double")

    override fun encodeChar(value: Char): Unit = throw unfit("a Char")

    override fun encodeString(value: String): Unit = throw unfit("a String")

    override fun encodeEnum(
        enumDescriptor: SerialDescriptor,
        index: Int,
    ): Unit = throw unfit("an enum")

    /** The serializer writes something else than its descriptor says. */
    private fun unfit(what: String) =
        SerializationException("the serializer writes $what, which its descriptor does not say, to ${builder.type}")
}

/** A composite whose elements each have a writer. */
internal abstract class PartsWriter(
    builder: ArrayBuilder,
    module: SerializersModule,
) : ValueWriter(builder, module),
    CompositeEncoder {
    /** The writer of an element. */
    abstract fun part(index: Int): ValueWriter

    override fun endStructure(descriptor: SerialDescriptor) {}

    final override fun shouldEncodeElementDefault(
        descriptor: SerialDescriptor,
        index: Int,
    ): Boolean = true

    override fun encodeBooleanElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Boolean,
    ) {
        part(index).encodeBoolean(value)
    }

    override fun encodeByteElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Byte,
    ) {
        part(index).encodeByte(value)
    }

    override fun encodeShortElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Short,
    ) {
        part(index).encodeShort(value)
    }

    override fun encodeIntElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Int,
    ) {
        part(index).encodeInt(value)
    }

    override fun encodeLongElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Long,
    ) {
        part(index).encodeLong(value)
    }

    override fun encodeFloatElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Float,
    ) {
        part(index).encodeFloat(value)
    }

    override fun encodeDoubleElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Double,
    ) {
        part(index).encodeDouble(value)
    }

    override fun encodeCharElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: Char,
    ) {
        part(index).encodeChar(value)
    }

    override fun encodeStringElement(
        descriptor: SerialDescriptor,
        index: Int,
        value: String,
    ) {
        part(index).encodeString(value)
    }

    override fun encodeInlineElement(
        descriptor: SerialDescriptor,
        index: Int,
    ): Encoder = part(index)

    override fun <T> encodeSerializableElement(
        descriptor: SerialDescriptor,
        index: Int,
        serializer: SerializationStrategy<T>,
        value: T,
    ) {
        val part = part(index)
        try {
            part.write(serializer, value)
        } catch (e: NullPointerException) {
            // Java lets nulls into collections of values that are none. There are serializers that take them.
            throw if (value == null) SerializationException("the value is null, and may not be", e) else e
        }
    }

    override fun <T : Any> encodeNullableSerializableElement(
        descriptor: SerialDescriptor,
        index: Int,
        serializer: SerializationStrategy<T>,
        value: T?,
    ) {
        val part = part(index)
        if (value == null) part.encodeNull() else part.write(serializer, value)
    }
}
