package dev.arrowdevice.python

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread

/** The gate of the end by itself; in processes that end, [InterpreterEndsTest] has it. */
class InterpreterEndTest :
    FunSpec({
        test("releases run until the end, and none begins after it") {
            val end = InterpreterEnd()
            end.enter() shouldBe true
            end.leave()
            end.end()
            end.enter() shouldBe false
            end.end()
        }

        test("the end waits for the releases that are under way, one within another too") {
            val end = InterpreterEnd()
            end.enter() shouldBe true
            end.enter() shouldBe true
            val begun = CountDownLatch(1)
            val ending =
                thread {
                    begun.countDown()
                    end.end()
                }
            begun.await()
            while (ending.state != Thread.State.WAITING) Thread.onSpinWait()
            end.leave()
            ending.isAlive shouldBe true
            end.enter() shouldBe false
            ending.isAlive shouldBe true
            end.leave()
            ending.join()
        }

        test("an interrupt does not end the wait, and is kept") {
            val end = InterpreterEnd()
            end.enter()
            var interrupted = false
            val ending =
                thread {
                    end.end()
                    interrupted = Thread.currentThread().isInterrupted
                }
            while (ending.state != Thread.State.WAITING) Thread.onSpinWait()
            ending.interrupt()
            while (ending.isInterrupted || ending.state != Thread.State.WAITING) Thread.onSpinWait()
            end.leave()
            ending.join()
            interrupted shouldBe true
        }
    })
