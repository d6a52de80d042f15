package dev.arrowdevice

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf

private val none = ByteArray(0)

private fun refusal(
    name: String,
    storage: ArrowType,
    parameters: String = "",
): String? =
    shouldThrow<InvalidSchemaException> { ArrowType.extension(name, storage, parameters.toByteArray()) }.message

class ExtensionTypeTest :
    FunSpec({
        test("an unknown extension keeps its name, storage and bytes") {
            val type = ArrowType.extension("my.type", ArrowType.INT32, byteArrayOf(0, -1, 7))
            type.name() shouldBe "my.type"
            type.storageType() shouldBe ArrowType.INT32
            type.serialized() shouldBe byteArrayOf(0, -1, 7)
            type.id() shouldBe TypeId.EXTENSION
            type.toString() shouldBe "extension<my.type>"
        }

        test("an unknown extension can have any storage, also nested types and dictionaries") {
            val storage = ArrowType.dictionary(ArrowType.INT8, ArrowType.list(ArrowType.UTF8), true)
            ArrowType.extension("my.type", storage, none).storageType() shouldBe storage
        }

        test("extensions are equal by name, storage and bytes") {
            val type = ArrowType.extension("my.type", ArrowType.INT32, byteArrayOf(1))
            type shouldBe ArrowType.extension("my.type", ArrowType.INT32, byteArrayOf(1))
            type.hashCode() shouldBe ArrowType.extension("my.type", ArrowType.INT32, byteArrayOf(1)).hashCode()
            type shouldNotBe ArrowType.extension("my.type", ArrowType.INT32, byteArrayOf(2))
            type shouldNotBe ArrowType.extension("my.type", ArrowType.INT64, byteArrayOf(1))
            type shouldNotBe ArrowType.extension("my.other", ArrowType.INT32, byteArrayOf(1))
            type shouldNotBe ArrowType.INT32
        }

        test("the bytes cannot be changed from outside") {
            val bytes = byteArrayOf(1)
            val type = ArrowType.extension("my.type", ArrowType.INT32, bytes)
            bytes[0] = 2
            type.serialized()[0] = 3
            type.serialized() shouldBe byteArrayOf(1)
        }

        test("an extension has a name and is not stored in another extension") {
            refusal("", ArrowType.INT32) shouldBe "an extension type has a name"
            refusal("my.type", ArrowType.uuid()) shouldContain "my.type over extension<arrow.uuid>"
        }

        test("arrow.uuid is 16 bytes without parameters") {
            ArrowType.uuid().storageType() shouldBe ArrowType.fixedSizeBinary(16)
            refusal("arrow.uuid", ArrowType.fixedSizeBinary(15)) shouldBe
                "arrow.uuid is stored as fixed_size_binary[16], not as fixed_size_binary[15]"
            refusal("arrow.uuid", ArrowType.UTF8) shouldContain "not as utf8"
            refusal("arrow.uuid", ArrowType.fixedSizeBinary(16), "v4") shouldBe
                "arrow.uuid: expected no parameters, got \"v4\""
        }

        test("arrow.bool8 is an int8 without parameters") {
            ArrowType.bool8().storageType() shouldBe ArrowType.INT8
            refusal("arrow.bool8", ArrowType.UINT8) shouldBe "arrow.bool8 is stored as int8, not as uint8"
            refusal("arrow.bool8", ArrowType.INT8, "{}") shouldContain "expected no parameters, got \"{}\""
        }

        for (storage in listOf(ArrowType.UTF8, ArrowType.LARGE_UTF8, ArrowType.UTF8_VIEW)) {
            test("arrow.json is text in $storage without parameters, or with an empty object") {
                ArrowType.json(storage).storageType() shouldBe storage
                val bytes = " { } ".toByteArray()
                ArrowType.extension("arrow.json", storage, bytes).serialized() shouldBe bytes
            }
        }

        test("arrow.json over bytes, or with other parameters, is refused") {
            refusal("arrow.json", ArrowType.BINARY) shouldBe
                "arrow.json is stored as utf8, large_utf8 or utf8_view, not as binary"
            refusal("arrow.json", ArrowType.UTF8, "{\"a\":1}") shouldContain "got \"{\"a\":1}\""
            refusal("arrow.json", ArrowType.UTF8, "[]") shouldBe "arrow.json: JSON at 0: expected '{'"
            refusal("arrow.json", ArrowType.UTF8, "{} x") shouldBe "arrow.json: JSON at 3: expected the end"
        }

        test("long parameters are shortened in the message") {
            refusal("arrow.uuid", ArrowType.fixedSizeBinary(16), "x".repeat(1000)) shouldBe
                "arrow.uuid: expected no parameters, got \"${"x".repeat(60)}…\""
        }

        test("the tensor extension becomes a tensor type by its name") {
            val storage = ArrowType.fixedSizeList(ArrowType.INT32, 6)
            ArrowType
                .extension("arrow.fixed_shape_tensor", storage, "{\"shape\":[2,3]}".toByteArray())
                .shouldBeInstanceOf<FixedShapeTensor>()
        }
    })
