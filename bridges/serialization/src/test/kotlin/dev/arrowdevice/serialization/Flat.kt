@file:UseSerializers(InstantSerializer::class)

package dev.arrowdevice.serialization

import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TypeId
import kotlinx.serialization.Contextual
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.UseSerializers
import java.math.BigDecimal
import java.time.Instant
import java.time.LocalDate

@Serializable
data class Order(
    val id: Long,
    val customer: String,
    val note: String? = null,
)

@Serializable
data class Numbers(
    val flag: Boolean,
    val byte: Byte,
    val short: Short,
    val int: Int,
    val long: Long,
    val float: Float,
    val double: Double,
    val char: Char,
    val ubyte: UByte,
    val ushort: UShort,
    val uint: UInt,
    val ulong: ULong,
)

@Serializable
data class Maybe(
    val flag: Boolean?,
    val byte: Byte?,
    val short: Short?,
    val int: Int?,
    val long: Long?,
    val float: Float?,
    val double: Double?,
    val char: Char?,
    val ubyte: UByte?,
    val ushort: UShort?,
    val uint: UInt?,
    val ulong: ULong?,
    val text: String?,
)

/** What annotations steer. */
@Serializable
data class Marked(
    @SerialName("order_id") val id: Long,
    @ColumnName("Customer") @StoredAs(TypeId.LARGE_UTF8) val customer: String,
    @DictionaryEncoded(TypeId.UINT8) val country: String?,
    @Contextual @DecimalDigits(10, 2) val price: BigDecimal,
    @Resolution(TimeUnit.MICROSECOND, truncate = true) @Zone("Europe/Berlin") val at: Instant,
    @Contextual val day: LocalDate,
    @FixedSize(4) val key: ByteArray,
    @StoredAs(TypeId.INT16) val small: Int,
)
