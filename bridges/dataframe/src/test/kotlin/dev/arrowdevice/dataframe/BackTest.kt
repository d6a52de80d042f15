package dev.arrowdevice.dataframe

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.addAll
import dev.arrowdevice.deviceArray
import dev.arrowdevice.recordBatch
import dev.arrowdevice.rows
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataColumn
import org.jetbrains.kotlinx.dataframe.api.columnOf
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.group
import org.jetbrains.kotlinx.dataframe.api.into
import org.jetbrains.kotlinx.dataframe.api.named
import java.math.BigDecimal
import java.math.BigInteger
import java.util.UUID

private fun bytesOf(make: () -> RecordBatch): Long {
    val before = ArrowCounters.now()
    return make().use { (ArrowCounters.now() - before).hostBytes() }
}

/** Frames to batches. */
class BackTest :
    FunSpec({
        extension(Balance)

        test("a frame of DataFrame's own has the types of its columns") {
            val id = UUID(1, 2)
            val frame =
                dataFrameOf(
                    columnOf(1, 2).named("int"),
                    columnOf("x", null).named("text"),
                    columnOf(1u, UInt.MAX_VALUE).named("unsigned"),
                    columnOf(BigDecimal("1.25"), BigDecimal("-100")).named("price"),
                    columnOf(BigInteger.TEN.pow(50), null).named("huge"),
                    columnOf('c', 'd').named("char"),
                    columnOf(id, id).named("uuid"),
                    columnOf(kotlinx.datetime.LocalDate(2026, 1, 2), null).named("day"),
                    columnOf(kotlinx.datetime.Instant.fromEpochSeconds(5), null).named("at"),
                    columnOf(listOf(1, 2), listOf()).named("list"),
                    columnOf(mapOf("a" to 1.5), mapOf()).named("map"),
                    columnOf(dataFrameOf("sku")("a"), dataFrameOf("sku")("b")).named("items"),
                )
            frame.toRecordBatch().use { batch ->
                batch.schema.fields.associate { it.name to it.type.toString() } shouldBe
                    mapOf(
                        "int" to "int32",
                        "text" to "utf8",
                        "unsigned" to "uint32",
                        "price" to "decimal128(38, 2)",
                        "huge" to "decimal256(76, 0)",
                        "char" to "utf8",
                        "uuid" to ArrowType.uuid().toString(),
                        "day" to "date32[day]",
                        "at" to ArrowType.timestamp(TimeUnit.NANOSECOND, "UTC").toString(),
                        "list" to ArrowType.list(Field.notNull("item", ArrowType.INT32)).toString(),
                        "map" to
                            ArrowType
                                .map(
                                    Field.notNull("key", ArrowType.UTF8),
                                    Field.notNull("value", ArrowType.FLOAT64),
                                    false,
                                ).toString(),
                        "items" to
                            ArrowType
                                .list(
                                    Field.notNull("item", ArrowType.struct(Field.notNull("sku", ArrowType.UTF8))),
                                ).toString(),
                    )
                batch.schema.fields
                    .filter { it.nullable }
                    .map { it.name } shouldBe listOf("text", "huge", "day", "at")
                batch
                    .rows()
                    .first()
                    .values
                    .map { it.toString() } shouldBe
                    listOf(
                        "1",
                        "x",
                        "1",
                        "1.25",
                        "1" + "0".repeat(50),
                        "c",
                        "$id",
                        "2026-01-02",
                        "1970-01-01T00:00:05Z",
                    ) +
                    listOf("[1, 2]", "[a=1.5]", "[{sku=a}]")
            }
        }

        test("columns that were left as they are are shared, also of a range; others are copied") {
            val batch =
                recordBatch {
                    column<Long>("id", nullable = false) { addAll(List(1000) { it.toLong() }) }
                    struct("point", nullable = false) {
                        column<Double>("x") { addAll(List(1000) { i -> if (i % 10 == 0) null else i / 2.0 }) }
                    }
                }
            batch.use {
                batch.toDataFrame().use { lent ->
                    bytesOf { lent.frame.toRecordBatch() } shouldBe 0
                    bytesOf { lent.frame[3..700].toRecordBatch(batch.schema) } shouldBe 0
                    lent.frame.toRecordBatch().use { it.valuesEqual(batch) shouldBe true }
                    (bytesOf { lent.frame.onHeap().toRecordBatch() } > 0) shouldBe true
                    val wider = Schema.of(Field.notNull("id", ArrowType.FLOAT64), batch.schema.field(1))
                    (bytesOf { lent.frame.toRecordBatch(wider) } >= 8000) shouldBe true
                }
            }
        }

        test("a shared batch outlives the frame") {
            val lent = people().use { it.toDataFrame() }
            val back = lent.use { it.frame[1..3].toRecordBatch() }
            back.use { it.column("name").getString(2) shouldBe "Grace" }
        }

        test("a field has the nulls of its struct, which a share of it would lack") {
            structs(null, 1, null, 3, 4, null).use { batch ->
                batch.toDataFrame().use { lent ->
                    for (range in listOf(0..5, 1..4, 3..4, 5..5)) {
                        val rows = lent.frame[range]
                        rows.toRecordBatch().use { back ->
                            back.schema.field(0).nullable shouldBe false
                            back.rows().toList() shouldBe range.map { mapOf("s" to mapOf("v" to batchValue(it))) }
                        }
                        // Back to a struct that may be null.
                        rows.toRecordBatch(batch.schema).use { back ->
                            batch.slice(range.first.toLong(), range.count().toLong()).use {
                                it.valuesEqual(back) shouldBe
                                    true
                            }
                        }
                    }
                }
            }
        }

        test("a given schema wins: order, types, and columns that the frame lacks") {
            val schema =
                Schema.of(
                    Field.nullable("more", ArrowType.INT8),
                    Field.notNull("b", ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, false)),
                    Field.notNull("a", ArrowType.FLOAT64),
                )
            dataFrameOf("a", "b")(1, "x", 2, "x").toRecordBatch(schema).use { batch ->
                batch.schema shouldBe schema
                batch.rows().toList() shouldBe
                    listOf(mapOf("more" to null, "b" to "x", "a" to 1.0), mapOf("more" to null, "b" to "x", "a" to 2.0))
            }
        }

        test("what does not fit is refused with column and row, and nothing is kept") {
            val int = Field.notNull("a", ArrowType.INT32)
            val shared = people().use { it.toDataFrame() }
            shared.use { lent ->
                fun refused(
                    frame: AnyFrame,
                    vararg fields: Field,
                ) = shouldThrow<IllegalArgumentException> { frame.toRecordBatch(Schema.of(*fields)).close() }.message!!
                refused(dataFrameOf("a")(1, "x"), int).let {
                    it shouldContain "column \"a\", row 1"
                    it shouldContain "int32"
                    it shouldContain "String"
                }
                refused(dataFrameOf("a")(1, null), int) shouldContain "column \"a\", row 1"
                refused(dataFrameOf("a")(1, 300), int.withType(ArrowType.INT8)) shouldContain "row 1"
                refused(dataFrameOf("b")(1), int.withNullable(true)) shouldContain "column \"b\" has no field"
                refused(dataFrameOf("b")(1), int, Field.nullable("b", ArrowType.INT32)) shouldContain
                    "field \"a\" is not nullable"
                refused(dataFrameOf("a")(1), int, int) shouldContain "same name"
                val group = dataFrameOf("x", "y")(1, "t").group("x", "y").into("a")
                refused(group, int) shouldContain "column \"a\" is a column group, its type in the schema is int32"
                val frames = dataFrameOf(columnOf(dataFrameOf("x")(1)).named("a"))
                refused(frames, int) shouldContain "column \"a\" is a frame column"
                val xy = ArrowType.struct(Field.notNull("x", ArrowType.INT32), Field.notNull("y", ArrowType.INT32))
                refused(group, int.withType(xy)) shouldContain "column \"a.y\", row 0"
                // The first columns are shared and copied already.
                val fields = lent.frame.toRecordBatch().use { it.schema.fields }
                refused(lent.frame, fields[0], int.withName("age"), *fields.drop(2).toTypedArray()) shouldContain
                    "column \"age\", row 2"
            }
        }

        test("columns without a type of Arrow are refused") {
            fun refused(column: DataColumn<*>) =
                shouldThrow<IllegalArgumentException> { dataFrameOf(column).toRecordBatch().close() }.message!!
            refused(columnOf<Any>(1, "x").named("any")) shouldContain
                "column \"any\": no Arrow type is the default for kotlin"
            refused(columnOf(BigDecimal("1e-60"), BigDecimal("1e60")).named("d")) shouldContain "at most 76 digits"
            refused(columnOf(mapOf<String?, Int>(null to 1)).named("m")) shouldContain "column \"m\""
        }

        test("frames without columns or rows") {
            val empty = Schema.of()
            RecordBatch.of(empty, listOf(), 3).use { batch ->
                batch.toDataFrame().use { lent ->
                    lent.frame.rowsCount() shouldBe 3
                    lent.frame.toRecordBatch().use { it.rowCount shouldBe 3 }
                }
            }
            people().use { it.slice(1, 0) }.use { none ->
                none.toDataFrame().use { lent ->
                    lent.frame.rowsCount() shouldBe 0
                    lent.frame.toRecordBatch(none.schema).use { it.valuesEqual(none) shouldBe true }
                }
            }
        }
    })

private fun batchValue(index: Int): Int? = listOf(null, 1, null, 3, 4, null)[index]

/** A column of structs of one number, which is not null, or of null structs. */
private fun structs(vararg values: Int?): RecordBatch {
    val type = ArrowType.struct(Field.notNull("v", ArrowType.INT32))
    val array: DeviceArray =
        deviceArray<Map<String, Any?>>(type) {
            addAll(
                values.map { v ->
                    v?.let { mapOf("v" to it) }
                },
            )
        }
    return RecordBatch.of(Schema.of(Field.nullable("s", type)), listOf(array))
}
