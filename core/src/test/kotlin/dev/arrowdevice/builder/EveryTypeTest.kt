package dev.arrowdevice.builder

import dev.arrowdevice.Device
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class EveryTypeTest :
    FunSpec({
        extension(MemoryBalance())

        typeSamples.forEach { sample ->
            val expected = sample.manyValues.map(::comparable)

            test("${sample.type} gives back what was built") {
                arrayOf(sample.type, *sample.manyValues.toTypedArray()).use { array ->
                    array.type shouldBe sample.type
                    array.length shouldBe 23L
                    array.objects() shouldBe expected
                }
            }

            test("${sample.type} gives back what was built through slices of slices") {
                arrayOf(sample.type, *sample.manyValues.toTypedArray()).use { array ->
                    array.slice(3, 17).use { slice ->
                        slice.objects() shouldBe expected.subList(3, 20)
                        slice.slice(6, 9).use { it.objects() shouldBe expected.subList(9, 18) }
                        slice.slice(17, 0).use { it.objects() shouldBe emptyList() }
                    }
                }
            }

            test("${sample.type} is copied, whole and sliced") {
                arrayOf(sample.type, *sample.manyValues.toTypedArray()).use { array ->
                    array.copyTo(Device.CPU).use { it.valuesEqual(array) shouldBe true }
                    array.slice(5, 13).use { slice ->
                        slice.copyTo(Device.CPU).use { copy ->
                            copy.valuesEqual(slice) shouldBe true
                            copy.objects() shouldBe expected.subList(5, 18)
                        }
                    }
                }
            }

            test("${sample.type} can be empty") {
                arrayOf(sample.type).use { array ->
                    array.objects() shouldBe emptyList()
                    array.copyTo(Device.CPU).use { it.valuesEqual(array) shouldBe true }
                }
            }
        }
    })
