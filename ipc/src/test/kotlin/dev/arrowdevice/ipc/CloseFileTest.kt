package dev.arrowdevice.ipc

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.util.Collections
import java.util.concurrent.CyclicBarrier
import kotlin.concurrent.thread

class CloseFileTest :
    FunSpec({
        test("a file that is closed while threads read leaks nothing, and says that it was closed") {
            ReleaseBalance.start().use {
                withFile { path ->
                    val batches = List(3) { words("word $it", "all") }
                    write(path, batches)
                    val odd = Collections.synchronizedList(mutableListOf<Throwable>())
                    repeat(2000) {
                        val file = arrowFile(path)
                        val start = CyclicBarrier(3)
                        val readers =
                            List(2) { i ->
                                thread {
                                    start.await()
                                    try {
                                        repeat(3) { file.batch((it + i) % 3).close() }
                                    } catch (e: IllegalStateException) {
                                        if (e.message != "batch: the file has been closed") odd += e
                                    } catch (e: Throwable) {
                                        odd += e
                                    }
                                }
                            }
                        start.await()
                        file.close()
                        readers.forEach(Thread::join)
                    }
                    odd.map { it.toString() }.toSet().shouldBeEmpty()
                    batches.forEach(RecordBatch::close)
                }
            }
        }

        test("every method of a closed file names itself") {
            withFile { path ->
                words("a").use { write(path, listOf(it)) }
                val file = arrowFile(path)
                file.close()
                listOf<Pair<String, () -> Unit>>(
                    "batch" to { file.batch(0) },
                    "rowCount" to { file.rowCount(0) },
                    "batchMetadata" to { file.batchMetadata(0) },
                ).forEach { (name, call) ->
                    shouldThrow<IllegalStateException>(call).message shouldBe "$name: the file has been closed"
                }
            }
        }
    })
