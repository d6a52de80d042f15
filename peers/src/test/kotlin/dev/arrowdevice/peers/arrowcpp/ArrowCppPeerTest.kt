package dev.arrowdevice.peers.arrowcpp

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

        context("each sample of C++ is valid, survives C++'s own round trip and leaves nothing behind") {
            CppSamples.all.forEach { sample ->
                test(sample.name).config(enabled = loaded) {
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

        test("a failure has C++'s code and message").config(enabled = loaded) {
            balanced {
                val failure = shouldThrow<CppException> { CppArrays.fromJson(TypeSpec.of("i"), """["a"]""") }
                failure.code() shouldBe 4
                failure.message shouldContain "Invalid: Expected signed int"
            }
        }

        test("a truncated IPC stream fails at its last batch").config(enabled = loaded) {
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

        test("a device type is refused until it is registered, and then keeps its number").config(enabled = loaded) {
            balanced {
                CppArrays.fromJson(TypeSpec.of("i"), "[1, null]").use { array ->
                    withStructs { device, schema ->
                        array.exportDeviceTo(device, schema)
                        CppMemory.putInt(device + DEVICE_TYPE, UNUSED_DEVICE_TYPE)
                        shouldThrow<CppException> { CppArray.importDeviceFrom(device, schema) }.message shouldContain
                            "Device type $UNUSED_DEVICE_TYPE"
                        CppDevice.registerAsHostMemory(UNUSED_DEVICE_TYPE)
                        TypeSpec.of("i").toCpp().use { it.exportTo(schema) }
                        CppArray.importDeviceFrom(device, schema).use { imported ->
                            imported.validateFull().sameAs(array) shouldBe true
                            imported.exportDeviceTo(device, schema)
                        }
                        CppMemory.getInt(device + DEVICE_TYPE) shouldBe UNUSED_DEVICE_TYPE
                        CppMemory.putInt(device + DEVICE_TYPE, 1)
                        CppArray.importDeviceFrom(device, schema).close()
                    }
                }
            }
        }
    })

private val loaded = ArrowCpp.whyUnavailable() == null
private const val DEVICE_TYPE = 88L
private const val UNUSED_DEVICE_TYPE = 16

private fun throughCpp(array: CppArray): CppArray =
    withStructs { structs, schema ->
        array.exportTo(structs, schema)
        CppArray.importFrom(structs, schema)
    }

/** Memory for an array, plain or device, and for a schema. */
private fun <T> withStructs(body: (array: Long, schema: Long) -> T): T =
    Arena.ofConfined().use { arena -> body(arena.allocate(128, 8).address(), arena.allocate(72, 8).address()) }
