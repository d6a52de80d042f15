@file:OptIn(ExperimentalUuidApi::class, ExperimentalUnsignedTypes::class)

package dev.arrowdevice.serialization

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.StructType
import dev.arrowdevice.TypeId
import dev.arrowdevice.UnionType
import dev.arrowdevice.values
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import java.math.BigDecimal
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.time.LocalDate
import java.time.LocalDateTime
import java.time.LocalTime
import java.time.OffsetDateTime
import java.time.Period
import java.util.UUID
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.uuid.ExperimentalUuidApi
import kotlin.uuid.Uuid

@Serializable
sealed interface Paint

@Serializable
@SerialName("flat")
data class Flat(
    val status: Status,
) : Paint

@Serializable
@SerialName("glossy")
data class Glossy(
    val status: Status?,
    val coats: Int,
) : Paint

@Serializable
data class Wall(
    @DenseUnion val paint: Paint,
    @DenseUnion val trim: Paint?,
)

@Serializable
data class House(
    val wall: Wall?,
)

private inline fun <reified T : Any> backAndForth(
    rows: List<T>,
    format: ArrowFormat = ArrowFormat,
): List<T> = recordBatchOf(rows, format).use { it.toList<T>(format) }

/** Classes within classes, collections, hierarchies, and classes of the JDK. */
class NestedTest :
    FunSpec({
        extension(Balance)

        test("classes in classes are structs, value classes what they hold, enums dictionaries of all their names") {
            val full =
                Nested(
                    CustomerId(5),
                    Price(BigDecimal("9.99")),
                    Nickname("A"),
                    CustomerId(6),
                    Address("Ulm", 89073),
                    Address("Bonn", null),
                    listOf(Item("A-1", 2, Status.SHIPPED), Item("B-7", 1)),
                    Status.PAID,
                    listOf(Status.OPEN, null, Status.SHIPPED),
                )
            val bare =
                full.copy(
                    nickname = Nickname(null),
                    maybeCustomer = null,
                    delivery = null,
                    items = emptyList(),
                    history = emptyList(),
                )
            val rows = listOf(full, bare, full.copy(status = Status.OPEN))
            recordBatchOf(rows).use { batch ->
                batch.schema.field("customer") shouldBe Field.notNull("customer", ArrowType.INT64)
                batch.schema.field("price") shouldBe Field.notNull("price", ArrowType.decimal128(12, 2))
                batch.schema.field("nickname").nullable() shouldBe true
                batch.schema.field("address").type() shouldBe
                    ArrowType.struct(Field.notNull("city", ArrowType.UTF8), Field.nullable("zip", ArrowType.INT32))
                batch.schema.field("status").type() shouldBe ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8)
                batch
                    .column("status")
                    .dictionary
                    .values<String>()
                    .toList() shouldBe listOf("OPEN", "paid", "SHIPPED")
                batch.toList<Nested>() shouldBe rows
            }
        }

        test("collections are lists and maps are maps") {
            val row =
                Collections(
                    listOf(1, 2, 3),
                    listOf(1L, null),
                    listOf(listOf(1.0), emptyList(), listOf(2.0, 3.0)),
                    setOf("a", "b"),
                    mapOf("x" to 1, "y" to null),
                    mapOf(7 to listOf(Address("Ulm", 1)), 8 to emptyList()),
                    mapOf(Status.PAID to null, Status.OPEN to Address("Bonn", null)),
                    1 to "one",
                    listOf(1f, 2f, 3f),
                    listOf("t", "u", "t"),
                    listOf(BigDecimal("1.500")),
                )
            val rows =
                listOf(row, row.copy(ints = emptyList(), maybe = null, matrix = emptyList(), map = emptyMap()), row)
            recordBatchOf(rows).use { batch ->
                val types = batch.schema.fields().associate { it.name() to it.type().id() }
                types["point"] shouldBe TypeId.FIXED_SIZE_LIST
                types["tags"] shouldBe TypeId.LARGE_LIST
                types["deep"] shouldBe TypeId.MAP
                types["pair"] shouldBe TypeId.STRUCT
                batch.schema
                    .field("tags")
                    .children()[0]
                    .type() shouldBe
                    ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8)
                batch.schema
                    .field("prices")
                    .children()[0]
                    .type() shouldBe ArrowType.decimal128(9, 3)
                batch.toList<Collections>() shouldBe rows
            }
        }

        test("arrays of primitives are lists, and those of bytes binary") {
            val rows =
                listOf(
                    Arrays(
                        byteArrayOf(1, -1),
                        intArrayOf(1, 2),
                        longArrayOf(3),
                        doubleArrayOf(4.0),
                        booleanArrayOf(true, false),
                        charArrayOf('a', 'ß'),
                        arrayOf("x", "y"),
                        uintArrayOf(UInt.MAX_VALUE),
                    ),
                    Arrays(
                        byteArrayOf(),
                        intArrayOf(),
                        longArrayOf(),
                        doubleArrayOf(),
                        booleanArrayOf(),
                        charArrayOf(),
                        arrayOf(),
                        uintArrayOf(),
                    ),
                )
            recordBatchOf(rows).use { batch ->
                batch.schema.field("bytes").type() shouldBe ArrowType.BINARY
                batch.toList<Arrays>().map { it.contents() } shouldBe rows.map { it.contents() }
            }
        }

        test("times, decimals and UUIDs have the types of Arrow, and keep each nanosecond") {
            val instant = Instant.parse("2024-02-29T12:34:56.123456789Z")
            val full =
                Times(
                    instant,
                    OffsetDateTime.parse("2024-02-29T12:34:56.5Z"),
                    LocalDateTime.parse("2024-02-29T12:34:56.000000001"),
                    LocalDate.of(1969, 7, 20),
                    LocalTime.MAX,
                    Duration.ofNanos(-5),
                    Period.ofMonths(15).normalized(),
                    kotlin.time.Instant.parse("1969-07-20T20:17:40.000000001Z"),
                    (-1500).nanoseconds,
                    kotlin.time.Instant.parse("2024-02-29T12:34:56Z"),
                    UUID(1, 2),
                    Uuid.fromLongs(3, 4),
                    BigInteger.TEN.pow(37),
                    LocalDate.of(2024, 2, 29),
                )
            val bare = full.copy(local = null, took = null, maybeAt = null, uuid = null)
            recordBatchOf(listOf(full, bare)).use { batch ->
                batch.schema.field("asText").type() shouldBe ArrowType.UTF8
                batch.values<Instant>("at")[0] shouldBe Instant.parse("1969-07-20T20:17:40.000000001Z")
                batch.values<UUID>("key")[0] shouldBe UUID(1, 2)
                val back = batch.toList<Times>()
                back.map { it.copy(every = full.every) } shouldBe listOf(full, bare)
                back[0].every.toTotalMonths() shouldBe 15
            }
        }

        val drawings =
            listOf(
                Circle("c", 1.5) to null,
                Box("b", 2, Address("Ulm", 3)) to Dot,
                Dot to Circle("d", 0.0),
            ).mapIndexed { i, (shape, maybe) -> Drawing(i, shape, maybe, listOfNotNull(shape, maybe)) }

        test("a sealed hierarchy is a struct of all fields and a discriminator") {
            recordBatchOf(drawings).use { batch ->
                val type = batch.schema.field("shape").type() as StructType
                type.fields().map { it.name() } shouldBe listOf("type", "name", "width", "corner", "radius")
                batch.toList<Drawing>() shouldBe drawings
            }
        }

        test("a sealed hierarchy is a dense union if asked for") {
            val rows = drawings.map { UnionDrawing(it.id, it.shape, it.maybe, it.shapes) }
            recordBatchOf(rows).use { batch ->
                val type = batch.schema.field("shape").type() as UnionType
                type.fields().map { it.name() } shouldBe listOf("box", "circle", "dot")
                batch.toList<UnionDrawing>() shouldBe rows
            }
            val format = ArrowFormat { unions = true }
            schemaOf<Drawing>(format).field("maybe").type().id() shouldBe TypeId.DENSE_UNION
            backAndForth(drawings, format) shouldBe drawings
        }

        test("classes of a union have enums, also after nulls and values of other classes") {
            val walls = listOf(Wall(Glossy(null, 2), null), Wall(Flat(Status.PAID), Flat(Status.SHIPPED)))
            val rows = listOf(House(null)) + walls.map(::House) + House(null)
            backAndForth(rows) shouldBe rows
            backAndForth(rows.reversed()) shouldBe rows.reversed()
            val sparse =
                schemaOf<Wall>().let { schema ->
                    Schema.of(
                        schema.fields().map {
                            it.withType(ArrowType.sparseUnion(listOf(0, 1), it.type().children()))
                        },
                    )
                }
            recordBatchOf(walls, sparse).use { it.toList<Wall>() shouldBe walls }
        }

        test("rows may be of a sealed hierarchy, and the discriminator have another name") {
            val shapes = drawings.map { it.shape }
            val format = ArrowFormat { discriminator = "kind" }
            recordBatchOf(shapes, format).use { batch ->
                batch.schema.names() shouldBe listOf("kind", "name", "width", "corner", "radius")
                batch.values<String>("kind").toList() shouldBe listOf("circle", "box", "dot")
                batch.toList<Shape>(format) shouldBe shapes
            }
        }

        test("generic classes have the schema of their arguments") {
            val rows = listOf(Generic(Generic("a"), 2), Generic(Generic("b", 3)))
            backAndForth(rows) shouldBe rows
            schemaOf<Generic<Int?>>().field("value") shouldBe Field.nullable("value", ArrowType.INT32)
        }
    })
