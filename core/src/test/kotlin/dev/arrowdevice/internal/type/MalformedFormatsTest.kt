package dev.arrowdevice.internal.type

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.InvalidSchemaException
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

private val int8 = Field.notNull("", ArrowType.INT8)
private val nullable = Field.nullable("values", ArrowType.INT8)

private fun refusal(
    format: String,
    children: List<Field> = listOf(),
    dictionary: ArrowType? = null,
): String? = shouldThrow<InvalidSchemaException> { Formats.parse(format, 0, children, dictionary) }.message

class MalformedFormatsTest :
    FunSpec({
        val unionIds = "a type id (0 to 127)"
        val first = "+CILSUZbcdefgilnstuvwz".map { "'$it'" }.joinToString()
        val messages =
            mapOf(
                "" to "0: expected one of $first",
                "x" to "0: expected one of $first",
                "cc" to "1: expected the end",
                "u\u0000" to "1: expected the end",
                "v" to "1: expected one of 'u', 'z'",
                "vuz" to "2: expected the end",
                "w" to "1: expected ':'",
                "w3" to "1: expected ':'",
                "w:" to "2: expected the byte width (0 to 268435455)",
                "w:three" to "2: expected the byte width (0 to 268435455)",
                "w:-1" to "2: expected the byte width (0 to 268435455)",
                "w: 1" to "2: expected the byte width (0 to 268435455)",
                "w:268435456" to "2: expected the byte width (0 to 268435455)",
                "w:99999999999999999999999999" to "2: expected the byte width (0 to 268435455)",
                "w:3,5" to "3: expected the end",
                "w:٣" to "2: expected the byte width (0 to 268435455)",
                "d" to "1: expected ':'",
                "d:" to "2: expected the precision (1 to 2147483647)",
                "d:15" to "4: expected ',' and the scale",
                "d:15.4" to "4: expected ',' and the scale",
                "d:15," to "5: expected the scale, an integer",
                "d:15,z" to "5: expected the scale, an integer",
                "d:15,-" to "6: expected the scale, an integer",
                "d:15,+3" to "5: expected the scale, an integer",
                "d:15,2147483648" to "5: expected the scale, an integer",
                "d:15,3x" to "6: expected ',' and the bit width, or the end",
                "d:15,3," to "7: expected the bit width 32, 64, 128 or 256",
                "d:15,3,512" to "7: expected the bit width 32, 64, 128 or 256",
                "d:15,3,-128" to "7: expected the bit width 32, 64, 128 or 256",
                "d:15,3,128," to "10: expected the end",
                "d:-5,3" to "2: expected the precision (1 to 2147483647)",
                "d:0,3" to "2: expected the precision (1 to 2147483647)",
                "d:39,3" to "2: expected the precision (1 to 38)",
                "d:10,3,32" to "2: expected the precision (1 to 9)",
                "d:19,3,64" to "2: expected the precision (1 to 18)",
                "d:39,3,128" to "2: expected the precision (1 to 38)",
                "d:77,3,256" to "2: expected the precision (1 to 76)",
                "t" to "1: expected one of 'D', 'd', 'i', 's', 't'",
                "tz" to "1: expected one of 'D', 'd', 'i', 's', 't'",
                "td" to "2: expected one of 'D', 'm'",
                "tdd" to "2: expected one of 'D', 'm'",
                "tdDd" to "3: expected the end",
                "ttx" to "2: expected one of 'm', 'n', 's', 'u'",
                "tD" to "2: expected one of 'm', 'n', 's', 'u'",
                "tiX" to "2: expected one of 'D', 'M', 'n'",
                "ts" to "2: expected one of 'm', 'n', 's', 'u'",
                "tss" to "3: expected ':'",
                "tss;UTC" to "3: expected ':'",
                "+" to "1: expected one of 'L', 'l', 'm', 'r', 's', 'u', 'v', 'w'",
                "+v" to "2: expected one of 'L', 'l'",
                "+mm" to "2: expected the end",
                "+lx" to "2: expected the end",
                "+u" to "2: expected one of 'd', 's'",
                "+uz" to "2: expected one of 'd', 's'",
                "+uz:" to "2: expected one of 'd', 's'",
                "+ud" to "3: expected ':'",
                "+us:1.2" to "5: expected ',' and a type id, or the end",
                "+ud:-1" to "4: expected $unionIds",
                "+ud:128" to "4: expected $unionIds",
                "+ud:1," to "6: expected $unionIds",
                "+ud:,1" to "4: expected $unionIds",
                "+ud:3,1,3" to "8: expected a type id that is not yet there",
            )
        for ((format, message) in messages) {
            test("format \"${format.replace("\u0000", "\\0")}\" is refused at ${message.substringBefore(':')}") {
                refusal(format) shouldBe "format \"$format\" at $message"
            }
        }

        test("a list size must be a number that fits an int") {
            for (size in listOf("", "-1", "x", "2147483648")) {
                refusal("+w:$size", listOf(int8)) shouldBe
                    "format \"+w:$size\" at 3: expected the list size (0 to 2147483647)"
            }
            refusal("+w:3,", listOf(int8)) shouldBe "format \"+w:3,\" at 4: expected the end"
        }

        for (format in listOf("+l", "+L", "+vl", "+vL", "+w:2", "+m")) {
            test("format $format has one child") {
                refusal(format) shouldBe "format \"$format\": expected 1 child, got 0"
                refusal(format, listOf(int8, int8)) shouldBe "format \"$format\": expected 1 child, got 2"
            }
        }

        for (format in listOf("n", "i", "u", "vz", "w:3", "d:5,2", "tss:", "tdD")) {
            test("format $format has no children") {
                refusal(format, listOf(int8)) shouldBe "format \"$format\": expected 0 children, got 1"
            }
        }

        test("a union has one child per type id") {
            refusal("+ud:1,2", listOf(int8)) shouldContain "2 type ids and 1 children"
            refusal("+us:", listOf(int8)) shouldContain "0 type ids and 1 children"
        }

        test("run ends must be one of three signed integer types and not nullable, and values follow them") {
            refusal("+r", listOf(int8)) shouldBe "format \"+r\": expected 2 children, got 1"
            for (type in listOf(ArrowType.INT8, ArrowType.UINT16, ArrowType.FLOAT32, ArrowType.UTF8)) {
                refusal("+r", listOf(Field.notNull("run_ends", type), nullable)) shouldBe
                    "run ends are int16, int32 or int64, not $type"
            }
            refusal("+r", listOf(Field.nullable("run_ends", ArrowType.INT32), nullable)) shouldBe
                "run ends cannot be nullable"
        }

        test("the child of a map must be a struct with two fields") {
            refusal("+m", listOf(int8)) shouldContain "a struct of two fields, key and value, not int8"
            refusal("+m", listOf(Field.notNull("entries", ArrowType.struct(int8)))) shouldContain "not struct<: int8"
            refusal("+m", listOf(Field.notNull("entries", ArrowType.struct(int8, int8, int8)))) shouldContain
                "not struct<"
        }

        for (format in listOf("n", "b", "e", "u", "w:4", "d:5,2", "tdD", "+s")) {
            test("format $format can't be the index of a dictionary") {
                refusal(format, dictionary = ArrowType.UTF8) shouldBe
                    "format \"$format\" at 0: expected an integer type, the index of the dictionary"
            }
        }
    })
