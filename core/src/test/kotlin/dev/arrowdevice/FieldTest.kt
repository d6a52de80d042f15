package dev.arrowdevice

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain

class FieldTest :
    FunSpec({
        test("a field prints its name, its type, and \"not null\" if it is") {
            Field.nullable("a", ArrowType.INT32).toString() shouldBe "a: int32"
            Field.notNull("a b", ArrowType.list(ArrowType.UTF8)).toString() shouldBe "a b: list<item: utf8> not null"
        }

        test("a copy of a field can differ in each part") {
            val field = Field.nullable("a", ArrowType.INT32)
            field.withName("b") shouldBe Field.nullable("b", ArrowType.INT32)
            field.withType(ArrowType.INT8) shouldBe Field.nullable("a", ArrowType.INT8)
            field.withNullable(false) shouldBe Field.notNull("a", ArrowType.INT32)
            field.withMetadata(Metadata.of("k", "v")) shouldBe
                Field("a", ArrowType.INT32, true, Metadata.of("k", "v"))
            field.withMetadata(Metadata.of("k", "v")) shouldNotBe field
        }

        for (key in listOf(ExtensionType.NAME_KEY, ExtensionType.METADATA_KEY)) {
            test("the metadata must not have the key $key") {
                shouldThrow<InvalidSchemaException> {
                    Field.nullable("a", ArrowType.INT32).withMetadata(Metadata.of("x", "y", key, "z"))
                }.message shouldBe "field \"a\": $key is not metadata here, give the field an ExtensionType"
            }
        }

        test("an extension is written as the first metadata, and read from anywhere in them") {
            val parameters = byteArrayOf(0, -1)
            val type = ArrowType.extension("my.type", ArrowType.INT32, parameters)
            val field = Field("a", type, true, Metadata.of("k", "v"))
            val wire = field.wireMetadata()
            wire.entries.map { it.key } shouldBe listOf(ExtensionType.NAME_KEY, ExtensionType.METADATA_KEY, "k")
            wire.getBytes(ExtensionType.METADATA_KEY) shouldBe parameters
            Field.fromWire("a", ArrowType.INT32, true, wire) shouldBe field

            val last = Metadata.of("k", "v").plus(ExtensionType.METADATA_KEY, parameters)
            Field.fromWire("a", ArrowType.INT32, true, last.plus(ExtensionType.NAME_KEY, "my.type")) shouldBe field
        }

        test("an extension without parameters in the C struct has empty ones") {
            val wire = Metadata.of(ExtensionType.NAME_KEY, "arrow.uuid")
            Field.fromWire("u", ArrowType.fixedSizeBinary(16), false, wire) shouldBe
                Field.notNull("u", ArrowType.uuid())
        }

        test("extension parameters without an extension name are dropped") {
            val wire = Metadata.of(ExtensionType.METADATA_KEY, "p", "k", "v")
            Field.fromWire("a", ArrowType.INT32, true, wire) shouldBe
                Field("a", ArrowType.INT32, true, Metadata.of("k", "v"))
        }

        test("a known extension with a wrong storage is refused at import") {
            val wire = Metadata.of(ExtensionType.NAME_KEY, "arrow.uuid")
            shouldThrow<InvalidSchemaException> { Field.fromWire("u", ArrowType.INT8, true, wire) }
                .message shouldContain "arrow.uuid is stored as fixed_size_binary[16], not as int8"
        }

        test("a field without an extension keeps its metadata") {
            val field = Field("a", ArrowType.INT32, true, Metadata.of("k", "v"))
            field.wireMetadata() shouldBe Metadata.of("k", "v")
            Field.fromWire("a", ArrowType.INT32, true, field.wireMetadata()) shouldBe field
        }
    })
