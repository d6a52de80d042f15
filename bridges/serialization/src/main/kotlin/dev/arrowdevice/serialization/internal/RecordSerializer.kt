@file:OptIn(ExperimentalSerializationApi::class, InternalSerializationApi::class)

package dev.arrowdevice.serialization.internal

import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.InternalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PolymorphicKind
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.SerialKind
import kotlinx.serialization.descriptors.buildClassSerialDescriptor
import kotlinx.serialization.descriptors.buildSerialDescriptor
import kotlinx.serialization.encoding.CompositeDecoder
import kotlinx.serialization.encoding.CompositeEncoder
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import java.lang.invoke.MethodHandle
import java.lang.invoke.MethodHandles
import java.lang.invoke.MethodType

/** A component of a record: how it is read of a record, and its serializer. */
internal class Component(
    val name: String,
    val type: Class<*>,
    val nullable: Boolean,
    val annotations: List<Annotation>,
    val handle: ComponentHandle,
    val serializer: KSerializer<Any>,
)

/** A Java record as if it were a class of kotlinx.serialization. */
internal class RecordSerializer(
    private val type: Class<*>,
    name: String,
    private val components: Array<Component>,
) : KSerializer<Any> {
    private val constructor = constructorOf(type)

    override val descriptor: SerialDescriptor =
        buildClassSerialDescriptor(name) {
            for (component in components) {
                element(component.name, component.serializer.descriptor, component.annotations)
            }
        }

    override fun serialize(
        encoder: Encoder,
        value: Any,
    ) {
        val out = encoder.beginStructure(descriptor)
        for (i in components.indices) write(out, i, components[i], value)
        out.endStructure(descriptor)
    }

    private fun write(
        out: CompositeEncoder,
        index: Int,
        component: Component,
        row: Any,
    ) {
        val handle = component.handle
        when (component.type) {
            Long::class.java -> {
                out.encodeLongElement(descriptor, index, handle.getLong(row))
            }

            Int::class.java -> {
                out.encodeIntElement(descriptor, index, handle.getInt(row))
            }

            Double::class.java -> {
                out.encodeDoubleElement(descriptor, index, handle.getDouble(row))
            }

            Boolean::class.java -> {
                out.encodeBooleanElement(descriptor, index, handle.getBoolean(row))
            }

            Float::class.java -> {
                out.encodeFloatElement(descriptor, index, handle.getFloat(row))
            }

            Short::class.java -> {
                out.encodeShortElement(descriptor, index, handle.getShort(row))
            }

            Byte::class.java -> {
                out.encodeByteElement(descriptor, index, handle.getByte(row))
            }

            Char::class.java -> {
                out.encodeCharElement(descriptor, index, handle.getChar(row))
            }

            else -> {
                val value = handle.getObject(row)
                if (value == null && !component.nullable) {
                    throw SerializationException("${component.name} is null, and the component is not nullable")
                }
                out.encodeNullableSerializableElement(descriptor, index, component.serializer, value)
            }
        }
    }

    override fun deserialize(decoder: Decoder): Any {
        val input = decoder.beginStructure(descriptor)
        val values = arrayOfNulls<Any>(components.size)
        for (i in components.indices) {
            val component = components[i]
            values[i] =
                if (component.nullable) {
                    input.decodeNullableSerializableElement(descriptor, i, component.serializer)
                } else {
                    input.decodeSerializableElement(descriptor, i, component.serializer)
                }
        }
        input.endStructure(descriptor)
        return constructor.invoke(values)
    }

    private companion object {
        /** The canonical constructor, of an array of all components. */
        fun constructorOf(type: Class<*>): MethodHandle {
            val types = type.recordComponents.map { it.type }.toTypedArray()
            val constructor = type.getDeclaredConstructor(*types).apply { trySetAccessible() }
            return MethodHandles
                .lookup()
                .unreflectConstructor(constructor)
                .asSpreader(Array<Any>::class.java, types.size)
                .asType(MethodType.methodType(Any::class.java, Array<Any>::class.java))
        }
    }
}

/** An enum of Java, by the names of its constants. */
internal class EnumConstantSerializer(
    type: Class<*>,
) : KSerializer<Any> {
    private val constants = type.enumConstants.map { it as Enum<*> }

    override val descriptor: SerialDescriptor =
        buildSerialDescriptor(type.name, SerialKind.ENUM) {
            for (constant in constants) {
                element(constant.name, buildSerialDescriptor("${type.name}.${constant.name}", SerialKind.ENUM))
            }
        }

    override fun serialize(
        encoder: Encoder,
        value: Any,
    ) {
        encoder.encodeEnum(descriptor, (value as Enum<*>).ordinal)
    }

    override fun deserialize(decoder: Decoder): Any = constants[decoder.decodeEnum(descriptor)]
}

/** A sealed interface of records, in the protocol of kotlinx.serialization's sealed classes. */
internal class SealedRecordsSerializer(
    type: Class<*>,
    private val records: Map<Class<*>, KSerializer<Any>>,
    annotations: List<Annotation>,
) : KSerializer<Any> {
    private val byName = records.values.associateBy { it.descriptor.serialName }

    override val descriptor: SerialDescriptor =
        buildSerialDescriptor(type.name, PolymorphicKind.SEALED) {
            this.annotations = annotations
            element("type", buildSerialDescriptor("kotlin.String", PrimitiveKind.STRING))
            element(
                "value",
                buildSerialDescriptor("${type.name}.value", SerialKind.CONTEXTUAL) {
                    for (record in records.values) element(record.descriptor.serialName, record.descriptor)
                },
            )
        }

    override fun serialize(
        encoder: Encoder,
        value: Any,
    ) {
        val serializer = records.getValue(value.javaClass)
        val out = encoder.beginStructure(descriptor)
        out.encodeStringElement(descriptor, 0, serializer.descriptor.serialName)
        out.encodeSerializableElement(descriptor, 1, serializer, value)
        out.endStructure(descriptor)
    }

    override fun deserialize(decoder: Decoder): Any {
        val input: CompositeDecoder = decoder.beginStructure(descriptor)
        val name = input.decodeStringElement(descriptor, 0)
        val serializer =
            byName[name] ?: throw SerializationException("\"$name\" is no record of ${descriptor.serialName}")
        val value = input.decodeSerializableElement(descriptor, 1, serializer)
        input.endStructure(descriptor)
        return value
    }
}
