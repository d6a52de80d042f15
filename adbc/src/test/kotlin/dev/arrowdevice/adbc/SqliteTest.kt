package dev.arrowdevice.adbc

import dev.arrowdevice.adbc.DatabaseContract.Feature
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

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
    })
