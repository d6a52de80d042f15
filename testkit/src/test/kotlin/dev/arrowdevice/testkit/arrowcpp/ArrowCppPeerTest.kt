package dev.arrowdevice.testkit.arrowcpp

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.foreign.Arena

/** The peer itself, with nothing of the SDK involved: what later tests rely on. */
class ArrowCppPeerTest :
    FunSpec({
        test("Arrow C++ can be loaded on Linux") {
            if (System.getProperty("os.name").startsWith("Linux")) ArrowCpp.whyUnavailable().shouldBeNull()
        }

        context("each sample that C++ builds is valid, survives C++'s own round trip and leaves nothing behind") {
            CppSamples.all.forEach { sample ->
                test(sample.name).config(enabled = ArrowCpp.whyUnavailable() == null) {
                    balanced {
                        sample.make().use { built ->
                            built.validateFull()
                            throughCpp(built).use { back ->
                                back.validateFull()
                                back.sameAs(built) shouldBe true
                            }
                        }
                    }
                }
            }
        }

        test("a failure carries C++'s code and message").config(enabled = ArrowCpp.whyUnavailable() == null) {
            balanced {
                val failure = shouldThrow<CppException> { CppArrays.fromJson(TypeSpec.of("i"), """["a"]""") }
                failure.code() shouldBe 4
                failure.message shouldContain "Invalid: Expected signed int"
            }
        }

        test("a truncated IPC stream fails at its last batch").config(enabled = ArrowCpp.whyUnavailable() == null) {
            balanced {
                CppArrays.fromJson(TypeSpec.of("+s", TypeSpec.of("i").named("a")), "[[1], [2]]").use { struct ->
                    CppRecordBatch.fromStruct(struct).use { batch ->
                        CppIpc.truncated(listOf(batch, batch), 12).use { reader ->
                            reader.next()!!.use { it.sameAs(batch) shouldBe true }
                            shouldThrow<CppException> { reader.next() }.code() shouldBe 5
                        }
                    }
                }
            }
        }
    })

private fun throughCpp(array: CppArray): CppArray =
    Arena.ofConfined().use { arena ->
        val structs = arena.allocate(80L + 72, 8).address()
        array.exportTo(structs, structs + 80)
        CppArray.importFrom(structs, structs + 80)
    }
