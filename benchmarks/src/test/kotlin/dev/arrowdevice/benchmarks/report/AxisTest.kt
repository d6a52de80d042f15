package dev.arrowdevice.benchmarks.report

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveAtLeastSize
import io.kotest.matchers.collections.shouldHaveAtMostSize
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe

class AxisTest :
    FunSpec({
        test("on a logarithmic axis twice as fast is as far from the peer as half as fast") {
            val axis = Axis.logarithmic(listOf(0.25, 1.0, 4.0))
            axis.position(2.0) - axis.position(1.0) shouldBe (axis.position(1.0) - axis.position(0.5) plusOrMinus 1e-9)
            axis.position(1.0) shouldBe (0.5 plusOrMinus 1e-9)
        }

        test("on a linear axis equal amounts are equally long, from 0 on") {
            val axis = Axis.linear(listOf(0.0, 300.0, 900.0))
            axis.position(0.0) shouldBe 0.0
            axis.position(600.0) shouldBe (2 * axis.position(300.0) plusOrMinus 1e-9)
        }

        test("an amount below 0 is on the axis too") {
            Axis.linear(listOf(-20.0, 900.0)).position(-20.0) shouldBeGreaterThan 0.0
        }

        test("no value is at the end of the axis") {
            val axis = Axis.logarithmic(listOf(0.14, 1.0, 7.6))
            axis.position(0.14) shouldBeGreaterThan 0.0
            axis.position(7.6) shouldBeLessThan 1.0
        }

        test("ticks are round and few for every range") {
            Axis.logarithmic(listOf(0.3, 1.0, 8.0)).ticks shouldContainExactly listOf(0.5, 1.0, 2.0, 5.0)
            Axis.logarithmic(listOf(0.02, 1.0, 1300.0)).ticks shouldContainExactly listOf(0.1, 1.0, 10.0, 100.0, 1000.0)
            Axis.linear(listOf(0.0, 1000.0)).ticks shouldContainExactly (0..5).map { it * 200.0 }
            listOf(3.0, 70.0, 999.0, 2.1e6).forEach { most ->
                Axis.linear(listOf(0.0, most)).ticks shouldHaveAtLeastSize 3 shouldHaveAtMostSize 11
            }
        }
    })
