package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.messageOf
import dev.arrowdevice.builder.objects
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.math.BigDecimal
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.Period
import java.util.UUID

class RecordBatchDslTest :
    FunSpec({
        extension(MemoryBalance())

        test("Kotlin types have default Arrow types") {
            val uuid = UUID(1, 2)
            recordBatch {
                column<Boolean>("bool") { add(true) }
                column<Byte>("int8") { add(1.toByte()) }
                column<UByte>("uint8") { add(200.toUByte()) }
                column<Short>("int16") { add(2.toShort()) }
                column<UShort>("uint16") { add(60000.toUShort()) }
                column<Int>("int32") { add(3) }
                column<UInt>("uint32") { add(4_000_000_000u) }
                column<Long>("int64") { add(4L) }
                column<ULong>("uint64") { add(ULong.MAX_VALUE) }
                column<Float>("float32") { add(0.5f) }
                column<Double>("float64") { add(0.25) }
                column<String>("utf8") { add("Ada") }
                column<ByteArray>("binary") { add(byteArrayOf(1, 2)) }
                column<LocalDate>("date32") { add(LocalDate.EPOCH) }
                column<LocalTime>("time64") { add(LocalTime.NOON) }
                column<LocalDateTime>("wall") { add(LocalDateTime.of(2024, 1, 2, 3, 4)) }
                column<Instant>("instant") { add(Instant.EPOCH) }
                column<Duration>("duration") { add(Duration.ofSeconds(1)) }
                column<Period>("period") { add(Period.ofMonths(3)) }
                column<UUID>("uuid") { add(uuid) }
                column<List<Int>>("list") { add(listOf(1, 2)) }
            }.use { batch ->
                batch.rowCount shouldBe 1L
                batch
                    .schema
                    .fields()
                    .map { it.type() }
                    .take(13) shouldBe
                    listOf(
                        ArrowType.BOOL,
                        ArrowType.INT8,
                        ArrowType.UINT8,
                        ArrowType.INT16,
                        ArrowType.UINT16,
                        ArrowType.INT32,
                        ArrowType.UINT32,
                        ArrowType.INT64,
                        ArrowType.UINT64,
                        ArrowType.FLOAT32,
                        ArrowType.FLOAT64,
                        ArrowType.UTF8,
                        ArrowType.BINARY,
                    )
                batch.values<UByte>("uint8")[0] shouldBe 200.toUByte()
                batch.values<UInt>("uint32")[0] shouldBe 4_000_000_000u
                batch.values<ULong>("uint64")[0] shouldBe ULong.MAX_VALUE
                batch.values<LocalTime>("time64")[0] shouldBe LocalTime.NOON
                batch.values<LocalDateTime>("wall")[0] shouldBe LocalDateTime.of(2024, 1, 2, 3, 4)
                batch.values<Instant>("instant")[0] shouldBe Instant.EPOCH
                batch.values<Period>("period")[0] shouldBe Period.ofMonths(3)
                batch.values<UUID>("uuid")[0] shouldBe uuid
                batch.values<List<Int>>("list")[0] shouldBe listOf(1, 2)
            }
        }

        test("parametric, encoded and nested columns have functions of their own") {
            recordBatch {
                decimal("price", 10, 2) { add(BigDecimal("12.50")) }
                timestamp("at", TimeUnit.MILLISECOND, "Europe/Berlin") { add(Instant.ofEpochMilli(5)) }
                timestamp("wall", TimeUnit.SECOND) { add(LocalDateTime.of(2020, 2, 29, 1, 2, 3)) }
                time("noon", TimeUnit.SECOND) { add(LocalTime.NOON) }
                duration("took", TimeUnit.NANOSECOND) { add(Duration.ofNanos(7)) }
                dictionary<String>("carrier", ArrowType.INT8, ordered = true) { add("UA") }
                runEndEncoded<Int>("run", ArrowType.INT16) { add(9) }
                map<String, Int>("m", keysSorted = true) { add(mapOf("a" to 1, "b" to null)) }
                struct("address") {
                    column<String>("city") { add("Ulm") }
                    list<Int>("floors") { add(listOf(1, null)) }
                    struct("geo") { column<Double>("lat") { add(48.4) } }
                }
                sparseUnion("either", {
                    field<Int>("number")
                    field<String>("text")
                }) { add("text", "x") }
                denseUnion("or", {
                    field<Int>("number")
                    field<String>("text")
                }) { add("number", 5) }
                column("half", ArrowType.FLOAT16) { add(0.5f) }
            }.use { batch ->
                batch.schema.fields().map { it.type() } shouldBe
                    listOf(
                        ArrowType.decimal128(10, 2),
                        ArrowType.timestamp(TimeUnit.MILLISECOND, "Europe/Berlin"),
                        ArrowType.timestamp(TimeUnit.SECOND),
                        ArrowType.time32(TimeUnit.SECOND),
                        ArrowType.duration(TimeUnit.NANOSECOND),
                        ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, true),
                        ArrowType.runEndEncoded(ArrowType.INT16, ArrowType.INT32),
                        batch.column("m").type,
                        batch.column("address").type,
                        batch.column("either").type,
                        batch.column("or").type,
                        ArrowType.FLOAT16,
                    )
                batch.column("price").objects() shouldBe listOf(BigDecimal("12.50"))
                batch.column("carrier").objects() shouldBe listOf("UA")
                batch.column("run").objects() shouldBe listOf(9)
                batch.column("m").objects() shouldBe listOf(listOf("a" to 1, "b" to null))
                batch.column("address").objects() shouldBe
                    listOf(mapOf("city" to "Ulm", "floors" to listOf(1, null), "geo" to mapOf("lat" to 48.4)))
                batch.column("either").objects() shouldBe listOf("x")
                batch.column("or").objects() shouldBe listOf(5)
                batch.column("half").objects() shouldBe listOf(0.5f)
            }
        }

        test("a batch of an existing schema is built row by row") {
            val schema =
                schema {
                    field<Long>("id", nullable = false)
                    field<String>("name")
                    metadata("k", "v")
                }
            recordBatch(schema) {
                row(1L, "Ada")
                row(2L, null)
            }.use { batch ->
                batch.schema.metadata.get("k") shouldBe "v"
                batch.schema.field("id").nullable() shouldBe false
                batch.values<Long>("id").toList() shouldBe listOf(1L, 2L)
                batch.values<String>("name").toList() shouldBe listOf("Ada", null)
            }
        }

        test("metadata belongs to the batch or the column of structs that the block is for") {
            val described =
                schema {
                    struct("s") {
                        field<Int>("a")
                        metadata("k", "inner")
                    }
                    metadata("k", "outer")
                }
            recordBatch {
                struct("s") {
                    column<Int>("a") { add(1) }
                    metadata("k", "inner")
                }
                metadata("k", "outer")
            }.use { it.schema shouldBe described }
            messageOf { structType { metadata("k", "v") } } shouldContain "metadata"
        }

        test("a run and a null of a union need no functions of their own") {
            recordBatch {
                runEndEncoded<String>("runs") { addRun("a", 3) }
                column<String>("plain") { addRun("a", 3) }
                val fields: SchemaScope.() -> Unit = {
                    field<Int>("number")
                    field<String>("text")
                }
                denseUnion("either", fields) {
                    add("text", "x")
                    addNull()
                    add(5)
                }
            }.use { batch ->
                batch.column("runs").objects() shouldBe listOf("a", "a", "a")
                batch.column("plain").objects() shouldBe listOf("a", "a", "a")
                batch.column("either").objects() shouldBe listOf("x", null, 5)
            }
        }

        test("the schema DSL makes the schema of the batch DSL") {
            schema {
                field<Int>("a", nullable = false)
                list<String>("b")
                decimal("c", 40, 3)
                struct("d") { field<Boolean>("e") }
                dictionary<String>("f")
            } shouldBe
                Schema.of(
                    Field.notNull("a", ArrowType.INT32),
                    Field.nullable("b", ArrowType.list(ArrowType.UTF8)),
                    Field.nullable("c", ArrowType.decimal256(40, 3)),
                    Field.nullable("d", ArrowType.struct(Field.nullable("e", ArrowType.BOOL))),
                    Field.nullable("f", ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8, false)),
                )
        }

        test("lists, primitive arrays and values become arrays") {
            deviceArrayOf(1, 2, null).use { it.objects() shouldBe listOf(1, 2, null) }
            listOf("a", null).toDeviceArray().use { it.objects() shouldBe listOf("a", null) }
            intArrayOf(1, 2).toDeviceArray().use { it.toIntArray().toList() shouldBe listOf(1, 2) }
            longArrayOf(3).toDeviceArray().use { it.getLong(0) shouldBe 3L }
            doubleArrayOf(0.5).toDeviceArray().use { it.getDouble(0) shouldBe 0.5 }
            floatArrayOf(0.5f).toDeviceArray().use { it.getFloat(0) shouldBe 0.5f }
        }
    })
