package dev.arrowdevice.adbc

import dev.arrowdevice.adbc.servers.Databases
import dev.arrowdevice.adbc.servers.FlightSqlServer
import dev.arrowdevice.adbc.servers.PostgresServer
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Files

private const val HOW = "mvn test -pl core,testkit,coroutines,adbc -Dtest=DriverTableTest -Dadbc.write=true"

class DriverTableTest :
    FunSpec({
        val obstacle = PostgresServer.obstacle() ?: FlightSqlServer.obstacle()
        if (obstacle != null) {
            xtest("the table of docs/adbc.md: $obstacle") {}
        } else {
            val server = PostgresServer.start()
            var flights = FlightSqlServer.start()

            // The example server ends at what it does not expect, such as parameters.
            fun flightSql(): AdbcDatabase {
                if (!flights.isAlive) flights = FlightSqlServer.start()
                return flights.open()
            }
            afterSpec {
                server.close()
                flights.close()
            }
            val databases =
                listOf(
                    LookedAt("SQLite", "?", null) { Databases.open("sqlite") },
                    LookedAt("DuckDB", "?", null) { Databases.open("duckdb") },
                    LookedAt("PostgreSQL", "\$1", "public", server::open),
                )

            test("the table of docs/adbc.md says what the drivers do, and what they refuse leaves nothing behind") {
                val page = Files.readString(DriverTable.file)
                val columns =
                    ReleaseBalance.start().use { databases.associate { it.name to DriverTable.column(it) } } +
                        // Without a balance: when its server ends, this driver may keep what was bound.
                        ("Flight SQL" to DriverTable.column(LookedAt("Flight SQL", "?", null, ::flightSql)))
                val updated = DriverTable.updated(page, columns)
                if (System.getProperty("adbc.write") == "true") Files.writeString(DriverTable.file, updated)
                withClue("$HOW brings it up to date") { Files.readString(DriverTable.file) shouldBe updated }
            }
        }
    })
