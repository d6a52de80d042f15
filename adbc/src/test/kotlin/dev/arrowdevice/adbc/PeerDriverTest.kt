package dev.arrowdevice.adbc

import dev.arrowdevice.Schema
import dev.arrowdevice.add
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain

/** What a driver may do that SQLite, PostgreSQL and DuckDB do rarely or never. */
class PeerDriverTest :
    FunSpec({
        fun balanced(block: () -> Unit) = ReleaseBalance.start(PeerDriver).use { block() }

        fun connected(block: (AdbcConnection) -> Unit) =
            balanced { PeerDriver.open().use { database -> database.connect().use(block) } }

        test("a driver of ADBC 1.0 only is asked for 1.1 first, and works") {
            balanced {
                AdbcDriver.find(PeerDriver.file.toString(), "PeerInit10", listOf()).use { driver ->
                    driver.adbcVersion shouldBe "1.0"
                    driver.open(AdbcOptions()).use { database ->
                        database.connect().use { connection ->
                            connection.executeQuery("2").use { result ->
                                result.nextBatch()!!.use { it.rowCount shouldBe 3 }
                            }
                            val refusal = shouldThrow<AdbcException> { connection.isAutocommit }
                            refusal.status shouldBe AdbcStatus.NOT_IMPLEMENTED
                            refusal.message shouldContain "it is of ADBC 1.0"
                            connection.createStatement().use {
                                shouldThrow<AdbcException> { it.cancel() }.status shouldBe AdbcStatus.NOT_IMPLEMENTED
                            }
                        }
                    }
                }
            }
        }

        test("a driver of a future version only is refused with what it says") {
            balanced {
                val refusal = shouldThrow<AdbcException> { PeerDriver.open("PeerInitFuture") }
                refusal.status shouldBe AdbcStatus.NOT_IMPLEMENTED
                refusal.message shouldContain "could not be initialised for ADBC 1.1, nor for 1.0"
                refusal.message shouldContain "only ADBC 9"
            }
        }

        test("a driver that lacks what each query needs is refused") {
            balanced {
                val refusal = shouldThrow<AdbcException> { PeerDriver.open("PeerInitEmpty") }
                refusal.message shouldContain "lacks ConnectionInit, ConnectionNew"
            }
        }

        test("a library without the entry point is refused") {
            val refusal = shouldThrow<AdbcException> { PeerDriver.open("NoSuchInit") }
            refusal.message shouldContain "has no entry point NoSuchInit"
        }

        test("what a driver lacks is NOT_IMPLEMENTED and no jump to NULL") {
            connected { connection ->
                val calls =
                    listOf<() -> Any?>(
                        { connection.info },
                        { connection.tableTypes },
                        { connection.commit() },
                        { connection.cancel() },
                        { connection.getTableSchema(null, null, "t") },
                        { connection.getStatistics(null, null, null, true) },
                        { connection.getObjects(ObjectFilter.to(ObjectFilter.Depth.ALL)) },
                        { connection.createStatement().use { it.prepare() } },
                        { connection.createStatement().use { it.executeSchema() } },
                        { connection.createStatement().use { it.setSubstraitPlan(byteArrayOf(1)) } },
                    )
                for (call in calls) {
                    shouldThrow<AdbcException> { call() }.status shouldBe AdbcStatus.NOT_IMPLEMENTED
                }
            }
        }

        test("a database whose option or initialisation is refused leaves nothing") {
            balanced {
                shouldThrow<AdbcException> { PeerDriver.open { option("unknown", "1") } }.message shouldContain
                    "option unknown"
                shouldThrow<AdbcException> { PeerDriver.open { option("init", "fails") } }.status shouldBe
                    AdbcStatus.INVALID_ARGUMENT
            }
        }

        test("a connection that can't be made, or whose option is refused, leaves nothing") {
            balanced {
                PeerDriver.open { uri = "nowhere" }.use { database ->
                    shouldThrow<AdbcException> { database.connect() }.message shouldContain "no connection to nowhere"
                    shouldThrow<AdbcException> { database.connect { option("x", "y") } }.message shouldContain
                        "option x"
                }
            }
        }

        test("an error has status, SQLSTATE, text and details") {
            connected { connection ->
                val error = shouldThrow<AdbcException> { connection.executeQuery("bad") }
                error.status shouldBe AdbcStatus.INVALID_ARGUMENT
                error.sqlState shouldBe "42P01"
                error.vendorCode shouldBe null
                error.message shouldBe "[StatementExecuteQuery][INVALID_ARGUMENT] no such table: bad"
                error.details shouldBe
                    listOf(
                        AdbcErrorDetail("text", "no such table: bad".toByteArray()),
                        AdbcErrorDetail("code-bin", byteArrayOf(0, 1, 2)),
                    )
                // The driver appends to what stands in the struct.
                shouldThrow<AdbcException> { connection.executeQuery("bad") }.message shouldBe error.message
            }
        }

        test("a stream that fails in the middle has the driver's error, and the batches before it") {
            connected { connection ->
                connection.executeQuery("2 then fails").use { result ->
                    repeat(2) { result.nextBatch()!!.close() }
                    val error = shouldThrow<AdbcException> { result.nextBatch() }
                    error.status shouldBe AdbcStatus.INVALID_STATE
                    error.sqlState shouldBe "42P01"
                    error.message shouldContain "the table is gone"
                    error.details shouldHaveSize 2
                }
            }
        }

        test("a secret of the options stands in no message, detail, cause or text") {
            balanced {
                PeerDriver
                    .open {
                        password = "hunter2"
                        uri = "db://ann:s%40cret@host/x?token=t0ken1&mode=rw"
                    }.use { database ->
                        val refusal = shouldThrow<AdbcException> { database.connect() }
                        for (secret in listOf("hunter2", "s%40cret", "s@cret", "t0ken1")) {
                            refusal.toString() shouldNotContain secret
                            database.toString() shouldNotContain secret
                            refusal.details.toString() shouldNotContain secret
                        }
                        refusal.message shouldContain "db://ann:***@host/x?token=***&mode=rw"
                    }
                PeerDriver.open { password = "hunter2" }.use { database ->
                    database.connect().use { connection ->
                        connection.executeQuery("0 fails").use { result ->
                            val error = shouldThrow<AdbcException> { result.nextBatch() }
                            error.stackTraceToString() shouldNotContain "hunter2"
                            error.details.toString() shouldNotContain "hunter2"
                            error.message shouldContain "password=***"
                        }
                    }
                }
            }
        }

        test("the text of options hides secrets") {
            AdbcOptions()
                .set(AdbcOption.URI, "db://ann:pw1@host")
                .set(AdbcOption.PASSWORD, "pw2")
                .set("adbc.flight.sql.authorization_header", "Bearer abc")
                .set("rows", 5L)
                .toString() shouldBe
                "AdbcOptions(uri=db://ann:***@host, password=***, adbc.flight.sql.authorization_header=***, rows=5)"
        }

        test("closing in any order releases each object once, children first") {
            balanced {
                val database = PeerDriver.open()
                val connection = database.connect()
                val statement = connection.createStatement()
                statement.setSqlQuery("5")
                val result = statement.executeQuery()
                val batch = result.nextBatch()!!
                database.close()
                connection.isOpen shouldBe false
                shouldThrow<IllegalStateException> { result.nextBatch() }.message shouldContain "has been closed"
                shouldThrow<IllegalStateException> { statement.executeUpdate() }.message shouldContain
                    "executeUpdate: the statement of"
                shouldThrow<IllegalStateException> { statement.cancel() }
                shouldThrow<IllegalStateException> { connection.createStatement() }
                shouldThrow<IllegalStateException> { database.connect() }
                batch.use { it.rowCount shouldBe 3 } // A batch outlives all of them.
                listOf<AutoCloseable>(result, statement, connection, database).forEach(AutoCloseable::close)
            }
        }

        test("a driver that is closed closes its databases") {
            balanced {
                val driver = AdbcDriver.find(PeerDriver.file.toString())
                val database = driver.open(AdbcOptions())
                val connection = database.connect()
                driver.close()
                connection.isOpen shouldBe false
                shouldThrow<IllegalStateException> { driver.open(AdbcOptions()) }
                driver.close()
            }
        }

        test("a result of a connection closes its statement with it") {
            connected { connection ->
                connection.executeQuery("1").close()
                PeerDriver.api.peer_statements() shouldBe 0
            }
        }

        test("executing a statement again ends the result that it had") {
            connected { connection ->
                connection.createStatement().use { statement ->
                    statement.setSqlQuery("2")
                    val first = statement.executeQuery()
                    val second = statement.executeQuery()
                    shouldThrow<IllegalStateException> { first.nextBatch() }.message shouldContain "executed again"
                    second.nextBatch()!!.close()
                    first.close()
                    second.nextBatch()!!.close()
                    second.nextBatch() shouldBe null
                }
            }
        }

        test("a query without a result is an empty stream") {
            connected { connection ->
                connection.executeQuery("nothing").use {
                    it.schema shouldBe Schema.of(listOf())
                    it.nextBatch() shouldBe null
                }
            }
        }

        test("a bound stream that the driver refuses is released, and the batch remains the caller's") {
            connected { connection ->
                recordBatch { column<Int>("n") { add(1) } }.use { batch ->
                    connection.createStatement().use { statement ->
                        shouldThrow<AdbcException> { statement.bind(batch) }.message shouldContain "no stream today"
                    }
                    batch.isLive shouldBe true
                }
            }
        }

        test("partitions are copies that another connection reads") {
            balanced {
                PeerDriver.open().use { database ->
                    database.connect().use { connection ->
                        val partitions =
                            connection.createStatement().use {
                                it.setSqlQuery("any")
                                it.executePartitions()
                            }
                        partitions.rowCount shouldBe -1
                        partitions.schema!!.fields().map { it.name() } shouldBe listOf("n")
                        partitions.descriptors.map { it.decodeToString() } shouldBe listOf("1", "2 then")
                        database.connect().use { other ->
                            val rows =
                                partitions.descriptors.sumOf { descriptor ->
                                    other.readPartition(descriptor).use { part ->
                                        generateSequence { part.nextBatch() }.sumOf { batch ->
                                            batch.use { it.rowCount }
                                        }
                                    }
                                }
                            rows shouldBe 9
                        }
                    }
                }
            }
        }

        test("an option longer than the first guess is read whole") {
            balanced {
                val long = "x".repeat(200)
                PeerDriver.open { option("k", long) }.use { it.getOption("k") shouldBe "k=$long" }
            }
        }

        test("a text with a NUL is refused before the driver sees its half") {
            connected { connection ->
                val refusal = shouldThrow<IllegalArgumentException> { connection.executeUpdate("1\u0000; DROP") }
                refusal.message shouldContain "NUL at character 1"
            }
        }

        test("a status that ADBC 1.1 does not have is UNKNOWN") {
            AdbcStatus.of(11) shouldBe AdbcStatus.CANCELLED
            AdbcStatus.of(99) shouldBe AdbcStatus.UNKNOWN
            AdbcStatus.of(-1) shouldBe AdbcStatus.UNKNOWN
        }
    })
