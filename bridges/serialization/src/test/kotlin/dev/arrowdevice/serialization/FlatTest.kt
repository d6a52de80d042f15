package dev.arrowdevice.serialization

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.recordBatch
import dev.arrowdevice.values
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.math.BigDecimal
import java.time.Instant
import java.time.LocalDate

/** Classes whose properties are one Arrow value each. */
class FlatTest :
    FunSpec({
        extension(Balance)

        test("objects become rows and rows objects") {
            val orders = listOf(Order(1, "Ada", "fragile"), Order(2, "Alan"))
            recordBatchOf(orders).use { batch ->
                batch.schema shouldBe
                    Schema.of(
                        Field.notNull("id", ArrowType.INT64),
                        Field.notNull("customer", ArrowType.UTF8),
                        Field.nullable("note", ArrowType.UTF8),
                    )
                batch.values<Long>("id").toList() shouldBe listOf(1L, 2L)
                batch.values<String>("note").toList() shouldBe listOf("fragile", null)
                batch.toList<Order>() shouldBe orders
            }
            schemaOf<Order>().names() shouldBe listOf("id", "customer", "note")
        }

        test("no rows make a batch without rows") {
            recordBatchOf(emptyList<Order>()).use { batch ->
                batch.rowCount shouldBe 0L
                batch.schema shouldBe schemaOf<Order>()
                batch.toList<Order>().shouldBeEmpty()
            }
        }

        test("numbers of all widths keep their extremes") {
            val rows =
                listOf(
                    Numbers(
                        true,
                        -128,
                        -32768,
                        Int.MIN_VALUE,
                        Long.MIN_VALUE,
                        -0f,
                        Double.MIN_VALUE,
                        'a',
                        0u,
                        0u,
                        0u,
                        0u,
                    ),
                    Numbers(
                        false,
                        127,
                        32767,
                        Int.MAX_VALUE,
                        Long.MAX_VALUE,
                        Float.NaN,
                        Double.NEGATIVE_INFINITY,
                        'ß',
                        UByte.MAX_VALUE,
                        UShort.MAX_VALUE,
                        UInt.MAX_VALUE,
                        ULong.MAX_VALUE,
                    ),
                )
            recordBatchOf(rows).use { batch ->
                batch.schema.fields().map { it.type().toString() } shouldBe
                    listOf("bool", "int8", "int16", "int32", "int64", "float32", "float64", "utf8") +
                    listOf("uint8", "uint16", "uint32", "uint64")
                batch.values<ULong>("ulong")[1] shouldBe ULong.MAX_VALUE
                batch.toList<Numbers>() shouldBe rows
            }
        }

        test("nulls of all widths stay null") {
            val rows =
                listOf(
                    Maybe(null, null, null, null, null, null, null, null, null, null, null, null, null),
                    Maybe(true, 1, 2, 3, 4, 5f, 6.0, '7', 8u, 9u, 10u, 11u, "12"),
                )
            recordBatchOf(rows).use { batch ->
                batch.schema.fields().all { it.nullable() } shouldBe true
                batch.toList<Maybe>() shouldBe rows
            }
        }

        test("annotations name columns and choose types") {
            val at = Instant.parse("2024-02-29T12:34:56.123456789Z")
            val row =
                Marked(7, "Ada", "de", BigDecimal("9.99"), at, LocalDate.of(2024, 2, 29), byteArrayOf(1, 2, 3, 4), 300)
            recordBatchOf(listOf(row, row.copy(country = null))).use { batch ->
                batch.schema shouldBe
                    Schema.of(
                        Field.notNull("order_id", ArrowType.INT64),
                        Field.notNull("Customer", ArrowType.LARGE_UTF8),
                        Field.nullable("country", ArrowType.dictionary(ArrowType.UINT8, ArrowType.UTF8)),
                        Field.notNull("price", ArrowType.decimal128(10, 2)),
                        Field.notNull("at", ArrowType.timestamp(TimeUnit.MICROSECOND, "Europe/Berlin")),
                        Field.notNull("day", ArrowType.DATE32),
                        Field.notNull("key", ArrowType.fixedSizeBinary(4)),
                        Field.notNull("small", ArrowType.INT16),
                    )
                val back = batch.toList<Marked>()
                back[0].at shouldBe Instant.parse("2024-02-29T12:34:56.123456Z")
                back.map { it.country } shouldBe listOf("de", null)
                back[0].key.toList() shouldBe row.key.toList()
                back[0].copy(at = at, key = row.key) shouldBe row
            }
        }

        test("a batch that was built by hand is read by name, in any order, with more columns and of other widths") {
            val built =
                recordBatch {
                    column<String>("extra") { add("x") }
                    column<String>("customer", ArrowType.UTF8_VIEW) { add("Ada") }
                    column<Int>("id", ArrowType.INT8) { add(5) }
                }
            built.use { it.toList<Order>() shouldBe listOf(Order(5, "Ada", null)) }
        }

        test("a property without a column has its default") {
            val built =
                recordBatch {
                    column<Int>("count") { addAll(listOf(1, 2)) }
                    column<String>("sku") { addAll(listOf("a", "b")) }
                }
            built.use { it.toList<Item>() shouldBe listOf(Item("a", 1, Status.OPEN), Item("b", 2, Status.OPEN)) }
        }
    })
