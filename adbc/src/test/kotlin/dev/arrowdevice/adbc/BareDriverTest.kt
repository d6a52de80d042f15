package dev.arrowdevice.adbc

import dev.arrowdevice.add
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Drivers that implement no more than ADBC's driver manager requires, and say little of their errors. */
class BareDriverTest :
    FunSpec({
        fun connected(
            entryPoint: String,
            block: (AdbcConnection) -> Unit,
        ) = ReleaseBalance.start(PeerDriver).use {
            PeerDriver.open(entryPoint).use { database -> database.connect().use(block) }
        }

        test("a driver whose databases have no options works, and refuses options") {
            connected("PeerInitBare") { connection ->
                connection.executeQuery("1").use { result -> result.nextBatch()!!.use { it.rowCount shouldBe 3 } }
            }
            ReleaseBalance.start(PeerDriver).use {
                shouldThrow<AdbcException> { PeerDriver.open("PeerInitBare") { uri = "any" } }.status shouldBe
                    AdbcStatus.NOT_IMPLEMENTED
            }
        }

        test("a batch is bound as a batch by a driver that takes no streams") {
            connected("PeerInitBare") { connection ->
                connection.createStatement().use { statement ->
                    recordBatch { column<Int>("n") { add(1) } }.use { batch ->
                        statement.bind(batch)
                        batch.isLive shouldBe true
                    }
                    PeerDriver.calls() shouldContain "one row"
                }
            }
        }

        test("an error of a stream without a text or status in ADBC's struct has the text and code of the stream") {
            connected("PeerInitTurns") { connection ->
                connection.executeQuery("0 fails").use { result ->
                    val error = shouldThrow<AdbcException> { result.nextBatch() }
                    error.status shouldBe AdbcStatus.IO
                    error.message shouldContain "an error of the stream"
                }
            }
        }
    })
