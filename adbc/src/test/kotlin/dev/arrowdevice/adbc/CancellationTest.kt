package dev.arrowdevice.adbc

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.add
import dev.arrowdevice.coroutines.flowOfBatches
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** How a cancellation reaches a driver that blocks, and what a driver that can't cancel is spared. */
class CancellationTest :
    FunSpec({
        suspend fun connected(block: suspend (AdbcConnection) -> Unit) =
            ReleaseBalance.start(PeerDriver).use {
                PeerDriver.open().use { database -> database.connect().use { block(it) } }
            }

        suspend fun awaitBlocked() = runInterruptible(Dispatchers.IO) { PeerDriver.api.peer_await_waiting() }

        for (sql in listOf("blocks", "2 then waits")) {
            for (prefetch in listOf(0, 2)) {
                test("a cancelled collector of \"$sql\" with prefetch $prefetch cancels the call that blocks") {
                    connected { connection ->
                        val collected =
                            launch(Dispatchers.Default) { connection.query(sql, prefetch = prefetch).collect() }
                        awaitBlocked()
                        collected.cancelAndJoin()
                        PeerDriver.api.peer_statements() shouldBe 0
                        PeerDriver.api.peer_reset()
                        connection.query("1").map { it.rowCount }.toList() shouldBe listOf(3L)
                    }
                }
            }
        }

        test("a cancelled update cancels the call that blocks") {
            connected { connection ->
                val update = async(Dispatchers.Default) { connection.update("blocks") }
                awaitBlocked()
                update.cancelAndJoin()
                PeerDriver.api.peer_statements() shouldBe 0
            }
        }

        test("a time-out is a time-out, not an error of the driver") {
            connected { connection ->
                shouldThrow<TimeoutCancellationException> {
                    withTimeout(50.milliseconds) { connection.query("blocks").collect() }
                }
            }
        }

        test("a collector that has enough does not wait for a batch that is read ahead") {
            connected { connection ->
                withTimeout(20.seconds) {
                    connection.query("1 then waits", prefetch = 3).first().rowCount shouldBe 3
                }
            }
        }

        suspend fun cancels(block: suspend () -> Unit): Int {
            val before = PeerDriver.api.peer_cancels()
            block()
            return PeerDriver.api.peer_cancels() - before
        }

        test("a collector that has enough cancels what the database may still send, though no call runs") {
            connected { connection ->
                cancels { connection.query("5").first().rowCount shouldBe 3 } shouldBe 1
            }
        }

        test("a collector that reads to the end cancels nothing") {
            connected { connection ->
                cancels {
                    connection
                        .query("5")
                        .map { it.rowCount }
                        .toList()
                        .size shouldBe 5
                } shouldBe 0
            }
        }

        test("a collector that has enough does not cancel the result of another statement") {
            connected { connection ->
                connection.executeQuery("5").use { other ->
                    cancels { connection.query("5").first() } shouldBe 0
                    other.nextBatch()!!.use { it.rowCount shouldBe 3 }
                }
            }
        }

        test("a collector that fails does not wait for a batch that is read ahead") {
            connected { connection ->
                shouldThrow<IllegalStateException> {
                    connection.query("1 then waits", prefetch = 3).collect { error("mine") }
                }.message shouldBe "mine"
            }
        }

        test("a driver that can't cancel is waited for, and not called again") {
            connected { connection ->
                PeerDriver.api.peer_can_cancel(false)
                val rows = CompletableDeferred<Long>()
                val collected =
                    launch(Dispatchers.Default) {
                        connection.query("1 then waits").collect { rows.complete(it.rowCount) }
                    }
                rows.await() shouldBe 3
                awaitBlocked()
                collected.cancel()
                PeerDriver.api.peer_statements() shouldBe 1
                PeerDriver.api.peer_let_through()
                collected.join()
                PeerDriver.api.peer_statements() shouldBe 0
            }
        }

        test("a cancel before the collection calls no driver") {
            connected { connection ->
                val job =
                    launch {
                        coroutineContext[kotlinx.coroutines.Job]!!.cancel()
                        connection.query("blocks").collect()
                    }
                job.join()
                job.isCancelled shouldBe true
            }
        }

        test("a statement can be cancelled from another thread while it executes, without a wait for its lock") {
            connected { connection ->
                connection.createStatement().use { statement ->
                    statement.setSqlQuery("blocks")
                    val executing = async(Dispatchers.IO) { runCatching { statement.executeQuery() } }
                    awaitBlocked()
                    statement.cancel()
                    val failure = executing.await().exceptionOrNull() as AdbcException
                    failure.status shouldBe AdbcStatus.CANCELLED
                }
            }
        }

        test("two threads on one statement wait for each other") {
            connected { connection ->
                connection.createStatement().use { statement ->
                    statement.setSqlQuery("blocks")
                    val first = async(Dispatchers.IO) { statement.executeUpdate() }
                    awaitBlocked()
                    val second = async(Dispatchers.IO) { statement.setSqlQuery("bad") }
                    second.isCompleted shouldBe false
                    PeerDriver.api.peer_let_through()
                    first.await()
                    second.await()
                    shouldThrow<AdbcException> { statement.executeQuery() }.message shouldContain "no such table: bad"
                }
            }
        }

        test("a close waits for the call that runs") {
            connected { connection ->
                val statement = connection.createStatement()
                statement.setSqlQuery("blocks")
                val executing = async(Dispatchers.IO) { runCatching { statement.executeUpdate() } }
                awaitBlocked()
                val closing = async(Dispatchers.IO) { connection.close() }
                PeerDriver.api.peer_statements() shouldBe 1
                statement.cancel()
                (executing.await().exceptionOrNull() as AdbcException).status shouldBe AdbcStatus.CANCELLED
                closing.await()
                PeerDriver.api.peer_statements() shouldBe 0
            }
        }

        test("a flow whose ingest the driver refuses is never collected") {
            connected { connection ->
                var collected = false
                val rows =
                    flowOfBatches {
                        collected = true
                        emit(recordBatch { column<Int>("n") { add(1) } })
                    }
                shouldThrow<AdbcException> {
                    withContext(Dispatchers.Default) {
                        connection.ingest(
                            IngestTarget.table("t", IngestMode.CREATE),
                            Schema.of(Field.nullable("n", ArrowType.INT32)),
                            rows,
                        )
                    }
                }.message shouldContain "no stream today"
                collected shouldBe false
            }
        }
    })
