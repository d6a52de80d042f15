package dev.arrowdevice

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe

class SchemaTest :
    FunSpec({
        val id = Field.notNull("id", ArrowType.INT64)
        val name = Field.nullable("name", ArrowType.UTF8)
        val schema = Schema.of(id, name)

        test("fields are found by name and by index") {
            schema.fieldIndex("name") shouldBe 1
            schema.field("name") shouldBe name
            schema.field(0) shouldBe id
            schema.size() shouldBe 2
            schema.names() shouldBe listOf("id", "name")
        }

        test("a missing name has index -1, and the error of a missing field names the existing ones") {
            schema.fieldIndex("nam") shouldBe -1
            shouldThrow<IllegalArgumentException> { schema.field("nam") }.message shouldBe
                "no field is named \"nam\" among [id, name]"
            shouldThrow<IndexOutOfBoundsException> { schema.field(2) }
        }

        test("a name that several fields have throws") {
            val twice = Schema.of(id, name, id)
            val message = "more than one field is named \"id\" (at 0 and 2): ask for it by its index"
            shouldThrow<IllegalArgumentException> { twice.fieldIndex("id") }.message shouldBe message
            shouldThrow<IllegalArgumentException> { twice.field("id") }.message shouldBe message
            twice.fieldIndex("name") shouldBe 1
        }

        test("a struct type finds its fields like a schema") {
            val struct = ArrowType.struct(id, name)
            struct.fieldIndex("name") shouldBe 1
            struct.fieldIndex("x") shouldBe -1
            struct.field("id") shouldBe id
            shouldThrow<IllegalArgumentException> { struct.field("x") }
        }

        test("a schema prints a line per field, then its metadata") {
            schema.toString() shouldBe "id: int64 not null\nname: utf8"
            schema.withMetadata(Metadata.of("origin", "here", "k", "v")).toString() shouldBe
                """
                id: int64 not null
                name: utf8
                -- metadata --
                origin: here
                k: v
                """.trimIndent()
            Schema.of().toString() shouldBe ""
            Schema.of().withMetadata(Metadata.of("k", "v")).toString() shouldBe "-- metadata --\nk: v"
        }

        test("a schema becomes a struct that is not nullable, and a schema again") {
            val described = schema.withMetadata(Metadata.of("k", "v"))
            described.toStruct() shouldBe Field("", ArrowType.struct(id, name), false, Metadata.of("k", "v"))
            Schema.fromStruct(described.toStruct()) shouldBe described
            shouldThrow<InvalidSchemaException> { Schema.fromStruct(id) }.message shouldBe
                "a schema is a struct, not int64"
        }

        test("adding a field makes a new schema") {
            val more = schema.plus(Field.nullable("x", ArrowType.BOOL))
            more.names() shouldBe listOf("id", "name", "x")
            schema.size() shouldBe 2
            more shouldNotBe schema
        }

        test("schemas are equal by fields and metadata") {
            schema shouldBe Schema.of(listOf(id, name))
            schema.hashCode() shouldBe Schema.of(listOf(id, name)).hashCode()
            schema shouldNotBe Schema.of(name, id)
            schema shouldNotBe schema.withMetadata(Metadata.of("k", "v"))
        }
    })
