package dev.arrowdevice.adbc

import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.runInterruptible

/** What a transaction does on a driver that stops in the middle of its calls. */
class TransactionTest :
    FunSpec({
        suspend fun connected(block: suspend (AdbcConnection) -> Unit) =
            ReleaseBalance.start(PeerDriver).use {
                PeerDriver.open("PeerInitTurns").use { database -> database.connect().use { block(it) } }
            }

        suspend fun awaitBlocked() = runInterruptible(Dispatchers.IO) { PeerDriver.api.peer_await_waiting() }

        test("a transaction that is cancelled while it begins leaves the connection as it was") {
            connected { connection ->
                var ran = false
                PeerDriver.stopAt("autocommit=false")
                val job = launch(Dispatchers.Default) { connection.transaction { ran = true } }
                awaitBlocked()
                job.cancel()
                PeerDriver.api.peer_let_through()
                job.join()
                ran shouldBe false
                PeerDriver.calls() shouldBe "autocommit=false, rollback, autocommit=true"
            }
        }

        test("a transaction that is cancelled while it commits is committed, and returns") {
            connected { connection ->
                var returned: Int? = null
                PeerDriver.stopAt("commit")
                val job = launch(Dispatchers.Default) { returned = connection.transaction { 42 } }
                awaitBlocked()
                job.cancel()
                PeerDriver.api.peer_let_through()
                job.join()
                returned shouldBe 42
                PeerDriver.calls() shouldBe "autocommit=false, commit, autocommit=true"
            }
        }

        test("a transaction that is cancelled in its block is rolled back") {
            connected { connection ->
                PeerDriver.stopAt("nowhere")
                val job =
                    launch(Dispatchers.Default) { connection.transaction { kotlinx.coroutines.awaitCancellation() } }
                while (PeerDriver.calls() != "autocommit=false") {
                    kotlinx.coroutines.yield()
                }
                job.cancel()
                job.join()
                PeerDriver.calls() shouldBe "autocommit=false, rollback, autocommit=true"
            }
        }
    })
