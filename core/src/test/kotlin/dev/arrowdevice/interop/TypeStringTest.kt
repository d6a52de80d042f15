package dev.arrowdevice.interop

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

class TypeStringTest :
    FunSpec({
        context("what NumPy writes is read, and written in the same way") {
            withData(
                listOf("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u8", "<f2", "<f4", "<f8", "<f16", "<c8", "<c16") +
                    listOf("|S10", "|S0", "<U10", "|V12", "|O", "|O8", "<M8[ns]", "<M8[25s]", "<M8", "<m8[D]") +
                    listOf(">i4", "<t1", "|t1", "<M8[as]", "<m8[Y]", "<m8[us]"),
            ) { TypeString.parse(it).toString() shouldBe it }
        }

        context("the size of an element in bytes") {
            withData("<i4" to 4, "<U10" to 40, "|O" to 8, "|S10" to 10, "<M8[ns]" to 8, "|b1" to 1) { (text, size) ->
                TypeString.parse(text).itemSize() shouldBe size
            }
        }

        test("bit fields and huge strings have no size in bytes") {
            shouldThrow<IllegalArgumentException> { TypeString.parse("<t1").itemSize() }.message shouldContain "bits"
            shouldThrow<IllegalArgumentException> { TypeString.parse("<U2147483647").itemSize() }
        }

        context("an error names the position and what is expected there") {
            withData(
                nameFn = { "\"${it.first}\"" },
                Triple("", 0, "a byte order"),
                Triple("=i4", 0, "a byte order"),
                Triple("i4", 0, "a byte order"),
                Triple("<", 1, "a kind"),
                Triple("<x4", 1, "a kind"),
                Triple("<i", 2, "the size in digits"),
                Triple("<i-4", 2, "the size in digits"),
                Triple("<i0", 2, "a size above 0"),
                Triple("<i99999999999", 2, "at most 2147483647"),
                Triple("<i4 ", 3, "the end"),
                Triple("<i4[ns]", 3, "only m and M have a unit"),
                Triple("<M4[ns]", 2, "the size 8"),
                Triple("<M8[xs]", 4, "a unit"),
                Triple("<M8[]", 4, "a unit"),
                Triple("<M8[0s]", 5, "a unit"),
                Triple("<M8[ns", 6, "]"),
                Triple("<M8[ns]x", 7, "the end"),
            ) { (text, position, expected) ->
                val message = shouldThrow<IllegalArgumentException> { TypeString.parse(text) }.message
                message shouldContain "position $position:"
                message shouldContain expected
            }
        }

        test("a value that no type string can express is refused") {
            shouldThrow<IllegalArgumentException> { TypeString('<', 'i', 4, 1, "ns") }.message shouldContain "<i4[ns]"
            shouldThrow<IllegalArgumentException> { TypeString('<', 'M', 8, -1, "ns") }
            shouldThrow<IllegalArgumentException> { TypeString('<', 'i', -4, 0, "") }
        }
    })
