package dev.arrowdevice

import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.StructBuilder
import dev.arrowdevice.builder.messageOf
import dev.arrowdevice.builder.objects
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.sql.Timestamp
import java.time.Duration
import java.time.Instant
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.time.ZoneOffset
import java.time.temporal.ChronoUnit
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.toKotlinInstant

private val FINE = Instant.parse("2024-05-06T07:08:09.123456789Z")
private val EARLY = Instant.parse("1969-12-31T23:59:59.123456789Z")
private val LATE = Instant.parse("9999-12-31T00:00:00Z")

/** Times keep every digit, unless the caller asks for a coarser unit and says that it truncates. */
class TemporalColumnsTest :
    FunSpec({
        extension(MemoryBalance())

        test("the default types keep all that a clock returns, to the nanosecond") {
            val now = Instant.now().with(java.time.temporal.ChronoField.NANO_OF_SECOND, 123_456_789)
            val wall = LocalDateTime.ofInstant(now, ZoneOffset.UTC)
            val kotlinNow = now.toKotlinInstant()
            recordBatch {
                column<Instant>("instant") { add(now) }
                column<kotlin.time.Instant>("kotlin instant") { add(kotlinNow) }
                column<LocalDateTime>("wall") { add(wall) }
                column<LocalTime>("time") { add(wall.toLocalTime()) }
                column<Duration>("duration") { add(Duration.ofNanos(1)) }
                column<kotlin.time.Duration>("kotlin duration") { add(1.nanoseconds) }
            }.use { batch ->
                batch.values<Instant>("instant")[0] shouldBe now
                batch.values<kotlin.time.Instant>("kotlin instant")[0] shouldBe kotlinNow
                batch.values<LocalDateTime>("wall")[0] shouldBe wall
                batch.values<LocalTime>("time")[0] shouldBe wall.toLocalTime()
                batch.values<Duration>("duration")[0] shouldBe Duration.ofNanos(1)
                batch.values<kotlin.time.Duration>("kotlin duration")[0] shouldBe 1.nanoseconds
                batch.column("instant").type shouldBe ArrowType.timestamp(TimeUnit.NANOSECOND, "UTC")
                batch.column("wall").type shouldBe ArrowType.timestamp(TimeUnit.NANOSECOND)
            }
            // As the clocks themselves return it.
            deviceArrayOf(Instant.now()).close()
            deviceArrayOf(Instant.now().toKotlinInstant()).close()
            deviceArrayOf(LocalDateTime.now()).close()
        }

        test("a value out of the range of nanoseconds is refused with the unit that has room for it") {
            messageOf { recordBatch { column<Instant>("until") { add(LATE) } } } shouldBe
                "column \"until\", row 0: 9999-12-31T00:00:00Z does not fit timestamp[ns, tz=UTC]; " +
                "it fits timestamp(…, unit = MICROSECOND)"
            messageOf { deviceArrayOf(LATE.toKotlinInstant()) } shouldContain "unit = MICROSECOND"
            messageOf { deviceArrayOf(LocalDateTime.MAX) } shouldContain "unit = SECOND"
            messageOf { deviceArrayOf(Duration.ofDays(365 * 1000)) } shouldContain
                "it fits duration(…, unit = MICROSECOND)"
            recordBatch {
                timestamp("until", unit = TimeUnit.MICROSECOND, zone = "UTC") { add(LATE) }
            }.use { it.values<Instant>("until")[0] shouldBe LATE }
        }

        test("a value finer than a unit that was asked for is refused, and the message names both ways out") {
            messageOf { recordBatch { timestamp("at", TimeUnit.MILLISECOND, "UTC") { add(FINE) } } } shouldBe
                "column \"at\", row 0: 2024-05-06T07:08:09.123456789Z is finer than the unit ms; " +
                "use timestamp(…, unit = NANOSECOND), or truncate = true (truncateTimes() of the builder)"
            messageOf {
                recordBatch { time("at", TimeUnit.SECOND) { add(LocalTime.of(1, 2, 3, 4_000)) } }
            } shouldContain "use time(…, unit = MICROSECOND)"
            messageOf {
                recordBatch { duration("took", TimeUnit.SECOND) { add(Duration.ofMillis(1)) } }
            } shouldContain "use duration(…, unit = MILLISECOND)"
            // Nanoseconds would have no room for it.
            messageOf {
                recordBatch { timestamp("at", TimeUnit.SECOND, "UTC") { add(LATE.plusNanos(1)) } }
            } shouldContain "is finer than the unit s; use truncate = true (truncateTimes() of the builder)"
        }

        test("truncate drops what is finer, as truncatedTo of java.time does") {
            val times = listOf(FINE, EARLY, LATE.plusNanos(1), null)
            val durations = listOf(Duration.ofNanos(1_999_999), Duration.ofNanos(-1_999_999), Duration.ZERO)
            recordBatch {
                timestamp("at", TimeUnit.MILLISECOND, "UTC", truncate = true) { addAll(times) }
            }.use { it.values<Instant>("at").toList() shouldBe times.map { at -> at?.truncatedTo(ChronoUnit.MILLIS) } }
            recordBatch {
                timestamp("at", TimeUnit.SECOND, truncate = true) {
                    addAll(times.map { it?.atOffset(ZoneOffset.UTC)?.toLocalDateTime() })
                }
            }.use {
                it.values<LocalDateTime>("at").toList() shouldBe
                    times.map { at -> at?.truncatedTo(ChronoUnit.SECONDS)?.atOffset(ZoneOffset.UTC)?.toLocalDateTime() }
            }
            recordBatch {
                duration("took", TimeUnit.MILLISECOND, truncate = true) { addAll(durations) }
            }.use {
                it.values<Duration>("took").toList() shouldBe
                    durations.map { took -> took.truncatedTo(ChronoUnit.MILLIS) }
            }
            recordBatch {
                time("at", TimeUnit.MICROSECOND, truncate = true) { add(LocalTime.MAX) }
            }.use { it.values<LocalTime>("at")[0] shouldBe LocalTime.MAX.truncatedTo(ChronoUnit.MICROS) }
        }

        test("a truncated value that is out of range is refused as any other") {
            messageOf {
                recordBatch {
                    timestamp("at", TimeUnit.NANOSECOND, "UTC", truncate = true) { add(LATE) }
                }
            } shouldContain "unit = MICROSECOND"
        }

        test("in Java, a builder truncates the times of all builders below it, also of fields that come later") {
            val millis = ArrowType.timestamp(TimeUnit.MILLISECOND, "UTC")
            val lists = ArrowType.list(ArrowType.dictionary(ArrowType.INT8, millis, false))
            ArrayBuilder.of(lists).use { builder ->
                messageOf { builder.append(listOf(FINE)) } shouldContain "truncateTimes()"
            }
            ArrayBuilder.of(lists).use { builder ->
                builder.truncateTimes()
                builder.append(listOf(FINE, FINE.plusNanos(1)))
                builder.finish().use { it.objects() shouldBe listOf(List(2) { FINE.truncatedTo(ChronoUnit.MILLIS) }) }
            }
            ArrayBuilder.of(ArrowType.struct()).use { builder ->
                builder.truncateTimes()
                builder.`as`(StructBuilder::class.java).addField(Field.nullable("at", millis)).append(FINE)
                builder.finish().use {
                    it.objects() shouldBe
                        listOf(
                            mapOf("at" to FINE.truncatedTo(ChronoUnit.MILLIS)),
                        )
                }
            }
        }

        test("the message of a time of another class names the classes that the type takes") {
            fun refusal(
                type: ArrowType,
                value: Any,
            ) = messageOf { deviceArray(type) { add(value) } }
            val timestamp = "row 0: a java.sql.Timestamp does not fit timestamp[ns"
            refusal(ArrowType.timestamp(TimeUnit.NANOSECOND, "UTC"), Timestamp(0)) shouldBe
                "$timestamp, tz=UTC], which takes Instant, OffsetDateTime or ZonedDateTime; " +
                "without a time zone it would take LocalDateTime"
            refusal(ArrowType.timestamp(TimeUnit.NANOSECOND), Timestamp(0)) shouldBe
                "$timestamp], which takes LocalDateTime; with a time zone it would take Instant"
            refusal(ArrowType.DATE32, Instant.EPOCH) shouldContain ", which takes LocalDate"
            refusal(ArrowType.duration(TimeUnit.SECOND), LocalTime.NOON) shouldContain ", which takes Duration"
            refusal(ArrowType.time32(TimeUnit.SECOND), Duration.ZERO) shouldContain ", which takes LocalTime"
            refusal(ArrowType.decimal128(3, 1), "1.5") shouldContain ", which takes BigDecimal or BigInteger"
        }

        test("a period with days is refused with the type that has room for it") {
            messageOf { deviceArrayOf(Period.of(0, 1, 3)) } shouldContain
                "P1M3D has days; ArrowType.INTERVAL_MONTH_DAY_NANO keeps them"
        }
    })
