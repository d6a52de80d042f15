package dev.arrowdevice.serialization

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.StructType
import dev.arrowdevice.addAll
import dev.arrowdevice.recordBatch
import dev.arrowdevice.serialization.JavaRecords.Closed
import dev.arrowdevice.serialization.JavaRecords.Event
import dev.arrowdevice.serialization.JavaRecords.Knot
import dev.arrowdevice.serialization.JavaRecords.Level
import dev.arrowdevice.serialization.JavaRecords.Logged
import dev.arrowdevice.serialization.JavaRecords.Loose
import dev.arrowdevice.serialization.JavaRecords.Odd
import dev.arrowdevice.serialization.JavaRecords.Opened
import dev.arrowdevice.serialization.JavaRecords.Place
import dev.arrowdevice.serialization.JavaRecords.Primitives
import dev.arrowdevice.serialization.JavaRecords.Sale
import dev.arrowdevice.serialization.JavaRecords.Strict
import dev.arrowdevice.serialization.JavaRecords.Tour
import dev.arrowdevice.values
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.SerializationException
import java.math.BigDecimal
import java.time.Instant
import java.time.LocalDate
import java.util.UUID

/** Records of Java, which no compiler plugin has seen. */
class RowsTest :
    FunSpec({
        extension(Balance)

        val sale =
            Sale(
                1,
                "Ada",
                "fragile",
                2,
                Level.HIGH,
                Place("Ulm", 89073),
                listOf(Place("Bonn", 53111)),
                mapOf("A-1" to 3L, "B-7" to null),
                BigDecimal("9.99"),
                Instant.parse("2024-02-29T12:34:56.123456789Z"),
                LocalDate.of(2024, 2, 29),
                UUID(1, 2),
            )
        val bare =
            Sale(
                2,
                "Alan",
                null,
                null,
                Level.LOW,
                Place("Ulm", 1),
                listOf(),
                mapOf(),
                sale.price,
                sale.at,
                null,
                sale.key,
            )

        test("records become rows and rows records") {
            JavaRecords.backAndForth(listOf(sale, bare), Sale::class.java) shouldBe listOf(sale, bare)
            val primitives = Primitives(true, 1, 2, 3, 4, 5f, 6.0, '7')
            JavaRecords.backAndForth(listOf(primitives), Primitives::class.java) shouldBe listOf(primitives)
        }

        test("annotations and null markers steer the schema") {
            val schema = Rows.schemaOf(Sale::class.java)
            schema.field("customer_name") shouldBe Field.notNull("customer_name", ArrowType.UTF8)
            schema.field("note") shouldBe Field.nullable("note", ArrowType.UTF8)
            schema.field("count") shouldBe Field.nullable("count", ArrowType.INT32)
            schema.field("level") shouldBe
                Field.notNull("level", ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8))
            schema.field("price").type() shouldBe ArrowType.decimal128(10, 2)
            schema.field("stock").type() shouldBe ArrowType.map(ArrowType.UTF8, ArrowType.INT64)
            schema.field("stops").children()[0].nullable() shouldBe false
            val loose = Rows.schemaOf(Loose::class.java)
            loose.fields().map { it.nullable() } shouldBe listOf(true, false, true)
            loose.field("numbers").children()[0].nullable() shouldBe true
        }

        test("components that may be null are, and the others are not") {
            val rows = listOf(Loose(null, "x", null), Loose("a", "y", listOf(1, null)))
            JavaRecords.backAndForth(rows, Loose::class.java) shouldBe rows
            shouldThrow<SerializationException> {
                Rows.toBatch(listOf(JavaRecords.uncertain()), Loose::class.java)
            }.message shouldContain "row 0: certain is null, and the component is not nullable"
        }

        test("nulls that annotations forbid are refused with their row") {
            val (within, asRow) = JavaRecords.toursWithNulls()
            shouldThrow<SerializationException> { Rows.toBatch(within, Tour::class.java) }.message shouldBe
                "Tour.stops[], row 1: the value is null, and may not be"
            shouldThrow<SerializationException> { Rows.toBatch(asRow, Tour::class.java) }.message shouldBe
                "Tour, row 1: the row is null"
        }

        test("a sealed interface of records is a hierarchy") {
            val rows = listOf(Logged(1, Opened(5)), Logged(2, Closed(6, "done")), Logged(3, null))
            Rows.toBatch(rows, Logged::class.java).use { batch ->
                val type = batch.schema.field("event").type() as StructType
                type.fields().map { it.name() } shouldBe listOf("type", "by", "why")
                Rows.toList(batch, Logged::class.java) shouldBe rows
            }
            val events = rows.mapNotNull { it.event }
            Rows.toBatch(events, Event::class.java).use { batch ->
                batch.values<String>("type").toList() shouldBe listOf("opened", "Closed")
                Rows.toList(batch, Event::class.java) shouldBe events
            }
        }

        test("a given schema wins") {
            val schema = Rows.schemaOf(Place::class.java).let { it.plus(Field.nullable("more", ArrowType.INT8)) }
            Rows.toBatch(listOf(Place("Ulm", 1)), Place::class.java, schema).use { it.schema shouldBe schema }
        }

        test("a stream is read to its end, batch by batch, and each is closed") {
            val places = listOf(Place("Ulm", 1), Place("Bonn", 2))
            val batches = places.map { Rows.toBatch(listOf(it), Place::class.java) }
            val seen = ArrayList<Place>()
            DeviceArrayStream.of(Rows.schemaOf(Place::class.java), batches).use { stream ->
                Rows.forEach(stream, Place::class.java, seen::add)
            }
            seen shouldBe places
        }

        test("what a record can't be is refused") {
            fun messageOf(block: () -> Unit) = shouldThrow<SerializationException>(block).message
            messageOf { Rows.schemaOf(Knot::class.java) } shouldBe
                "the class contains itself, which no Arrow type can: Knot → Knot"
            messageOf { Rows.schemaOf(Odd::class.java) } shouldContain
                "Odd.anything: no Arrow type stands for java.lang.Object"
            messageOf { Rows.schemaOf(String::class.java) } shouldContain "is neither a record nor a sealed interface"
            recordBatch { column<Int>("id") { addAll(listOf(1, 0)) } }.use { batch ->
                messageOf { Rows.toList(batch, Strict::class.java) } shouldBe "Strict, row 1: ids begin at 1"
            }
        }
    })
