package dev.arrowdevice.interop

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

class DescrFieldTest :
    FunSpec({
        context("what NumPy writes is read, and written in the same way") {
            withData(
                nameFn = { "$it" },
                listOf(listOf("", "<f8")),
                listOf(listOf("a", "<i4", listOf(2L, 3L)), listOf(listOf("title", "b"), "<f8")),
                listOf(listOf("a", "|i1"), listOf("", "|V7"), listOf("b", "<i8")),
                listOf(listOf("outer", listOf(listOf("x", "<f4"), listOf("y", "<f4")))),
            ) { DescrField.toPython(DescrField.parse(it)) shouldBe it }
        }

        test("the size of all fields") {
            val fields = listOf(listOf("a", "<i4", listOf(2, 3)), listOf("in", listOf(listOf("x", "<f8"))))
            DescrField.itemSize(DescrField.parse(fields)) shouldBe 32
            val huge = listOf(listOf("a", "<i4", listOf(Long.MAX_VALUE)))
            shouldThrow<IllegalArgumentException> { DescrField.itemSize(DescrField.parse(huge)) }
        }

        context("an error names the position") {
            withData(
                nameFn = { it.first },
                "descr: expected a tuple" to "text",
                "descr is empty" to emptyList<Any>(),
                "descr[0]: expected a tuple" to listOf(1),
                "descr[1] has 1 parts" to listOf(listOf("a", "<i4"), listOf("b")),
                "descr[0][0]: expected a tuple" to listOf(listOf(1, "<i4")),
                "descr[0][0] has 1 names" to listOf(listOf(listOf("a"), "<i4")),
                "descr[0][1]: typestr \"<x4\" at position 1" to listOf(listOf("a", "<x4")),
                "descr[0][1]: expected a typestr or a list of fields, found None" to listOf(listOf("a", null)),
                "descr[0][1][0][1]: typestr" to listOf(listOf("a", listOf(listOf("b", "4")))),
                "descr[0][2][1] is -1" to listOf(listOf("a", "<i4", listOf(1, -1))),
                "descr[0][2][0]: expected an integer" to listOf(listOf("a", "<i4", listOf(true))),
            ) { (message, descr) ->
                shouldThrow<IllegalArgumentException> { DescrField.parse(descr) }.message shouldContain message
            }
        }

        test("the depth of nesting is limited") {
            var deep: Any = listOf(listOf("x", "<i4"))
            repeat(100) { deep = listOf(listOf("x", deep)) }
            shouldThrow<IllegalArgumentException> { DescrField.parse(deep) }.message shouldContain "levels"
        }

        test("a negative size is always refused, and 0 means no size") {
            val type = TypeString.parse("<i4")
            shouldThrow<IllegalArgumentException> { DescrField("a", null, type, listOf(), listOf(2, -1)) }
                .message shouldBe "descr: the field \"a\" has the shape [2, -1], with a negative size"
            DescrField.itemSize(listOf(DescrField("a", null, type, listOf(), listOf(0)))) shouldBe 0
        }
    })
