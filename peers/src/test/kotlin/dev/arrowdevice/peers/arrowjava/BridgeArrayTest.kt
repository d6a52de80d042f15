package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.DeviceArray
import dev.arrowdevice.arrowjava.toDeviceArray
import dev.arrowdevice.arrowjava.toFieldVector
import dev.arrowdevice.peers.arbitrary.comparable
import dev.arrowdevice.peers.arbitrary.valuesOf
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import org.apache.arrow.vector.FieldVector

/** The bridge, which exchanges vectors without the C data interface. */
class BridgeArrayTest :
    FunSpec({
        context("Arrow Java reads arrays built here") {
            withData(nameFn = { "$it" }, JavaSamples.all) { sample ->
                withArrowJava {
                    build(sample.field, sample.values).use { array ->
                        lend(array, sample).use { vector ->
                            vector.field shouldBe JavaTypes().field(sample.field)
                            read(vector, sample) shouldBe sample.theirs
                        }
                    }
                }
            }
        }

        context("Arrow Java reads slices of arrays built here") {
            withData(nameFn = { "$it" }, JavaSamples.all) { sample ->
                withArrowJava {
                    build(sample.field, sample.values).use { array ->
                        for ((from, length) in slices) {
                            withClue("$length from $from") {
                                array.slice(from.toLong(), length.toLong()).use { slice ->
                                    lend(slice, sample).use {
                                        read(it, sample) shouldBe sample.theirs.subList(from, from + length)
                                    }
                                }
                            }
                            closeDictionaries()
                        }
                    }
                }
            }
        }

        context("arrays of Arrow Java are read here") {
            withData(nameFn = { "$it" }, JavaSamples.all) { sample ->
                withArrowJava {
                    make(sample.field, sample.stored).use { vector ->
                        vector.toDeviceArray(made).use {
                            it.type shouldBe sample.field.type()
                            valuesOf(it) shouldBe sample.ours
                        }
                    }
                }
            }
        }

        context("empty arrays are exchanged in both directions") {
            withData(nameFn = { "$it" }, JavaSamples.all) { sample ->
                withArrowJava {
                    build(sample.field, listOf()).use { array ->
                        lend(array, sample).use {
                            it.valueCount shouldBe 0
                            it.toDeviceArray(made).use { back -> back.type to back.length shouldBe (array.type to 0L) }
                        }
                    }
                    closeDictionaries()
                    make(sample.field, listOf()).use { vector ->
                        vector.toDeviceArray(made).use { it.type to it.length shouldBe (sample.field.type() to 0L) }
                    }
                }
            }
        }

        context("what went to Arrow Java and back has its values and its addresses") {
            withData(nameFn = { "$it" }, JavaSamples.all) { sample ->
                withArrowJava {
                    build(sample.field, sample.values).use { array ->
                        lend(array, sample).use { vector ->
                            vector.toDeviceArray(made).use { back ->
                                valuesOf(back) shouldBe valuesOf(array)
                                addresses(back.data) shouldBe addresses(array.data)
                            }
                        }
                    }
                }
            }
        }
    }) {
    private companion object {
        val slices = listOf(0 to 7, 3 to 9, 8 to 11, 16 to 3, 18 to 1, 19 to 0)

        fun ArrowJava.lend(
            array: DeviceArray,
            sample: JavaSample,
        ): FieldVector = array.toFieldVector(sample.field, allocator, made)

        fun ArrowJava.read(
            vector: FieldVector,
            sample: JavaSample,
        ): List<Any?> {
            validate(vector, sample.field.type())
            return JavaReading(made).values(vector).map(::comparable)
        }
    }
}
