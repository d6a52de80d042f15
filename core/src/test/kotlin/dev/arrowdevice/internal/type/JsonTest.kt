package dev.arrowdevice.internal.type

import dev.arrowdevice.InvalidSchemaException
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import java.math.BigDecimal

private fun read(text: String): Map<String, Any?> = Json.readObject("test", text.toByteArray())

private fun refusal(text: String): String? = shouldThrow<InvalidSchemaException> { read(text) }.message

class JsonTest :
    FunSpec({
        test("every kind of value is read") {
            read(""" {"a":[1,-2,0],"b":{"c":"x","d":{}},"e":true,"f":false,"g":null,"h":-1.5E+2,"i":[]} """) shouldBe
                mapOf(
                    "a" to listOf(1L, -2L, 0L),
                    "b" to mapOf("c" to "x", "d" to mapOf<String, Any?>()),
                    "e" to true,
                    "f" to false,
                    "g" to null,
                    "h" to BigDecimal("-1.5E+2"),
                    "i" to listOf<Any?>(),
                )
        }

        val malformed =
            mapOf(
                "" to "0: expected '{'",
                "{" to "1: expected a member name in quotes",
                "{a:1}" to "1: expected a member name in quotes",
                "{\"a\"}" to "4: expected ':'",
                "{\"a\":}" to "5: expected a value",
                "{\"a\":1" to "6: expected ',' or '}'",
                "{\"a\":1,}" to "7: expected a member name in quotes",
                "{\"a\":1,\"a\":2}" to "7: expected each member once, not \"a\" again",
                "{\"a\":[1 2]}" to "8: expected ',' or ']'",
                "{\"a\":[1,]}" to "8: expected a value",
                "{\"a\":[" to "6: expected a value",
                "{\"a\":01}" to "6: expected ',' or '}'",
                "{\"a\":-}" to "6: expected a digit",
                "{\"a\":1.}" to "7: expected a digit",
                "{\"a\":1e}" to "7: expected a digit",
                "{\"a\":1e99999999999}" to "5: expected a number of reasonable size",
                "{\"a\":+1}" to "5: expected a value",
                "{\"a\":tru}" to "5: expected a value",
                "{\"a\":\"x}" to "8: expected '\"'",
                "{\"a\":\"x\ny\"}" to "7: expected '\"'",
                "{\"a\":\"\\x\"}" to "7: expected an escape sequence",
                "{\"a\":\"\\" to "7: expected an escape sequence",
                "{\"a\":\"\\u12g4\"}" to "10: expected four hexadecimal digits",
                "{\"a\":\"\\u12" to "10: expected four hexadecimal digits",
                "{} {}" to "3: expected the end",
                "\uFEFF{}" to "0: expected '{'",
            )
        for ((text, message) in malformed) {
            test("${text.replace("\n", "\\n")} is refused at ${message.substringBefore(':')}") {
                refusal(text) shouldBe "test: JSON at $message"
            }
        }

        test("more than 64 levels of nesting are refused without a stack overflow") {
            fun nested(levels: Int) = "{\"a\":" + "[".repeat(levels) + "]".repeat(levels) + "}"
            read(nested(64)).keys shouldBe setOf("a")
            refusal(nested(65)) shouldBe "test: JSON at 69: expected at most 64 levels"
            refusal("{\"a\":" + "[".repeat(1_000_000)) shouldBe "test: JSON at 69: expected at most 64 levels"
        }

        test("a number of up to 1,000 characters is read, and a longer one is refused before it is parsed") {
            read("{\"a\":${"7".repeat(1_000)}}") shouldBe mapOf("a" to BigDecimal("7".repeat(1_000)))
            for (digits in listOf("7".repeat(1_001), "-" + "7".repeat(300_000), "0." + "7".repeat(300_000))) {
                refusal("{\"a\":$digits}") shouldBe "test: JSON at 5: expected a number of at most 1000 characters"
            }
        }

        test("a long name is cut in a message") {
            val name = "n".repeat(1_000_000)
            refusal("{\"$name\":1,\"$name\":2}").orEmpty().length shouldBeLessThan 300
        }

        test("bytes that are not UTF-8 are refused") {
            shouldThrow<InvalidSchemaException> {
                Json.readObject("test", byteArrayOf('{'.code.toByte(), -1, '}'.code.toByte()))
            }.message shouldBe "test: its JSON is not UTF-8"
        }
    })
