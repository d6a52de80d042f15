@file:UseSerializers(
    InstantSerializer::class,
    OffsetDateTimeSerializer::class,
    LocalDateTimeSerializer::class,
    LocalDateSerializer::class,
    LocalTimeSerializer::class,
    DurationSerializer::class,
    PeriodSerializer::class,
    BigDecimalSerializer::class,
    BigIntegerSerializer::class,
    UuidSerializer::class,
)
@file:OptIn(ExperimentalUuidApi::class, ExperimentalUnsignedTypes::class)

package dev.arrowdevice.serialization

import dev.arrowdevice.TypeId
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.UseSerializers
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
import kotlin.uuid.ExperimentalUuidApi
import kotlin.uuid.Uuid

@Serializable
enum class Status {
    OPEN,

    @SerialName("paid")
    PAID,
    SHIPPED,
}

@Serializable
data class Address(
    val city: String,
    val zip: Int?,
)

@Serializable
data class Item(
    val sku: String,
    val count: Int,
    val status: Status = Status.OPEN,
)

@Serializable
@JvmInline
value class CustomerId(
    val id: Long,
)

@Serializable
@JvmInline
value class Price(
    @DecimalDigits(12, 2) val amount: BigDecimal,
)

@Serializable
@JvmInline
value class Nickname(
    val text: String?,
)

@Serializable
data class Nested(
    val customer: CustomerId,
    val price: Price,
    val nickname: Nickname,
    val maybeCustomer: CustomerId?,
    val address: Address,
    val delivery: Address?,
    val items: List<Item>,
    val status: Status,
    val history: List<Status?>,
)

@Serializable
data class Collections(
    val ints: List<Int>,
    val maybe: List<Long?>?,
    val matrix: List<List<Double>>,
    val set: Set<String>,
    val map: Map<String, Int?>,
    val deep: Map<Int, List<Address>>,
    val byStatus: Map<Status, Address?>,
    val pair: Pair<Int, String>,
    @FixedSize(3) val point: List<Float>,
    @StoredAs(TypeId.LARGE_LIST) @DictionaryEncoded val tags: List<String>,
    @DecimalDigits(9, 3) val prices: List<BigDecimal>,
)

@Serializable
class Arrays(
    val bytes: ByteArray,
    val ints: IntArray,
    val longs: LongArray,
    val doubles: DoubleArray,
    val flags: BooleanArray,
    val chars: CharArray,
    val texts: Array<String>,
    val uints: UIntArray,
) {
    fun contents(): List<Any> =
        listOf(
            bytes.toList(),
            ints.toList(),
            longs.toList(),
            doubles.toList(),
            flags.toList(),
            chars.toList(),
            texts.toList(),
            uints.toList(),
        )
}

@Serializable
data class Times(
    val instant: Instant,
    val offset: OffsetDateTime,
    val local: LocalDateTime?,
    val day: LocalDate,
    val time: LocalTime,
    val took: Duration?,
    val every: Period,
    val at: kotlin.time.Instant,
    val lasted: kotlin.time.Duration,
    val maybeAt: kotlin.time.Instant?,
    val key: UUID,
    val uuid: Uuid?,
    val big: BigInteger,
    @StoredAs(TypeId.UTF8) val asText: LocalDate,
)

@Serializable
sealed interface Shape {
    val name: String
}

@Serializable
@SerialName("circle")
data class Circle(
    override val name: String,
    val radius: Double,
) : Shape

@Serializable
@SerialName("box")
data class Box(
    override val name: String,
    val width: Int,
    val corner: Address? = null,
) : Shape

@Serializable
@SerialName("dot")
data object Dot : Shape {
    override val name: String get() = "dot"
}

@Serializable
data class Drawing(
    val id: Int,
    val shape: Shape,
    val maybe: Shape?,
    val shapes: List<Shape>,
)

@Serializable
data class UnionDrawing(
    val id: Int,
    @DenseUnion val shape: Shape,
    @DenseUnion val maybe: Shape?,
    @DenseUnion val shapes: List<Shape>,
)

@Serializable
data class Generic<T>(
    val value: T,
    val count: Int = 1,
)
