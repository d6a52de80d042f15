package dev.arrowdevice.adbc

import dev.arrowdevice.adbc.DatabaseContract.Feature
import io.kotest.core.spec.style.FunSpec

class DuckDbTest :
    FunSpec({
        DatabaseContract(
            "DuckDB",
            { Databases.open("duckdb") },
            features = setOf(Feature.CREATE_APPEND, Feature.EXECUTE_SCHEMA, Feature.STATISTICS, Feature.CANCEL),
        ).tests(this)
    })
