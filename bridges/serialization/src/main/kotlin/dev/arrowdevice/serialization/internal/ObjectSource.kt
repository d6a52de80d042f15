@file:OptIn(ExperimentalUuidApi::class)

package dev.arrowdevice.serialization.internal

import dev.arrowdevice.ArrayReader
import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.modules.SerializersModule
import java.math.BigDecimal
import java.math.BigInteger
import java.time.Instant
import java.time.ZoneOffset
import java.util.UUID
import kotlin.time.toKotlinDuration
import kotlin.time.toKotlinInstant
import kotlin.uuid.ExperimentalUuidApi
import kotlin.uuid.toKotlinUuid

/** Values that are read as objects, past the deserializers of their classes. */
internal class ObjectSource(
    private val leaf: Leaf,
    reader: ArrayReader,
    module: SerializersModule,
) : ValueSource(reader, module) {
    /** The deserializer that was last found to be of these objects, so that few names are compared. */
    private var direct: DeserializationStrategy<*>? = null

    override fun <T> read(deserializer: DeserializationStrategy<T>): T {
        if (deserializer !== direct) {
            val descriptor = deserializer.descriptor
            // A value class around the object, a contextual or nullable serializer; these come back with the object's own.
            if (descriptor.isInline || descriptor.isNullable || Leaf.of(descriptor) != leaf) {
                return deserializer.deserialize(this)
            }
            direct = deserializer
        }
        // The name of the serializer says the class.
        @Suppress("UNCHECKED_CAST")
        return value() as T
    }

    private fun value(): Any {
        if (leaf == Leaf.BYTES) return reader.getBytes(row)
        val value = reader.getObject(row) ?: throw nullValue()
        return when (leaf) {
            Leaf.KOTLIN_INSTANT -> (value as Instant).toKotlinInstant()
            Leaf.KOTLIN_DURATION -> (value as java.time.Duration).toKotlinDuration()
            Leaf.KOTLIN_UUID -> (value as UUID).toKotlinUuid()
            Leaf.OFFSET_DATE_TIME -> (value as Instant).atOffset(ZoneOffset.UTC)
            Leaf.BIG_INTEGER -> integerOf(value)
            else -> value
        }
    }

    private fun integerOf(value: Any): BigInteger =
        when (value) {
            is BigInteger -> {
                value
            }

            is BigDecimal -> {
                try {
                    value.toBigIntegerExact()
                } catch (_: ArithmeticException) {
                    throw failed("$value is no integer")
                }
            }

            else -> {
                BigInteger.valueOf((value as Number).toLong())
            }
        }
}
