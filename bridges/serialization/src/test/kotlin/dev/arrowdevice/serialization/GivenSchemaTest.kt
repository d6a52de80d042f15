package dev.arrowdevice.serialization

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.values
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.serialization.Polymorphic
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.polymorphic
import kotlinx.serialization.modules.subclass
import java.util.UUID

@Serializable
data class Sample(
    val id: Int,
    val at: Long,
    val value: Double,
    val status: Status,
    val text: String,
    val flag: Boolean,
    @Serializable(with = UuidSerializer::class) val key: UUID,
)

@Serializable
class Blob(
    val bytes: ByteArray,
)

interface Plugin

@Serializable
@SerialName("mail")
data class Mail(
    val to: String,
) : Plugin

@Serializable
@SerialName("log")
data class Log(
    val level: Int,
) : Plugin

@Serializable
data class Rule(
    val id: Int,
    @Polymorphic val plugin: Plugin,
)

/** Schemas that are given, and classes that a module names. */
class GivenSchemaTest :
    FunSpec({
        extension(Balance)

        test("a schema that is given wins: its order, types, encodings and metadata") {
            val schema =
                Schema
                    .of(
                        Field.notNull("key", ArrowType.UTF8),
                        Field.notNull("flag", ArrowType.bool8()),
                        Field.nullable("text", ArrowType.runEndEncoded(ArrowType.INT32, ArrowType.UTF8_VIEW)),
                        Field.notNull("status", ArrowType.LARGE_UTF8),
                        Field.notNull("value", ArrowType.FLOAT32),
                        Field.notNull("at", ArrowType.timestamp(TimeUnit.MILLISECOND, "UTC")),
                        Field.notNull("id", ArrowType.UINT16),
                    ).withMetadata(Metadata.of("origin", "test"))
            val rows =
                listOf(
                    Sample(1, 1_000, 0.5, Status.PAID, "a", true, UUID(1, 2)),
                    Sample(65_535, -1, 1.5, Status.OPEN, "a", false, UUID(3, 4)),
                )
            recordBatchOf(rows, schema).use { batch ->
                batch.schema shouldBe schema
                batch.values<String>("key")[0] shouldBe UUID(1, 2).toString()
                batch.values<String>("status").toList() shouldBe listOf("paid", "OPEN")
                batch.values<java.time.Instant>("at")[0] shouldBe java.time.Instant.ofEpochSecond(1)
                batch.toList<Sample>() shouldBe rows
            }
            shouldThrow<SerializationException> {
                recordBatchOf(
                    listOf(rows[0].copy(id = -1)),
                    schema,
                )
            }.message shouldBe
                "Sample.id, row 0: -1 does not fit uint16"
        }

        test("enums use a dictionary with indices of any width") {
            fun schema(index: ArrowType) =
                Schema.of(
                    schemaOf<Item>().fields().map {
                        if (it.name() == "status") it.withType(ArrowType.dictionary(index, ArrowType.UTF8)) else it
                    },
                )
            val rows = listOf(Item("a", 1, Status.SHIPPED), Item("b", 2, Status.OPEN))
            for (index in listOf(ArrowType.UINT8, ArrowType.INT64)) {
                recordBatchOf(rows, schema(index)).use { batch ->
                    batch.column("status").dictionary.length shouldBe 3L
                    batch.toList<Item>() shouldBe rows
                }
            }
        }

        test("bytes may be a list") {
            val list = Schema.of(Field.notNull("bytes", ArrowType.list(ArrowType.INT8)))
            recordBatchOf(listOf(Blob(byteArrayOf(1, -2)), Blob(byteArrayOf())), list).use { batch ->
                batch.toList<Blob>().map { it.bytes.toList() } shouldBe listOf(listOf<Byte>(1, -2), listOf())
            }
        }

        test("the classes of an open hierarchy are those of the module") {
            val module =
                SerializersModule {
                    polymorphic(Plugin::class) {
                        subclass(Mail::class)
                        subclass(Log::class)
                    }
                }
            val format = ArrowFormat { serializersModule = module }
            val rows = listOf(Rule(1, Mail("ada")), Rule(2, Log(3)))
            recordBatchOf(rows, format).use { it.toList<Rule>(format) shouldBe rows }
            shouldThrow<SerializationException> { schemaOf<Rule>() }.message shouldContain
                "Rule.plugin: the module of the format names no class of the open hierarchy"
        }
    })
