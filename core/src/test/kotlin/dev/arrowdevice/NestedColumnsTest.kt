package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.messageOf
import dev.arrowdevice.builder.objects
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.time.OffsetDateTime
import java.time.ZonedDateTime
import java.util.Date
import java.util.concurrent.TimeUnit as Unit

private data class Item(
    val sku: String,
    val count: Int?,
)

private val ORDERS = listOf(listOf(Item("A-1", 2), Item("B-7", null)), emptyList(), null, listOf(Item("C-3", 1)))

/** Lists of structs, maps of lists, and rows. */
class NestedColumnsTest :
    FunSpec({
        extension(MemoryBalance())

        fun orders(): RecordBatch =
            recordBatch {
                val items =
                    listOfStructs("items", {
                        field<String>("sku", nullable = false)
                        field<Int>("count")
                    })
                for (order in ORDERS) {
                    if (order == null) items.addNull() else items.add { for (item in order) row(item.sku, item.count) }
                }
            }

        test("a list of structs is built of rows, and read as a list of maps") {
            orders().use { batch ->
                batch.column("items").type.toString() shouldBe
                    "list<item: struct<sku: utf8 not null, count: int32>>"
                batch.values<List<Map<String, Any?>>>("items").toList() shouldBe
                    ORDERS.map { order -> order?.map { mapOf("sku" to it.sku, "count" to it.count) } }
            }
        }

        test("a list of structs is read by the columns of its fields, and the range that each list has in them") {
            orders().use { batch ->
                val items = batch.column("items").child(0).struct()
                val skus = items.values<String>("sku").requireNoNulls()
                val counts = items.values<Int>("count")
                batch.values<LongRange>("items").map { range -> range?.map { Item(skus[it], counts[it]) } } shouldBe
                    ORDERS
            }
        }

        test("a range is that of the child, also in a slice") {
            orders().use { batch ->
                batch.slice(1, 3).use { slice ->
                    val skus =
                        slice
                            .column("items")
                            .child(0)
                            .struct()
                            .values<String>("sku")
                    val ranges = slice.values<LongRange>("items")
                    ranges.toList() shouldBe listOf(2L..1L, null, 2L..2L)
                    ranges[2]!!.map { skus[it] } shouldBe listOf("C-3")
                    ranges[2L] shouldBe 2L..2L
                }
            }
        }

        test("every kind of list, and a map, has ranges") {
            val int = ArrowType.INT32
            val lists =
                listOf(
                    ArrowType.list(int),
                    ArrowType.largeList(int),
                    ArrowType.listView(int),
                    ArrowType.largeListView(int),
                )
            for (type in lists + ArrowType.fixedSizeList(int, 2)) {
                deviceArray<List<Int>>(type) { addAll(listOf(listOf(1, 2), null, listOf(3, 4))) }.use { array ->
                    val elements = array.child(0).values<Int>()
                    array.values<LongRange>().map { range -> range?.map { elements[it] } } shouldBe
                        listOf(listOf(1, 2), null, listOf(3, 4))
                }
            }
            deviceArray<Map<String, Int>> { add(mapOf("a" to 1, "b" to 2)) }.use { array ->
                val keys = array.child(0).struct().values<String>("key")
                array.values<LongRange>()[0]!!.map { keys[it] } shouldBe listOf("a", "b")
            }
        }

        test("a field of lists has ranges where its struct is not null") {
            recordBatch {
                struct("order") {
                    val id = column<Int>("id")
                    val scores = list<Int>("scores")
                    id.add(1)
                    scores.add(listOf(1, 2))
                    addNull()
                    id.add(3)
                    scores.add(listOf(3))
                }
            }.use { batch ->
                val order = batch.struct("order")
                val scores =
                    order.array
                        .child("scores")
                        .child(0)
                        .values<Int>()
                order.values<LongRange>("scores").map { range -> range?.map { scores[it] } } shouldBe
                    listOf(listOf(1, 2), null, listOf(3))
            }
        }

        test("an encoded list and a number have no ranges, and the message names the types that fit") {
            deviceArray(ArrowType.dictionary(ArrowType.INT8, ArrowType.list(ArrowType.INT32))) { add(listOf(1)) }.use {
                messageOf { it.values<LongRange>() } shouldContain "the types that fit are List<Int?>, List<Long?>"
            }
            deviceArrayOf(1).use { messageOf { it.values<LongRange>() } shouldContain "no values of type LongRange" }
            deviceArray<List<Int>> { addNull() }.use {
                messageOf { it.struct() } shouldContain "has no fields; values<…>() reads its values"
                messageOf { it.values<Int>() } shouldContain "the types that fit are List<Int?>, List<Long?>, LongRange"
            }
        }

        test("the message of a list that is taken for a struct says where the structs are") {
            orders().use { batch ->
                messageOf { batch.struct("items") } shouldContain
                    "has no fields; child(0).struct() has those of all its structs"
            }
        }

        test("structs of other lists and maps, and lists of structs within structs, are built in the DSL") {
            recordBatch {
                map<String, List<Double>>("series") { add(mapOf("a" to listOf(1.0, 2.0), "b" to emptyList())) }
                map<String, Map<String, List<Int?>>>("deep") { add(mapOf("x" to mapOf("y" to listOf(1, null)))) }
                list<List<Int>>("matrix") {
                    add {
                        add { addAll(1..2) }
                        add { add(3) }
                    }
                }
                column<List<Map<String, Any?>>>("typed", ArrowType.list(structType { field<Int>("n") })) {
                    add { row(1) }
                }
                struct("order") {
                    listOfStructs("items", {
                        field<String>("sku")
                        listOfStructs("parts") { field<Int>("n") }
                    }) {
                        add { row("A-1", listOf(listOf(1), mapOf("n" to 2))) }
                    }
                }
            }.use { batch ->
                batch.values<Map<String, List<Double>>>("series")[0] shouldBe
                    mapOf("a" to listOf(1.0, 2.0), "b" to emptyList())
                batch.values<Map<String, Map<String, List<Int?>>>>("deep")[0] shouldBe
                    mapOf("x" to mapOf("y" to listOf(1, null)))
                batch.values<List<List<Int>>>("matrix")[0] shouldBe listOf(listOf(1, 2), listOf(3))
                batch.values<List<Map<String, Any?>>>("typed")[0] shouldBe listOf(mapOf("n" to 1))
                batch.column("order").objects() shouldBe
                    listOf(
                        mapOf(
                            "items" to
                                listOf(mapOf("sku" to "A-1", "parts" to listOf(mapOf("n" to 1), mapOf("n" to 2)))),
                        ),
                    )
            }
        }

        test("a schema declares lists of structs, which a batch of it fills by row") {
            val schema =
                schema {
                    field<Long>("id")
                    listOfStructs("items", nullable = false, elementNullable = false) { field<String>("sku") }
                }
            recordBatch(schema) {
                row(1L, listOf(mapOf("sku" to "A-1"), listOf("B-7")))
            }.use {
                it.values<List<Map<String, Any?>>>("items")[0] shouldBe
                    listOf(mapOf("sku" to "A-1"), mapOf("sku" to "B-7"))
            }
            messageOf { recordBatch(schema) { row(1L, listOf(null)) } } shouldContain "items"
        }

        test("the row of a list of structs that has too few values names the column") {
            messageOf {
                recordBatch {
                    listOfStructs("items", {
                        field<String>("sku")
                        field<Int>("count")
                    }) { add { row("A-1") } }
                }
            } shouldContain "items"
        }

        test("a batch has rows: maps from the columns' names to values") {
            recordBatch {
                column<Long>("id") { addAll(1L..2L) }
                column<String>("name") { addAll(listOf("Ada", null)) }
            }.use { batch ->
                val expected = listOf(mapOf("id" to 1L, "name" to "Ada"), mapOf("id" to 2L, "name" to null))
                batch.rows().toList() shouldBe expected
                buildList { for (row in batch.rows()) add(row["name"] as String?) } shouldBe listOf("Ada", null)
                batch.rows()[1]["id"] shouldBe 2L
                batch.rows().length shouldBe 2L
                batch.slice(1, 1).use { it.rows().single() shouldBe expected[1] }
            }
            recordBatch { }.use { it.rows().toList() shouldBe emptyList() }
        }

        test("a Kotlin type without an Arrow type is refused with what to write instead") {
            messageOf { arrowTypeOf<OffsetDateTime>() } shouldContain "add its toInstant() to a column<Instant>"
            messageOf { arrowTypeOf<ZonedDateTime>() } shouldContain "toInstant()"
            messageOf { arrowTypeOf<Date>() } shouldContain "toInstant()"
            messageOf { arrowTypeOf<Unit>() } shouldContain "add its name to a dictionary<String>"
            messageOf { arrowTypeOf<List<Item>>() } shouldContain "listOfStructs"
        }
    })
