package dev.arrowdevice.serialization

import kotlinx.serialization.KSerializer
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.modules.SerializersModule
import java.math.BigDecimal
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.OffsetDateTime
import java.time.Period
import java.util.UUID

/**
 * A class of the JDK, as its text in formats such as JSON, and as the Arrow type that stands for it in an [ArrowFormat].
 * Name the serializer at a property, in a type alias, or once for a file: `@file:UseSerializers(InstantSerializer::class)`.
 * Properties marked `@Contextual` find it in [ArrowSerializersModule].
 */
public sealed class JdkSerializer<T : Any>(
    name: String,
    private val parse: (String) -> T,
) : KSerializer<T> {
    override val descriptor: SerialDescriptor = PrimitiveSerialDescriptor(name, PrimitiveKind.STRING)

    override fun serialize(
        encoder: Encoder,
        value: T,
    ) {
        encoder.encodeString(value.toString())
    }

    override fun deserialize(decoder: Decoder): T = parse(decoder.decodeString())
}

/** `java.time.Instant` as `timestamp` with a time zone. */
public object InstantSerializer : JdkSerializer<Instant>("java.time.Instant", Instant::parse)

/** `java.time.OffsetDateTime` as `timestamp` with a time zone; what is read is at the offset of UTC. */
public object OffsetDateTimeSerializer :
    JdkSerializer<OffsetDateTime>("java.time.OffsetDateTime", OffsetDateTime::parse)

/** `java.time.LocalDateTime` as `timestamp` without a time zone. */
public object LocalDateTimeSerializer : JdkSerializer<LocalDateTime>("java.time.LocalDateTime", LocalDateTime::parse)

/** `java.time.LocalDate` as `date32`. */
public object LocalDateSerializer : JdkSerializer<LocalDate>("java.time.LocalDate", LocalDate::parse)

/** `java.time.LocalTime` as `time64`. */
public object LocalTimeSerializer : JdkSerializer<LocalTime>("java.time.LocalTime", LocalTime::parse)

/** `java.time.Duration` as `duration`. */
public object DurationSerializer : JdkSerializer<Duration>("java.time.Duration", Duration::parse)

/** `java.time.Period` of months and years as `interval_months`. */
public object PeriodSerializer : JdkSerializer<Period>("java.time.Period", Period::parse)

/** `java.math.BigDecimal` as a decimal with [DecimalDigits]. */
public object BigDecimalSerializer : JdkSerializer<BigDecimal>("java.math.BigDecimal", ::BigDecimal)

/** `java.math.BigInteger` as `decimal128(38, 0)`, or with [DecimalDigits]. */
public object BigIntegerSerializer : JdkSerializer<BigInteger>("java.math.BigInteger", ::BigInteger)

/** `java.util.UUID` as `arrow.uuid`. */
public object UuidSerializer : JdkSerializer<UUID>("java.util.UUID", UUID::fromString)

/** The serializers of the classes of the JDK that Arrow has types for. Each [ArrowFormat] has them. */
public val ArrowSerializersModule: SerializersModule =
    SerializersModule {
        contextual(Instant::class, InstantSerializer)
        contextual(OffsetDateTime::class, OffsetDateTimeSerializer)
        contextual(LocalDateTime::class, LocalDateTimeSerializer)
        contextual(LocalDate::class, LocalDateSerializer)
        contextual(LocalTime::class, LocalTimeSerializer)
        contextual(Duration::class, DurationSerializer)
        contextual(Period::class, PeriodSerializer)
        contextual(BigDecimal::class, BigDecimalSerializer)
        contextual(BigInteger::class, BigIntegerSerializer)
        contextual(UUID::class, UuidSerializer)
    }
