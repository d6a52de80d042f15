package dev.arrowdevice.adbc

import dev.arrowdevice.adbc.DatabaseContract.Companion.sum
import dev.arrowdevice.adbc.servers.Databases
import dev.arrowdevice.adbc.servers.PostgresServer
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.collect
import dev.arrowdevice.adbc.DatabaseContract.Companion.sum as batchSum

/** What the drivers of databases do when several readers share a connection. */
class SameConnectionTest :
    FunSpec({
        val databases =
            mutableMapOf<String, () -> AdbcDatabase>(
                "SQLite" to { Databases.open("sqlite") },
                "DuckDB" to { Databases.open("duckdb") },
            )
        if (PostgresServer.obstacle() == null) {
            val server = PostgresServer.start()
            afterSpec { server.close() }
            databases["PostgreSQL"] = server::open
        }
        for ((name, open) in databases) {
            test("$name: a result that is ingested into its own connection is refused, and released") {
                ReleaseBalance.start().use {
                    open().use { database ->
                        database.connect().use { connection ->
                            // Of the driver where it has one result of a connection at a time, else of the bound stream.
                            shouldThrow<RuntimeException> {
                                connection.ingest(
                                    IngestTarget.table("same_$name", IngestMode.CREATE),
                                    connection.executeQuery("SELECT 1 AS n"),
                                )
                            }.message shouldContain "use another connection"
                            connection.query("SELECT 42 AS n").sum() shouldBe 42
                        }
                    }
                }
            }

            if (name == "PostgreSQL") {
                test(
                    "$name: a query beside a result that was not read is refused, because it would return the other's rows",
                ) {
                    ReleaseBalance.start().use {
                        open().use { database ->
                            database.connect().use { connection ->
                                val first = connection.executeQuery("SELECT 1::bigint AS n")
                                val second = runCatching { connection.executeQuery("SELECT 2::bigint AS n") }
                                first.nextBatch()!!.use { it.batchSum() shouldBe 1 }
                                second.exceptionOrNull()!!.message shouldContain "one result of a connection at a time"
                                shouldThrow<AdbcException> { connection.update("SELECT 3") }
                                first.nextBatch() shouldBe null
                                connection.query("SELECT 4::bigint AS n").sum() shouldBe 4
                                shouldThrow<AdbcException> {
                                    connection.query("SELECT 5 AS n").collect { connection.query("SELECT 6").collect() }
                                }
                                connection.query("SELECT 7::bigint AS n").sum() shouldBe 7
                            }
                        }
                    }
                }
                continue
            }

            test("$name: queries on many threads wait for each other") {
                ReleaseBalance.start().use {
                    open().use { database ->
                        database.connect().use { connection ->
                            coroutineScope {
                                (1..8)
                                    .map { number ->
                                        async(Dispatchers.IO) {
                                            (1..20).sumOf { connection.query("SELECT $number AS n").sum() }
                                        }
                                    }.awaitAll()
                                    .sum() shouldBe 720
                            }
                        }
                    }
                }
            }
        }
    })
