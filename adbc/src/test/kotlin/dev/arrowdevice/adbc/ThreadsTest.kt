package dev.arrowdevice.adbc

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.add
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.launch
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.Executors
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.measureTime

/** What happens when several threads use one connection, on a driver that stops where a test says. */
class ThreadsTest :
    FunSpec({
        suspend fun connected(block: suspend (AdbcConnection) -> Unit) =
            ReleaseBalance.start(PeerDriver).use {
                PeerDriver.open("PeerInitTurns").use { database -> database.connect().use { block(it) } }
            }

        suspend fun awaitBlocked() = runInterruptible(Dispatchers.IO) { PeerDriver.api.peer_await_waiting() }

        fun row(): RecordBatch = recordBatch { column<Int>("n") { add(1) } }

        test("a cancel has ended before the connection makes its next call, which it would hit") {
            connected { connection ->
                val cancelled = launch(Dispatchers.Default) { connection.query("blocks").collect() }
                awaitBlocked()
                val other = async(Dispatchers.IO) { connection.executeUpdate("1") }
                cancelled.cancelAndJoin()
                other.await()
                PeerDriver.api.peer_overlaps() shouldBe 0
            }
        }

        test("a cancel while the statement is released does not wait") {
            connected { connection ->
                val statement = connection.createStatement()
                PeerDriver.stopAt("released")
                val closing = async(Dispatchers.IO) { statement.close() }
                awaitBlocked()
                val cancel = async(Dispatchers.IO) { runCatching { statement.cancel() } }
                try {
                    withTimeout(20.seconds) { cancel.await() }.exceptionOrNull()!!.message shouldContain
                        "has been closed"
                } finally {
                    PeerDriver.api.peer_let_through()
                }
                closing.await()
            }
        }

        test("a driver that is closed while it opens a database closes that database too, and first") {
            ReleaseBalance.start(PeerDriver).use {
                val driver = AdbcDriver.find(PeerDriver.file.toString(), "PeerInitTurns", listOf())
                PeerDriver.api.peer_reset()
                PeerDriver.stopAt("database")
                val opening = async(Dispatchers.IO) { driver.open(AdbcOptions()) }
                awaitBlocked()
                val closing = async(Dispatchers.IO) { driver.close() }
                withTimeoutOrNull(300.milliseconds) { closing.await() }
                PeerDriver.api.peer_let_through()
                val database = opening.await()
                closing.await()
                database.use { it.isOpen shouldBe false }
                PeerDriver.calls() shouldBe "database, database released, driver released"
            }
        }

        test("a statement that a cancelled caller never got is closed on another thread than the caller's") {
            Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { ui ->
                val caller = withContext(ui) { PeerDriver.api.peer_this_thread() }
                connected { connection ->
                    PeerDriver.stopAt("statement")
                    val query = launch(ui) { connection.query("1").collect() }
                    awaitBlocked()
                    query.cancel()
                    PeerDriver.api.peer_let_through()
                    query.join()
                    PeerDriver.api.peer_statements() shouldBe 0
                    PeerDriver.api.peer_released_on() shouldNotBe caller
                }
            }
        }

        test("a bound flow that queries its own connection is refused at once") {
            connected { connection ->
                row().use { row ->
                    val took =
                        measureTime {
                            shouldThrow<IllegalStateException> {
                                connection.ingest(
                                    IngestTarget.table("t", IngestMode.CREATE),
                                    row.schema,
                                    connection.query("1"),
                                )
                            }.message shouldContain "use another connection"
                        }
                    took shouldBeLessThan 1.seconds
                }
            }
        }

        test("a bound result of the same connection, which the driver releases on its own thread, is released") {
            connected { connection ->
                val statement = connection.createStatement()
                statement.bind(connection.executeQuery("1"))
                // The driver's own thread releases the result while this one waits for it.
                val closing = async(Dispatchers.IO) { statement.close() }
                withTimeout(20.seconds) { closing.await() }
                PeerDriver.api.peer_statements() shouldBe 0
            }
        }

        test("a bound result of the same connection fails the execution, and is released after it") {
            connected { connection ->
                connection.createStatement().use { statement ->
                    statement.setSqlQuery("1")
                    statement.bind(connection.executeQuery("1"))
                    shouldThrow<IllegalStateException> { statement.executeUpdate() }.message shouldContain
                        "use another connection"
                }
                PeerDriver.api.peer_statements() shouldBe 0
            }
        }

        fun streamOf(pull: () -> RecordBatch?): DeviceArrayStream =
            DeviceArrayStream.of(row().use { it.schema }, generateSequence { pull() }.iterator())

        test("an update inside of a bound stream is refused on the driver's thread") {
            connected { connection ->
                connection.createStatement().use { statement ->
                    statement.setSqlQuery("1")
                    statement.bind(
                        streamOf {
                            connection.executeUpdate("1")
                            row()
                        },
                    )
                    shouldThrow<IllegalStateException> { statement.executeUpdate() }.message shouldContain
                        "executeUpdate: the connection executes a statement that waits for its bound stream"
                }
            }
        }

        test("a database that a bound stream of it closes stays open, with its connections, until the call has ended") {
            ReleaseBalance.start(PeerDriver).use {
                val database = PeerDriver.open("PeerInitTurns")
                val connection = database.connect()
                val statement = connection.createStatement()
                statement.setSqlQuery("1")
                statement.bind(
                    streamOf {
                        database.close()
                        row()
                    },
                )
                shouldThrow<IllegalStateException> { statement.executeUpdate() }.message shouldContain "close: "
                PeerDriver.calls() shouldBe "database, statement"
                database.isOpen shouldBe true
                database.close()
                connection.isOpen shouldBe false
                PeerDriver.calls() shouldBe "database, statement, released, database released, driver released"
            }
        }
    })
