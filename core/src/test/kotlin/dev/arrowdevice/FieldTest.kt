package dev.arrowdevice

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain

class FieldTest :
    FunSpec({
        test("a field prints its name, its type and whether it may not hold nulls") {
            Field.nullable("a", ArrowType.INT32).toString() shouldBe "a: int32"
            Field.notNull("a b", ArrowType.list(ArrowType.UTF8)).toString() shouldBe "a b: list<item: utf8> not null"
        }

        test("a field is changed one part at a time") {
            val field = Field.nullable("a", ArrowType.INT32)
            field.withName("b") shouldBe Field.nullable("b", ArrowType.INT32)
            field.withType(ArrowType.INT8) shouldBe Field.nullable("a", ArrowType.INT8)
            field.withNullable(false) shouldBe Field.notNull("a", ArrowType.INT32)
            field.withMetadata(Metadata.of("k", "v")) shouldBe
                Field("a", ArrowType.INT32, true, Metadata.of("k", "v"))
            field.withMetadata(Metadata.of("k", "v")) shouldNotBe field
        }

        for (key in listOf(ExtensionType.NAME_KEY, ExtensionType.METADATA_KEY)) {
            test("$key is refused among the metadata") {
                shouldThrow<InvalidSchemaException> {
                    Field.nullable("a", ArrowType.INT32).withMetadata(Metadata.of("x", "y", key, "z"))
                }.message shouldBe "field \"a\": $key is not metadata here, give the field an ExtensionType"
            }
        }

        test("an extension goes to the metadata, first, and comes back from anywhere in it") {
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

        test("an extension without parameters on the wire has empty ones") {
            val wire = Metadata.of(ExtensionType.NAME_KEY, "arrow.uuid")
            Field.fromWire("u", ArrowType.fixedSizeBinary(16), false, wire) shouldBe
                Field.notNull("u", ArrowType.uuid())
        }

        test("parameters without a name are no extension and are dropped") {
            val wire = Metadata.of(ExtensionType.METADATA_KEY, "p", "k", "v")
            Field.fromWire("a", ArrowType.INT32, true, wire) shouldBe
                Field("a", ArrowType.INT32, true, Metadata.of("k", "v"))
        }

        test("a known extension over a wrong storage is refused on the way in") {
            val wire = Metadata.of(ExtensionType.NAME_KEY, "arrow.uuid")
            shouldThrow<InvalidSchemaException> { Field.fromWire("u", ArrowType.INT8, true, wire) }
                .message shouldContain "arrow.uuid is stored as fixed_size_binary[16], not as int8"
        }

        test("a field without an extension has the metadata it was given") {
            val field = Field("a", ArrowType.INT32, true, Metadata.of("k", "v"))
            field.wireMetadata() shouldBe Metadata.of("k", "v")
            Field.fromWire("a", ArrowType.INT32, true, field.wireMetadata()) shouldBe field
        }
    })
