package dev.arrowdevice.ipc

import dev.arrowdevice.Schema
import dev.arrowdevice.coroutines.StreamDispatcher
import dev.arrowdevice.coroutines.asFlow
import dev.arrowdevice.coroutines.flowOfBatches
import dev.arrowdevice.coroutines.mapBatches
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Job
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import java.io.ByteArrayOutputStream
import java.io.UncheckedIOException
import java.nio.channels.Channels
import java.nio.channels.Pipe
import java.nio.channels.WritableByteChannel

class FlowTest :
    FunSpec({
        test("a flow goes through a pipe to another one, a batch at a time, and reports its progress") {
            ReleaseBalance.start().use {
                val pipe = Pipe.open()
                val progress = mutableListOf<IpcProgress>()
                coroutineScope {
                    launch {
                        pipe.sink().use { sink ->
                            flowOfBatches { repeat(50) { emit(numbers(it)) } }
                                .writeArrow(sink, onProgress = progress::add)
                                .batches shouldBe 50
                        }
                    }
                    // Opening waits for the schema, and the thread of the test writes it.
                    val reader = withContext(StreamDispatcher) { arrowStream(pipe.source()) }
                    val ids = reader.asFlow(prefetch = 2).map { it.column("id").getLong(0) }.toList()
                    ids shouldBe List(50) { it * 100L }
                }
                progress.map { it.batches } shouldBe (1L..50L).toList()
                progress.map { it.bytes } shouldBe progress.map { it.bytes }.sorted()
            }
        }

        test("a cancelled write leaves the batches that were written, a valid beginning of a stream") {
            ReleaseBalance.start().use {
                val bytes = ByteArrayOutputStream()
                coroutineScope {
                    val reached = CompletableDeferred<Job>()
                    val writing =
                        launch {
                            flowOfBatches {
                                emit(numbers(0))
                                emit(numbers(1))
                                reached.complete(Job())
                                awaitCancellation()
                            }.writeArrow(bytes)
                        }
                    reached.await()
                    writing.cancelAndJoin()
                }
                arrowStream(bytes.toByteArray().inputStream())
                    .asFlow()
                    .map { it.column("id").getLong(0) }
                    .toList() shouldBe listOf(0L, 100L)
            }
        }

        test("a read that waits ends when the channel is closed on cancellation, as docs/ipc.md writes it") {
            ReleaseBalance.start().use {
                val pipe = Pipe.open()
                pipe.sink().use { sink ->
                    sample().use { batch ->
                        ArrowStreamWriter.open(Uncloseable(sink), batch.schema).use { it.write(batch) }
                    }
                    val first = CompletableDeferred<Unit>()
                    coroutineScope {
                        val reading =
                            launch {
                                coroutineScope {
                                    val closing =
                                        launch {
                                            try {
                                                awaitCancellation()
                                            } finally {
                                                pipe.source().close()
                                            }
                                        }
                                    try {
                                        val reader = withContext(StreamDispatcher) { arrowStream(pipe.source()) }
                                        reader.asFlow().collect { first.complete(Unit) }
                                    } catch (e: UncheckedIOException) {
                                        ensureActive()
                                        throw e
                                    }
                                    closing.cancel()
                                }
                            }
                        first.await()
                        reading.cancelAndJoin()
                    }
                    pipe.source().isOpen shouldBe false
                }
            }
        }

        test("a cancelled write of a file leaves what recover reads") {
            ReleaseBalance.start().use {
                val path =
                    java.nio.file.Files
                        .createTempFile("ipc", ".arrow")
                try {
                    shouldThrow<IllegalStateException> {
                        flowOfBatches {
                            emit(numbers(0))
                            error("enough")
                        }.writeArrowFile(path)
                    }.message shouldBe "enough"
                    ArrowFile.recover(path).use { file ->
                        file.batches().map { it.rowCount }.toList() shouldBe listOf(100L)
                    }
                    flowOfBatches { repeat(3) { emit(numbers(it)) } }.writeArrowFile(path).batches shouldBe 3
                    arrowFile(path).use { file ->
                        repeat(2) { file.batches(prefetch = 1).map { it.rowCount }.toList() shouldBe List(3) { 100L } }
                    }
                } finally {
                    java.nio.file.Files
                        .delete(path)
                }
            }
        }

        test("a batch that nobody closes is refused, and closed") {
            ReleaseBalance.start().use {
                shouldThrow<IllegalStateException> { flowOf(1).map { numbers(it) }.writeArrow(ByteArrayOutputStream()) }
                    .message shouldContain "still open"
                numbers(0).use { kept ->
                    flowOfBatches { emit(kept.share()) }
                        .mapBatches { it.slice(0, 1) }
                        .writeArrow(ByteArrayOutputStream())
                        .batches shouldBe 1
                }
            }
        }

        test("a flow without batches is an empty stream if it has a schema, and fails otherwise") {
            val bytes = ByteArrayOutputStream()
            flowOfBatches {}.writeArrow(Channels.newChannel(bytes), Schema.of()).batches shouldBe 0
            arrowStream(bytes.toByteArray().inputStream()).use { it.nextBatch() shouldBe null }
            shouldThrow<IllegalArgumentException> { flowOfBatches {}.writeArrow(bytes) }.message shouldContain "schema"
        }
    })

private class Uncloseable(
    private val channel: WritableByteChannel,
) : WritableByteChannel by channel {
    override fun close() = Unit
}
