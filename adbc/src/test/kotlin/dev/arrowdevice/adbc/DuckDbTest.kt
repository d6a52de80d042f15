package dev.arrowdevice.adbc

import dev.arrowdevice.ArrowType
import dev.arrowdevice.adbc.DatabaseContract.Feature
import dev.arrowdevice.adbc.servers.Databases
import io.kotest.core.spec.style.FunSpec
import java.math.BigDecimal

class DuckDbTest :
    FunSpec({
        DatabaseContract(
            "DuckDB",
            { Databases.open("duckdb") },
            features = setOf(Feature.CREATE_APPEND, Feature.EXECUTE_SCHEMA, Feature.STATISTICS, Feature.CANCEL),
        ).tests(this)
        FaultContract(
            "DuckDB",
            { Databases.open("duckdb") },
            longResult = "SELECT range AS n FROM range(1000000000000)",
            longWork = "SELECT sum(a.range % (b.range + 1)) AS n FROM range(10000000) a, range(10000000) b",
            longUpdate =
                "CREATE TABLE sums AS SELECT sum(a.range % (b.range + 1)) AS n " +
                    "FROM range(10000000) a, range(10000000) b",
            lacking = ArrowType.decimal256(40, 2) to BigDecimal.ONE,
        ).tests(this)
    })
