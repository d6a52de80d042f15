package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArray
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CyclicBarrier
import kotlin.concurrent.thread

/** Closes, reads and exports from many threads. */
class ThreadsTest :
    FunSpec({
        extension(PeerBalance)

        test("an import is released once by any thread") {
            withStructs {
                repeat(200) {
                    val array = imported(Fields.utf8, PeerOptions.rows(3))
                    atOnce(List(8) { { array.close() } }).shouldBeEmpty()
                }
            }
        }

        test("a read that races with close returns the value or throws, and never reads freed memory") {
            withStructs {
                repeat(300) { round ->
                    // The guard makes the peer unmap the memory on release: a late read would end the process.
                    val array = imported(Fields.int32, PeerOptions.rows(1000).with(PeerQuirk.GUARD_BEHIND))
                    val expected = array.toIntArray()
                    val failures =
                        atOnce(
                            listOf(
                                { readUntilClosed(array) { i -> check(array.getInt(i) == expected[i.toInt()]) } },
                                {
                                    readUntilClosed(
                                        array,
                                    ) { i -> array.borrow { check(it.getInt(i) == expected[i.toInt()]) } }
                                },
                                { readUntilClosed(array) { check(array.toIntArray().contentEquals(expected)) } },
                                {
                                    readUntilClosed(array) { i ->
                                        array.slice(i, 1).use {
                                            check(it.getInt(0) == expected[i.toInt()])
                                        }
                                    }
                                },
                                {
                                    if (round % 2 == 0) Thread.onSpinWait() else Thread.yield()
                                    array.close()
                                },
                            ),
                        )
                    withClue(failures.map { it.stackTraceToString() }) { failures.shouldBeEmpty() }
                }
            }
        }

        test("of many racing exports one succeeds, and the others throw the reason") {
            withStructs {
                repeat(200) {
                    val array = imported(Fields.utf8, PeerOptions.rows(3))
                    val targets = List(6) { array() }
                    val failures = atOnce(targets.map { { ArrowExport.exportArray(array, CStruct.arrayAt(it)) } })
                    failures.size shouldBe 5
                    failures.all { it is IllegalStateException } shouldBe true
                    targets.count { !ArrayStruct(it).released() } shouldBe 1
                    targets.forEach(peer::releaseArray)
                }
            }
        }

        test("an export that races with close succeeds or throws the reason") {
            withStructs {
                repeat(500) {
                    val array = imported(Fields.utf8, PeerOptions.rows(3))
                    val out = array()
                    val failures =
                        atOnce(listOf({ ArrowExport.exportArray(array, CStruct.arrayAt(out)) }, { array.close() }))
                    failures.all { it is IllegalStateException } shouldBe true
                    ArrayStruct(out).released() shouldBe failures.isNotEmpty()
                    peer.releaseArray(out)
                }
            }
        }
    })

private fun readUntilClosed(
    array: DeviceArray,
    read: (Long) -> Unit,
) {
    var i = 0L
    try {
        while (true) read(i++ % array.length)
    } catch (e: IllegalStateException) {
        if ("the array has been closed" !in e.message.orEmpty()) throw e
    }
}

/** Runs the actions at once, each on its own thread; returns what they threw. */
fun atOnce(actions: List<() -> Unit>): List<Throwable> {
    val failures = ConcurrentLinkedQueue<Throwable>()
    val start = CyclicBarrier(actions.size)
    actions
        .map { action ->
            thread {
                start.await()
                runCatching(action).onFailure(failures::add)
            }
        }.forEach(Thread::join)
    return failures.toList()
}
