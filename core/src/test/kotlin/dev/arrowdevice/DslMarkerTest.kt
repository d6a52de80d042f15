package dev.arrowdevice

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain

/** The compiler's output for a batch with this body; empty if it compiles. */
private fun compile(body: String): String =
    compileKotlin("import dev.arrowdevice.*\nfun snippet() = recordBatch {\n$body\n}\n")

class DslMarkerTest :
    FunSpec({
        test("columns nest like their types") {
            compile("""struct("s") { column<Int>("a") { add(1) }; list<Int>("b") { add(listOf(1)) } }""") shouldBe ""
        }

        test("a column within the values of a column does not compile") {
            compile("""column<Int>("a") { column<Int>("b") { add(1) } }""") shouldContain
                "cannot be called in this context"
        }

        test("a value for a column of the batch within the values of another one does not compile") {
            compile("""list<Int>("a") { add { addRun(1, 2); reserve(1) }; row(1) }""") shouldContain
                "cannot be called in this context"
        }

        test(
            "a plus in front of a text or a null does not compile; in front of a number it is Kotlin's own and does",
        ) {
            compile("""column<String>("a") { +"one" }""") shouldContain "error:"
            compile("""column<Int>("a") { +null }""") shouldContain "error:"
            compile("""column<Int>("a") { +5 }""") shouldNotContain "error:"
        }

        test("a value of another type than the column's does not compile") {
            compile("""column<Int>("a") { add("one") }""") shouldContain "error:"
        }
    })
