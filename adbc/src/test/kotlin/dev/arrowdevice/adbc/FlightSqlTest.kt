package dev.arrowdevice.adbc

import dev.arrowdevice.adbc.DatabaseContract.Companion.sum
import dev.arrowdevice.adbc.servers.FlightSqlServer
import dev.arrowdevice.addAll
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.withTimeout
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** A driver in Go, with a runtime of its own in this process, and a server on the other side of a socket. */
class FlightSqlTest :
    FunSpec({
        val obstacle = FlightSqlServer.obstacle()
        if (obstacle != null) {
            xtest("Flight SQL: $obstacle") {}
        } else {
            val server = FlightSqlServer.start()
            afterSpec { server.close() }

            suspend fun unbalanced(block: suspend (AdbcConnection) -> Unit) =
                server.open().use { database ->
                    database.connect().use { connection ->
                        block(connection)
                        connection.query("SELECT 42 AS n").sum() shouldBe 42
                    }
                }

            suspend fun connected(block: suspend (AdbcConnection) -> Unit) =
                ReleaseBalance.start().use { unbalanced(block) }

            test("Flight SQL: a query is a flow and again a stream, and an update counts its rows") {
                connected { connection ->
                    connection.query("SELECT id FROM intTable WHERE id <= 3").sum() shouldBe 6
                    connection.executeQuery("SELECT id FROM intTable WHERE id <= 3").use { result ->
                        result.schema.fields().map { it.name() } shouldBe listOf("id")
                        generateSequence { result.nextBatch() }.sumOf { batch -> batch.use { it.sum() } } shouldBe 6
                    }
                    connection.update("UPDATE intTable SET value = 0 WHERE id <= 3") shouldBe 3
                }
            }

            test("Flight SQL: the partitions of a result are read by another connection") {
                connected { connection ->
                    val partitions =
                        connection.createStatement().use { statement ->
                            statement.setSqlQuery("SELECT id FROM intTable WHERE id <= 3")
                            statement.executePartitions()
                        }
                    server.open().use { database ->
                        database.connect().use { other ->
                            partitions.descriptors.sumOf { descriptor ->
                                other.readPartition(descriptor).use { result ->
                                    generateSequence { result.nextBatch() }.sumOf { batch -> batch.use { it.sum() } }
                                }
                            } shouldBe 6
                        }
                    }
                    shouldThrow<AdbcException> { connection.readPartition(byteArrayOf(1, 2, 3)) }
                }
            }

            test("Flight SQL: a time-out ends a query that works") {
                connected { connection ->
                    withTimeout(60.seconds) {
                        shouldThrow<TimeoutCancellationException> {
                            withTimeout(200.milliseconds) { connection.query(ENDLESS).collect() }
                        }
                    }
                }
            }

            test("Flight SQL: an error of SQL has the server's words") {
                connected { connection ->
                    shouldThrow<AdbcException> { connection.query("SELECT * FROM no_such_table").collect() }
                        .message shouldContain "no_such_table"
                }
            }

            test("Flight SQL: an ingest, which this server lacks, is refused") {
                // Once in some hundred runs the driver keeps the batch of a call that its server has refused.
                unbalanced { connection ->
                    recordBatch { column<Long>("n") { addAll(1L..3L) } }.use { batch ->
                        shouldThrow<AdbcException> {
                            connection.ingest(IngestTarget.table("t", IngestMode.CREATE), batch)
                        }.status shouldBe AdbcStatus.NOT_IMPLEMENTED
                        batch.isLive shouldBe true
                    }
                }
            }

            test("Flight SQL: a server that is gone is an error, and the connection is closed all the same") {
                ReleaseBalance.start().use {
                    val other = FlightSqlServer.start()
                    other.open().use { database ->
                        database.connect().use { connection ->
                            connection.query("SELECT 42 AS n").sum() shouldBe 42
                            other.close()
                            withTimeout(60.seconds) {
                                shouldThrow<AdbcException> { connection.query("SELECT 42 AS n").sum() }
                            }
                        }
                    }
                }
            }
        }
    })

private const val ENDLESS =
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) AS n FROM r"
