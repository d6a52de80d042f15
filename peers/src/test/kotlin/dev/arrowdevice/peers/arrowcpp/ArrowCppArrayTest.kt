package dev.arrowdevice.peers.arrowcpp

import dev.arrowdevice.DeviceArray
import dev.arrowdevice.peers.arbitrary.valuesOf
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** Arrays of Arrow C++ are read here; exported back, they are the same arrays for C++. */
class ArrowCppArrayTest :
    FunSpec({
        val loaded = ArrowCpp.whyUnavailable() == null

        Interface.entries.forEach { by ->
            context(
                "arrays of C++ are read, and exported to it unchanged, through the ${by.name.lowercase()} interface",
            ) {
                CppSamples.all.forEach { sample ->
                    test(sample.name).config(enabled = loaded) {
                        balanced {
                            sample.make().use { built ->
                                built.toJvm(by).use { imported ->
                                    imported.type shouldBe sample.type
                                    valuesOf(imported) shouldBe sample.values
                                    handBack(imported.share(), built, by)
                                }
                            }
                        }
                    }
                }
            }
        }

        context("slices of C++ are read here, and our slices there") {
            CppSamples.all.forEach { sample ->
                test(sample.name).config(enabled = loaded) {
                    balanced {
                        sample.make().use { built ->
                            for (offset in 0..sample.values.size) {
                                for (length in 0..sample.values.size - offset) slice(sample, built, offset, length)
                            }
                        }
                    }
                }
            }
        }

        context("null arrays and empty arrays of C++ are read") {
            CppSamples.all.forEach { sample ->
                test(sample.name).config(enabled = loaded) {
                    balanced {
                        sample.make().use { built ->
                            built.type().use { type ->
                                CppArrays.ofNull(type, 3).use { nulls ->
                                    nulls.toJvm().use { valuesOf(it) shouldBe listOf(null, null, null) }
                                }
                                CppArrays.empty(type).use { empty ->
                                    empty.toJvm().use { valuesOf(it) shouldBe listOf() }
                                }
                            }
                        }
                    }
                }
            }
        }
    })

private fun handBack(
    array: DeviceArray,
    built: CppArray,
    by: Interface,
) {
    array.use {
        array.toCpp(by).use { back ->
            back.validateFull()
            withClue("$back should be the same as $built") { back.sameAs(built) shouldBe true }
        }
    }
}

private fun slice(
    sample: CppSample,
    built: CppArray,
    offset: Int,
    length: Int,
) {
    val expected = sample.values.subList(offset, offset + length)
    built.slice(offset.toLong(), length.toLong()).use { slice ->
        withClue("C++'s slice($offset, $length)") { slice.toJvm().use { valuesOf(it) shouldBe expected } }
        withClue("our slice($offset, $length)") {
            built.toJvm().use { whole ->
                handBack(whole.slice(offset.toLong(), length.toLong()), slice, Interface.PLAIN)
            }
        }
    }
}
