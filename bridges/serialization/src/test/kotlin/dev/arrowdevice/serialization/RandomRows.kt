@file:UseSerializers(
    InstantSerializer::class,
    LocalDateTimeSerializer::class,
    LocalDateSerializer::class,
    LocalTimeSerializer::class,
    DurationSerializer::class,
    BigDecimalSerializer::class,
    BigIntegerSerializer::class,
    UuidSerializer::class,
)

package dev.arrowdevice.serialization

import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TypeId
import kotlinx.serialization.Serializable
import kotlinx.serialization.UseSerializers
import java.math.BigDecimal
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.ZoneOffset
import java.util.UUID
import kotlin.random.Random
import kotlin.random.nextUInt
import kotlin.random.nextULong

/** A property of each kind, most of them also nullable. */
@Serializable
data class Everything(
    val flag: Boolean,
    val byte: Byte?,
    val short: Short,
    val int: Int?,
    val long: Long,
    val ubyte: UByte,
    val ushort: UShort?,
    val uint: UInt,
    val ulong: ULong,
    val float: Float,
    val double: Double?,
    val char: Char,
    val text: String,
    val large: String?,
    @DictionaryEncoded val word: String?,
    val status: Status,
    val maybeStatus: Status?,
    val customer: CustomerId,
    @DecimalDigits(20, 4) val price: BigDecimal?,
    val big: BigInteger,
    @Resolution(TimeUnit.MICROSECOND) val at: Instant,
    val local: LocalDateTime?,
    val day: LocalDate,
    val time: LocalTime?,
    val took: Duration,
    val moment: kotlin.time.Instant?,
    val key: UUID,
    val address: Address,
    val maybeAddress: Address?,
    val ints: List<Int>,
    val lists: List<List<String?>?>?,
    val map: Map<String, Long?>,
    val addresses: Map<Int, List<Address>>?,
    val items: List<Item>,
    @StoredAs(TypeId.LARGE_LIST) val doubles: List<Double>,
    @FixedSize(2) val pair: List<Short>,
    val shape: Shape,
    val shapes: List<Shape?>?,
    val generic: Generic<Pair<Long, String?>>,
)

/** Makes rows of a seed. Times are of whole microseconds, which all readers have. */
internal class RandomRows(
    seed: Long,
) {
    private val random = Random(seed)

    fun rows(count: Int): List<Everything> = List(count) { everything() }

    private fun <T : Any> maybe(make: () -> T): T? = if (random.nextInt(4) == 0) null else make()

    private fun <T> some(make: () -> T): List<T> = List(random.nextInt(4)) { make() }

    private fun text(): String = some { TEXTS.random(random) }.joinToString("")

    private fun micros(): Long = random.nextLong(-4_000_000_000_000_000, 4_000_000_000_000_000)

    private fun instant(): Instant =
        micros().let { Instant.ofEpochSecond(Math.floorDiv(it, 1_000_000L), Math.floorMod(it, 1_000_000L) * 1_000) }

    private fun address() = Address(text(), maybe(random::nextInt))

    private fun shape(): Shape =
        when (random.nextInt(3)) {
            0 -> Circle(text(), random.nextDouble())
            1 -> Box(text(), random.nextInt(), maybe(::address))
            else -> Dot
        }

    private fun everything() =
        Everything(
            flag = random.nextBoolean(),
            byte = maybe { random.nextInt().toByte() },
            short = random.nextInt().toShort(),
            int = maybe(random::nextInt),
            long = random.nextLong(),
            ubyte = random.nextInt().toUByte(),
            ushort = maybe { random.nextInt().toUShort() },
            uint = random.nextUInt(),
            ulong = random.nextULong(),
            float = random.nextFloat(),
            double = maybe(random::nextDouble),
            char = "aßλ文".random(random),
            text = text(),
            large = maybe(::text),
            word = maybe { TEXTS.random(random) },
            status = Status.entries.random(random),
            maybeStatus = maybe { Status.entries.random(random) },
            customer = CustomerId(random.nextLong()),
            price = maybe { BigDecimal.valueOf(random.nextLong(), 4) },
            big = BigInteger.valueOf(random.nextLong()).multiply(BigInteger.valueOf(random.nextLong())),
            at = instant(),
            local = maybe { LocalDateTime.ofInstant(instant(), ZoneOffset.UTC) },
            day = LocalDate.ofEpochDay(random.nextLong(-100_000, 100_000)),
            time = maybe { LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000) * 1_000) },
            took = Duration.ofNanos(micros() * 1_000),
            moment = maybe { instant().let { kotlin.time.Instant.fromEpochSeconds(it.epochSecond, it.nano) } },
            key = UUID(random.nextLong(), random.nextLong()),
            address = address(),
            maybeAddress = maybe(::address),
            ints = some(random::nextInt),
            lists = maybe { some { maybe { some { maybe(::text) } } } },
            map = some { text() to maybe(random::nextLong) }.toMap(),
            addresses = maybe { some { random.nextInt() to some(::address) }.toMap() },
            items = some { Item(text(), random.nextInt(), Status.entries.random(random)) },
            doubles = some(random::nextDouble),
            pair = List(2) { random.nextInt().toShort() },
            shape = shape(),
            shapes = maybe { some { maybe(::shape) } },
            generic = Generic(random.nextLong() to maybe(::text), random.nextInt()),
        )

    private companion object {
        val TEXTS =
            listOf("a", "Ulm", "straße", "文字", "\uD83D\uDE80", " ", "0", "x'\"\\", "a longer text than a view holds")
    }
}
