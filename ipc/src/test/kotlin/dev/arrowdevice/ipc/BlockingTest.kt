package dev.arrowdevice.ipc

import dev.arrowdevice.add
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.channels.Pipe

/** A channel that does not block is refused: to ask it again and again would take a whole core. */
class BlockingTest :
    FunSpec({
        test("a channel that does not block is refused and closed when it is opened") {
            ReleaseBalance.start().use {
                withPipe { pipe ->
                    pipe.source().configureBlocking(false)
                    shouldThrow<IllegalArgumentException> { arrowStream(pipe.source()) }.message shouldContain
                        "configureBlocking(true)"
                    pipe.source().isOpen shouldBe false
                }
                withPipe { pipe ->
                    pipe.sink().configureBlocking(false)
                    sample().use { batch ->
                        shouldThrow<IllegalArgumentException> {
                            ArrowStreamWriter.open(pipe.sink(), batch.schema)
                        }.message shouldContain "configureBlocking(true)"
                    }
                    pipe.sink().isOpen shouldBe false
                }
            }
        }

        test("a channel that stops to block is refused when it has nothing to read, or no room") {
            ReleaseBalance.start().use {
                withPipe { pipe ->
                    large().use { batch ->
                        ArrowStreamWriter.open(pipe.sink(), batch.schema).use { writer ->
                            pipe.sink().configureBlocking(false)
                            shouldThrow<IllegalArgumentException> { writer.write(batch) }.message shouldContain
                                "configureBlocking(true)"
                        }
                    }
                }
                withPipe { pipe ->
                    sample().use { batch ->
                        val writer = ArrowStreamWriter.open(pipe.sink(), batch.schema)
                        writer.write(batch)
                        arrowStream(pipe.source()).use { reader ->
                            reader.nextBatch()!!.close()
                            pipe.source().configureBlocking(false)
                            shouldThrow<IllegalArgumentException> { reader.nextBatch() }.message shouldContain
                                "configureBlocking(true)"
                        }
                        writer.close()
                    }
                }
            }
        }
    })

/** More than a pipe holds. */
private fun large() = recordBatch { column<Long>("n") { repeat(1 shl 20) { add(it.toLong()) } } }

private fun withPipe(body: (Pipe) -> Unit) {
    val pipe = Pipe.open()
    pipe.sink().use { pipe.source().use { body(pipe) } }
}
