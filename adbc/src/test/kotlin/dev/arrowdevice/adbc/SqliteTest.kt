package dev.arrowdevice.adbc

import dev.arrowdevice.ArrowType
import dev.arrowdevice.adbc.DatabaseContract.Feature
import dev.arrowdevice.adbc.servers.Databases
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.math.BigDecimal

class SqliteTest :
    FunSpec({
        test("SQLite's driver is there: it is never skipped") { Databases.obstacle("sqlite") shouldBe null }

        DatabaseContract(
            "SQLite",
            { Databases.open("sqlite") },
            features =
                setOf(
                    Feature.MANY_PARAMETERS,
                    Feature.CREATE_APPEND,
                    Feature.TEMPORARY,
                    Feature.ROW_COUNT,
                ),
        ).tests(this)
        FaultContract(
            "SQLite",
            { Databases.open("sqlite") },
            longResult = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
            longWork = null,
            lacking = ArrowType.decimal256(40, 2) to BigDecimal.ONE,
        ).tests(this)

        test("SQLite: a database that can't be opened leaves nothing") {
            ReleaseBalance.start().use {
                shouldThrow<AdbcException> {
                    Databases.open("sqlite") { uri = "file:/no/such/folder/orders.db" }.use { it.connect() }
                }.message shouldContain "failed to open"
            }
        }
    })
