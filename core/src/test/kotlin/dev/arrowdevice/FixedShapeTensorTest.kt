package dev.arrowdevice

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe

private const val NAME = "arrow.fixed_shape_tensor"

private fun parse(
    json: String,
    size: Int = 6,
    storage: ArrowType = ArrowType.fixedSizeList(ArrowType.FLOAT32, size),
): FixedShapeTensor = ArrowType.extension(NAME, storage, json.toByteArray()) as FixedShapeTensor

private fun refusal(
    json: String,
    size: Int = 6,
): String? = shouldThrow<InvalidSchemaException> { parse(json, size) }.message

class FixedShapeTensorTest :
    FunSpec({
        test("a tensor type has the product of its shape as list size, and is read from its own bytes") {
            val tensor =
                ArrowType.fixedShapeTensor(
                    ArrowType.FLOAT32,
                    listOf(100, 200, 500),
                    listOf("C", "H", "W"),
                    listOf(2, 0, 1),
                )
            tensor.storageType() shouldBe ArrowType.fixedSizeList(ArrowType.FLOAT32, 10_000_000)
            tensor.element() shouldBe Field.nullable("item", ArrowType.FLOAT32)
            tensor.logicalShape() shouldBe listOf(500, 100, 200)
            String(tensor.serialized()) shouldBe
                """{"shape":[100,200,500],"permutation":[2,0,1],"dim_names":["C","H","W"]}"""
            ArrowType.extension(NAME, tensor.storageType(), tensor.serialized()) shouldBe tensor
            tensor.toString() shouldBe
                "extension<arrow.fixed_shape_tensor[value_type=float32, shape=[100, 200, 500], dim_names=[C, H, W], " +
                "permutation=[2, 0, 1]]>"
        }

        test("the examples of the specification are read") {
            val plain = parse("{ \"shape\": [2, 5]}", 10)
            plain.shape() shouldBe listOf(2, 5)
            plain.dimNames().shouldBeEmpty()
            plain.permutation().shouldBeEmpty()
            plain.logicalShape() shouldBe listOf(2, 5)

            val named = parse("{ \"shape\": [100, 200, 500], \"dim_names\": [\"C\", \"H\", \"W\"]}", 10_000_000)
            named.dimNames() shouldBe listOf("C", "H", "W")

            val permuted = parse("{ \"shape\": [100, 200, 500], \"permutation\": [2, 0, 1]}", 10_000_000)
            permuted.permutation() shouldBe listOf(2, 0, 1)
            permuted.logicalShape() shouldBe listOf(500, 100, 200)
        }

        test("the bytes of the producer are kept") {
            val json = " {\"shape\" : [6],\t\"dim_names\":null, \"permutation\":null, \"new\": {\"x\": [1.5, true]} }\n"
            String(parse(json).serialized()) shouldBe json
        }

        test("tensor types with the same meaning are equal") {
            val tensor = ArrowType.fixedShapeTensor(ArrowType.FLOAT32, listOf(2, 3))
            parse("{ \"shape\": [2, 3], \"dim_names\": [] }") shouldBe tensor
            parse("{\"permutation\":[0,1],\"shape\":[2,3]}") shouldBe tensor
            parse("{\"permutation\":[0,1],\"shape\":[2,3]}").hashCode() shouldBe tensor.hashCode()
            parse("{\"permutation\":[1,0],\"shape\":[2,3]}") shouldNotBe tensor
            tensor shouldNotBe parse("{\"permutation\":[1,0],\"shape\":[2,3]}")
            parse("{\"dim_names\":[\"a\",\"b\"],\"shape\":[2,3]}") shouldNotBe tensor
            parse("{\"shape\":[3,2]}") shouldNotBe tensor
            ArrowType.fixedShapeTensor(ArrowType.INT32, listOf(2, 3)) shouldNotBe tensor
        }

        test("a tensor without dimensions has one element, and one with an empty dimension has none") {
            ArrowType.fixedShapeTensor(ArrowType.INT8, listOf()).storageType() shouldBe
                ArrowType.fixedSizeList(ArrowType.INT8, 1)
            ArrowType.fixedShapeTensor(ArrowType.INT8, listOf(0, 5)).storageType() shouldBe
                ArrowType.fixedSizeList(ArrowType.INT8, 0)
            val huge = listOf(Int.MAX_VALUE, Int.MAX_VALUE, Int.MAX_VALUE, 0)
            ArrowType.fixedShapeTensor(ArrowType.INT8, huge).storageType() shouldBe
                ArrowType.fixedSizeList(ArrowType.INT8, 0)
        }

        test("a dimension may have any name") {
            val names = listOf("a\"b\\c", "tab\tnewline\n\u0001", "größe 😀")
            val tensor = ArrowType.fixedShapeTensor(ArrowType.INT8, listOf(1, 2, 3), names, listOf())
            parse(String(tensor.serialized()), storage = tensor.storageType()).dimNames() shouldBe names
            val escaped = "{\"shape\":[6],\"dim_names\":[\"\\u00e9\\/\\b\\f\\r\\ud83d\\ude00\"]}"
            parse(escaped).dimNames() shouldBe listOf("é/\b\u000c\r😀")
        }

        test("a tensor is stored in a fixed size list of its size") {
            shouldThrow<InvalidSchemaException> { parse("{\"shape\":[6]}", storage = ArrowType.list(ArrowType.INT8)) }
                .message shouldBe "$NAME is stored as fixed_size_list, not as list<item: int8>"
            refusal("{\"shape\":[2,3]}", 5) shouldBe "$NAME: shape [2, 3] has 6 elements, the storage 5"
        }

        val bogus =
            mapOf(
                "" to "JSON at 0: expected '{'",
                "[]" to "JSON at 0: expected '{'",
                "{}" to "expected a member \"shape\"",
                "{\"shape\":null}" to "expected a member \"shape\"",
                "{\"shape\":6}" to "expected \"shape\" to be an array",
                "{\"shape\":[\"6\"]}" to "expected 32-bit integers in \"shape\", got 6",
                "{\"shape\":[6.0]}" to "expected 32-bit integers in \"shape\", got 6.0",
                "{\"shape\":[null]}" to "expected 32-bit integers in \"shape\", got null",
                "{\"shape\":[4294967302]}" to "expected 32-bit integers in \"shape\", got 4294967302",
                "{\"shape\":[18446744073709551622]}" to
                    "expected 32-bit integers in \"shape\", got 18446744073709551622",
                "{\"shape\":[-2,-3]}" to "a dimension has 0 or more elements, not -2",
                "{\"shape\":[65536,65536]}" to
                    "shape [65536, 65536] has more elements than a fixed_size_list can",
                "{\"shape\":[2,3],\"dim_names\":[\"a\"]}" to "expected one dim_names entry per dimension (2), got 1",
                "{\"shape\":[2,3],\"dim_names\":[1,2]}" to "expected strings in \"dim_names\", got 1",
                "{\"shape\":[2,3],\"dim_names\":{}}" to "expected \"dim_names\" to be an array",
                "{\"shape\":[2,3],\"permutation\":[0]}" to "expected a permutation of the 2 dimensions, got [0]",
                "{\"shape\":[2,3],\"permutation\":[0,0]}" to "expected a permutation of the 2 dimensions, got [0, 0]",
                "{\"shape\":[2,3],\"permutation\":[0,2]}" to "expected a permutation of the 2 dimensions, got [0, 2]",
                "{\"shape\":[2,3],\"permutation\":[-1,0]}" to "expected a permutation of the 2 dimensions, got [-1, 0]",
                "{\"shape\":[2,3],\"permutation\":[0,1,2]}" to
                    "expected a permutation of the 2 dimensions, got [0, 1, 2]",
            )
        for ((json, message) in bogus) {
            test("parameters '$json' are refused") {
                refusal(json) shouldBe "$NAME: $message"
            }
        }

        test("an impossible shape is refused by the factory too") {
            shouldThrow<InvalidSchemaException> { ArrowType.fixedShapeTensor(ArrowType.INT8, listOf(-1)) }
            shouldThrow<InvalidSchemaException> {
                ArrowType.fixedShapeTensor(ArrowType.INT8, listOf(2), listOf("a", "b"), listOf())
            }
            shouldThrow<InvalidSchemaException> {
                ArrowType.fixedShapeTensor(ArrowType.INT8, listOf(2), listOf(), listOf(1))
            }
        }
    })
