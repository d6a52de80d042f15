package dev.arrowdevice.peers.arbitrary

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DayTimeInterval
import dev.arrowdevice.DecimalType
import dev.arrowdevice.DurationType
import dev.arrowdevice.FixedSizeBinaryType
import dev.arrowdevice.MonthDayNanoInterval
import dev.arrowdevice.TimeType
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TimestampType
import dev.arrowdevice.TypeId
import java.math.BigDecimal
import java.math.BigInteger
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.time.ZoneOffset
import kotlin.random.Random

/** Values of the types of fixed width: the bytes that stand for them, and the object that they must read as. */
internal class LeafValues(
    private val random: Random,
) {
    /** Writes one value of the type and returns it as an object. */
    fun next(
        type: ArrowType,
        out: ByteBuffer,
    ): Any =
        when (type.id()) {
            TypeId.INT8 -> {
                integer().toByte().also(out::put)
            }

            TypeId.UINT8 -> {
                integer().toByte().let { out.put(it).run { it.toUByte().toShort() } }
            }

            TypeId.INT16 -> {
                integer().toShort().also(out::putShort)
            }

            TypeId.UINT16 -> {
                integer().toShort().let { out.putShort(it).run { it.toUShort().toInt() } }
            }

            TypeId.INT32 -> {
                integer().toInt().also(out::putInt)
            }

            TypeId.UINT32 -> {
                integer().toInt().let { out.putInt(it).run { it.toUInt().toLong() } }
            }

            TypeId.INT64 -> {
                integer().also(out::putLong)
            }

            TypeId.UINT64 -> {
                integer().let { out.putLong(it).run { BigInteger(it.toULong().toString()) } }
            }

            TypeId.FLOAT16 -> {
                integer().toShort().let { out.putShort(it).run { float16ToFloat(it) } }
            }

            TypeId.FLOAT32 -> {
                Float.fromBits(integer().toInt()).also(out::putFloat)
            }

            TypeId.FLOAT64 -> {
                double().also(out::putDouble)
            }

            TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128, TypeId.DECIMAL256 -> {
                decimal(
                    type as DecimalType,
                    out,
                )
            }

            TypeId.FIXED_SIZE_BINARY -> {
                random.nextBytes((type as FixedSizeBinaryType).byteWidth()).also(out::put)
            }

            TypeId.DATE32 -> {
                integer().toInt().let { out.putInt(it).run { LocalDate.ofEpochDay(it.toLong()) } }
            }

            TypeId.DATE64 -> {
                date64(out)
            }

            TypeId.TIME32, TypeId.TIME64 -> {
                time(type as TimeType, out)
            }

            TypeId.TIMESTAMP -> {
                timestamp(type as TimestampType, out)
            }

            TypeId.DURATION -> {
                duration((type as DurationType).unit(), out)
            }

            TypeId.INTERVAL_MONTHS -> {
                integer().toInt().let { out.putInt(it).run { Period.ofMonths(it) } }
            }

            TypeId.INTERVAL_DAY_TIME -> {
                dayTime(out)
            }

            TypeId.INTERVAL_MONTH_DAY_NANO -> {
                monthDayNano(out)
            }

            else -> {
                throw IllegalArgumentException("$type has no fixed width")
            }
        }

    /** Small numbers, limits and anything. */
    private fun integer(): Long =
        when (random.nextInt(4)) {
            0 -> random.nextLong(-3, 4)
            1 -> LIMITS.random(random)
            else -> random.nextLong()
        }

    private fun double(): Double =
        if (random.nextBoolean()) random.nextDouble(-1e9, 1e9) else Double.fromBits(integer())

    private fun decimal(
        type: DecimalType,
        out: ByteBuffer,
    ): BigDecimal {
        val limit = BigInteger.TEN.pow(type.precision())
        val unscaled =
            when (random.nextInt(4)) {
                0 -> BigInteger.ZERO
                1 -> limit - BigInteger.ONE
                2 -> BigInteger.ONE - limit
                else -> BigInteger(1, random.nextBytes(40)).mod(limit).let { if (random.nextBoolean()) -it else it }
            }
        val width = type.layout().bitWidth() / 8
        val bigEndian = unscaled.toByteArray()
        val sign = (if (unscaled.signum() < 0) -1 else 0).toByte()
        val padded = ByteArray(width) { i -> bigEndian.getOrElse(i - (width - bigEndian.size)) { sign } }
        out.put(if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) padded.reversedArray() else padded)
        return BigDecimal(unscaled, type.scale())
    }

    private fun date64(out: ByteBuffer): LocalDate {
        val days = random.nextLong(-1_000_000, 1_000_000)
        out.putLong(days * 86_400_000)
        return LocalDate.ofEpochDay(days)
    }

    private fun time(
        type: TimeType,
        out: ByteBuffer,
    ): LocalTime {
        val perSecond = perSecond(type.unit())
        val units = random.nextLong(86_400L * perSecond)
        if (type.id() == TypeId.TIME32) out.putInt(units.toInt()) else out.putLong(units)
        return LocalTime.ofNanoOfDay(units * (1_000_000_000L / perSecond))
    }

    private fun timestamp(
        type: TimestampType,
        out: ByteBuffer,
    ): Any {
        val perSecond = perSecond(type.unit())
        val units = if (perSecond == 1L) random.nextLong(-30_000_000_000L, 30_000_000_000L) else integer()
        out.putLong(units)
        val second = Math.floorDiv(units, perSecond)
        val nano = Math.floorMod(units, perSecond) * (1_000_000_000L / perSecond)
        return if (type.timezone() == null) {
            LocalDateTime.ofEpochSecond(second, nano.toInt(), ZoneOffset.UTC)
        } else {
            Instant.ofEpochSecond(second, nano)
        }
    }

    private fun duration(
        unit: TimeUnit,
        out: ByteBuffer,
    ): Duration {
        val units = integer()
        out.putLong(units)
        return when (unit) {
            TimeUnit.SECOND -> Duration.ofSeconds(units)
            TimeUnit.MILLISECOND -> Duration.ofMillis(units)
            TimeUnit.MICROSECOND -> Duration.of(units, java.time.temporal.ChronoUnit.MICROS)
            TimeUnit.NANOSECOND -> Duration.ofNanos(units)
        }
    }

    private fun dayTime(out: ByteBuffer): DayTimeInterval {
        val days = random.nextInt()
        val milliseconds = random.nextInt()
        out.putInt(days).putInt(milliseconds)
        return DayTimeInterval(days, milliseconds)
    }

    private fun monthDayNano(out: ByteBuffer): MonthDayNanoInterval {
        val months = random.nextInt()
        val days = random.nextInt()
        val nanoseconds = integer()
        out.putInt(months).putInt(days).putLong(nanoseconds)
        return MonthDayNanoInterval(months, days, nanoseconds)
    }

    private fun perSecond(unit: TimeUnit): Long =
        when (unit) {
            TimeUnit.SECOND -> 1
            TimeUnit.MILLISECOND -> 1_000
            TimeUnit.MICROSECOND -> 1_000_000
            TimeUnit.NANOSECOND -> 1_000_000_000
        }

    private companion object {
        val LIMITS =
            listOf(Byte.MIN_VALUE, Byte.MAX_VALUE, Short.MIN_VALUE, Short.MAX_VALUE, Int.MIN_VALUE, Int.MAX_VALUE)
                .map { it.toLong() } + listOf(Long.MIN_VALUE, Long.MAX_VALUE, 255L, 65_535L, 0xFFFF_FFFFL)
    }
}

/** As [java.lang.Float.float16ToFloat], which Java 17 does not have. */
private fun float16ToFloat(bits: Short): Float {
    val sign = bits.toInt() and 0x8000 shl 16
    val exponent = bits.toInt() ushr 10 and 0x1f
    val fraction = bits.toInt() and 0x3ff
    return when (exponent) {
        0 -> Float.fromBits(Math.scalb(fraction.toFloat(), -24).toRawBits() or sign)
        0x1f -> Float.fromBits(sign or 0x7f800000 or (fraction shl 13))
        else -> Float.fromBits(sign or (exponent + 112 shl 23) or (fraction shl 13))
    }
}
