package dev.arrowdevice.serialization

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.TypeId
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.recordBatch
import dev.arrowdevice.struct
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.Contextual
import kotlinx.serialization.EncodeDefault
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import java.math.BigDecimal
import java.util.Locale

@Serializable
data class Node(
    val name: String,
    val children: List<Node>,
)

@Serializable
data class Expanding<T>(
    val next: Expanding<List<T>>? = null,
)

@Serializable
data class Careful(
    val id: Int,
    val address: Address? = null,
) {
    init {
        require(id > 0) { "ids begin at 1" }
    }
}

@Serializable
data class Numbered(
    val id: Int,
    val numbers: Set<Int>,
)

@Serializable
data class Priced(
    @Contextual val price: BigDecimal,
)

@Serializable
data class Unknown(
    @Contextual val locale: Locale,
)

@Serializable
data class Twice(
    val a: Int,
    @ColumnName("a") val b: Int,
)

@Serializable
data class NullKeys(
    val map: Map<String?, Int>,
)

@Serializable
data class Misfit(
    @StoredAs(TypeId.UTF8) val n: Int,
)

@Serializable
sealed interface Clash

@Serializable
@SerialName("left")
data class Left(
    val n: Int,
) : Clash

@Serializable
@SerialName("right")
data class Right(
    val n: String,
) : Clash

@Serializable
sealed interface Mark

@Serializable
data class Stamp(
    val type: String,
) : Mark

@OptIn(ExperimentalSerializationApi::class)
@Serializable
data class Sparing(
    @EncodeDefault(EncodeDefault.Mode.NEVER) val a: Int = 1,
    @EncodeDefault(EncodeDefault.Mode.NEVER) val b: Int = 2,
)

private inline fun messageOf(block: () -> Unit): String = shouldThrow<SerializationException>(block).message!!

private inline fun <reified T : Any> messageOfReading(batch: RecordBatch): String =
    batch.use { messageOf { it.toList<T>() } }

/** Bad input: what is refused names class, property and row, and nothing leaks. */
class FailureTest :
    FunSpec({
        extension(Balance)

        val narrow =
            Schema.of(
                Field.notNull("id", ArrowType.INT8),
                Field.notNull("customer", ArrowType.UTF8),
                Field.nullable("note", ArrowType.UTF8),
            )

        test("a row that does not fit names class, property and row") {
            val orders = listOf(Order(1, "Ada"), Order(2, "Alan"), Order(300, "Grace"))
            messageOf { recordBatchOf(orders, narrow) } shouldBe "Order.id, row 2: 300 does not fit int8"
            messageOf { recordBatchOf(listOf(Order(1, "\uD800"))) } shouldContain "Order.customer, row 0: "
        }

        test("a value within that does not fit names the way to it") {
            val item = Item("\uDC00", 1)
            val row =
                Nested(
                    CustomerId(5),
                    Price(BigDecimal("9.99")),
                    Nickname("A"),
                    null,
                    Address("Ulm", 1),
                    null,
                    listOf(Item("A-1", 2), item),
                    Status.PAID,
                    listOf(),
                )
            messageOf { recordBatchOf(listOf(row)) } shouldContain "Nested.items[].sku, row 0: "
            val ok = row.copy(items = emptyList())
            messageOf { recordBatchOf(listOf(ok, ok.copy(price = Price(BigDecimal("0.001"))))) } shouldContain
                "Nested.price, row 1: "
            messageOf { recordBatchOf(listOf(Drawing(1, Circle("\uD800", 1.0), null, listOf()))) } shouldContain
                "Drawing.shape.name, row 0: "
        }

        test("a class that contains itself is refused with the cycle") {
            messageOf { schemaOf<Node>() } shouldBe
                "Node.children: the class contains itself, which no Arrow type can: Node → Node"
            messageOf { recordBatchOf(listOf<Node>()) } shouldContain "Node → Node"
            messageOf { schemaOf<Expanding<Int>>() } shouldContain "the class contains itself"
            recordBatch { column<String>("name") { add("x") } }.let {
                messageOfReading<Node>(it) shouldContain "Node.children: there is no column"
            }
        }

        test("classes without a schema are refused with the property and the reason") {
            messageOf { schemaOf<Priced>() } shouldContain "Priced.price: how many digits? Add @DecimalDigits"
            messageOf { schemaOf<Unknown>() } shouldContain "Unknown.locale: the module of the format has no serializer"
            messageOf { schemaOf<Twice>() } shouldBe "Twice.b: the class has two columns of the name \"a\""
            messageOf { schemaOf<NullKeys>() } shouldBe "NullKeys.map: keys of a map are not null in Arrow"
            messageOf { schemaOf<Misfit>() } shouldBe "Misfit.n: an Int can't be stored as utf8"
            messageOf { schemaOf<Clash>() } shouldContain "two classes have a field \"n\", of type int32 and utf8"
            messageOf { schemaOf<List<Int>>() } shouldContain "rows are objects of a class with properties"
            messageOf { schemaOf<String>() } shouldContain "rows are objects of a class with properties"
        }

        test("a schema that a class does not fit is refused with field and type") {
            val order = listOf(Order(1, "Ada"))
            val text = Schema.of(narrow.fields().map { if (it.name() == "id") it.withType(ArrowType.UTF8) else it })
            messageOf { recordBatchOf(order, text) } shouldBe
                "Order.id: a Long can't be written to the column \"id\" of type utf8"
            messageOf { recordBatchOf(order, Schema.of(narrow.fields().take(2))) } shouldBe
                "Order.note: there is no column \"note\"; there are: id, customer"
            val strict = Schema.of(narrow.fields().map { it.withNullable(false) })
            messageOf { recordBatchOf(order, strict) } shouldContain "Order.note: the property may be null"
            messageOf { recordBatchOf(order, narrow.plus(Field.notNull("more", ArrowType.INT8))) } shouldBe
                "Order: no property is for \"more\" of the schema, which is not nullable"
            recordBatchOf(order, narrow.plus(Field.nullable("more", ArrowType.INT8))).use {
                it.column("more").isNull(0) shouldBe true
                it.toList<Order>() shouldBe order
            }
        }

        test("two values for one column of a row are refused") {
            val numbers = Schema.of(Field.notNull("a", ArrowType.INT32))
            messageOf { recordBatchOf(listOf(Twice(1, 2)), numbers) } shouldBe
                "Twice.b: the column \"a\" would have two values in each row; rename with @ColumnName"
            val types = Schema.of(Field.notNull("type", ArrowType.UTF8))
            messageOf { recordBatchOf(listOf<Mark>(Stamp("x")), types) } shouldContain
                ".type: the column \"type\" would have two values in each row"
        }

        test("a serializer that leaves properties out is refused, so that no value slips into another row") {
            messageOf { recordBatchOf(listOf(Sparing(1, 5), Sparing(7, 2))) } shouldContain
                "Sparing, row 0: the serializer wrote 1 of 2 properties"
            recordBatchOf(listOf(Sparing(3, 4))).use { it.toList<Sparing>() shouldBe listOf(Sparing(3, 4)) }
        }

        test("two columns of a property's name are refused") {
            val batch =
                recordBatch {
                    column<Long>("id") { add(1L) }
                    column<String>("customer") { add("Ada") }
                }
            batch.use {
                it.rename("customer", "id").use { twice ->
                    messageOf { twice.toList<Order>() } shouldContain "Order.id: more than one column is named \"id\""
                }
                it.select("id", "customer", "id").use { same ->
                    messageOf { same.toList<Order>() } shouldContain "Order.id: more than one column is named \"id\""
                }
            }
        }

        test("a batch that does not fit a class is refused with field and type") {
            messageOfReading<Order>(recordBatch { column<Long>("id") { add(1L) } }) shouldBe
                "Order.customer: there is no column \"customer\", and the property has no default and is not nullable" +
                "; there are: id"
            val wrong =
                recordBatch {
                    column<Double>("id") { add(1.0) }
                    column<String>("customer") { add("Ada") }
                }
            messageOfReading<Order>(wrong) shouldBe
                "Order.id: a Long can't be read from the column \"id\" of type float64"
        }

        test("a value that does not fit a property names class, property and row") {
            val nulls =
                recordBatch {
                    column<Long>("id") { addAll(listOf(1L, null)) }
                    column<String>("customer") { addAll(listOf("Ada", "Alan")) }
                }
            messageOfReading<Order>(nulls) shouldBe
                "Order.id, row 1: the value is null, and the property is not nullable"
            val large =
                recordBatch {
                    column<ULong>("id") { addAll(listOf(1uL, ULong.MAX_VALUE)) }
                    column<String>("customer") { addAll(listOf("Ada", "Alan")) }
                }
            messageOfReading<Order>(large) shouldBe "Order.id, row 1: 18446744073709551615 is no value of Long"
            val city =
                recordBatch {
                    val id = column<Int>("id")
                    val address = struct("address") { column<String>("city") }
                    id.add(1)
                    address.row("Ulm")
                    id.add(2)
                    address.row(null)
                }
            messageOfReading<Careful>(city) shouldBe
                "Careful.address.city, row 1: the value is null, and the property is not nullable"
            val elements =
                recordBatch {
                    column<Int>("id") { add(1) }
                    list<Int>("numbers") { add(listOf(1, null)) }
                }
            messageOfReading<Numbered>(elements) shouldBe
                "Numbered.numbers[], row 0: the value is null, and the property is not nullable"
            val lists =
                recordBatch {
                    column<Int>("id") { add(1) }
                    list<Int>("numbers") { addNull() }
                }
            messageOfReading<Numbered>(lists) shouldBe
                "Numbered.numbers, row 0: the value is null, and the property is not nullable"
        }

        test("what a class itself refuses names class and row") {
            val batch = recordBatch { column<Int>("id") { addAll(listOf(1, 0)) } }
            messageOfReading<Careful>(batch) shouldBe "Careful, row 1: ids begin at 1"
        }

        test("names that an enum or a hierarchy lacks are refused") {
            val items =
                recordBatch {
                    column<String>("sku") { add("A") }
                    column<Int>("count") { add(1) }
                    column<String>("status") { add("LOST") }
                }
            messageOfReading<Item>(items) shouldBe "Item.status, row 0: \"LOST\" is no constant of Status"
            val shapes =
                recordBatch {
                    column<String>("type") { add("star") }
                    column<String>("name") { add("x") }
                    column<Int>("width") { addNull() }
                    column<Double>("radius") { addNull() }
                }
            messageOfReading<Shape>(shapes) shouldContain "Shape, row 0: Serializer for subclass 'star' is not found"
        }

        test("a closed batch is an illegal state") {
            val batch = recordBatchOf(listOf(Order(1, "Ada")))
            batch.close()
            shouldThrow<IllegalStateException> { batch.toList<Order>() }
        }

        test("an iterable that fails leaves nothing") {
            val rows = sequence { yield(Order(1, "Ada")).also { error("no more") } }
            shouldThrow<IllegalStateException> { recordBatchOf(rows.asIterable()) }.message shouldBe "no more"
        }
    })
