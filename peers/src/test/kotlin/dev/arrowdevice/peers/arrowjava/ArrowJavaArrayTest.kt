package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.peers.arbitrary.valuesOf
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe

class ArrowJavaArrayTest :
    FunSpec({
        context("Arrow Java reads arrays built here") {
            withData(nameFn = { "$it" }, JavaSamples.all) { sample ->
                withArrowJava {
                    take(build(sample.field, sample.values), sample.field).use { vector ->
                        vector.field shouldBe JavaTypes().field(sample.field)
                        vector.valueCount shouldBe sample.values.size
                        values(vector) shouldBe sample.theirs
                    }
                }
            }
        }

        context("arrays of Arrow Java are read here") {
            withData(nameFn = { "$it" }, JavaSamples.all) { sample ->
                withArrowJava {
                    val (field, array) = make(sample.field, sample.stored).use { give(it) }
                    array.use {
                        field shouldBe sample.field
                        valuesOf(it) shouldBe sample.ours
                    }
                }
            }
        }

        context("empty arrays are exchanged in both directions") {
            withData(nameFn = { "$it" }, JavaSamples.all) { sample ->
                withArrowJava {
                    take(build(sample.field, listOf()), sample.field).use { it.valueCount shouldBe 0 }
                    val (field, array) = make(sample.field, listOf()).use { give(it) }
                    array.use { field to it.length shouldBe (sample.field to 0L) }
                }
            }
        }
    })
