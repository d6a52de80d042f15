package dev.arrowdevice.adbc

import dev.arrowdevice.adbc.DatabaseContract.Feature
import io.kotest.core.spec.style.FunSpec

class PostgresTest :
    FunSpec({
        val obstacle = PostgresServer.obstacle()
        if (obstacle != null) {
            xtest("PostgreSQL: $obstacle") {}
        } else {
            val server = PostgresServer.start()
            afterSpec { server.close() }
            DatabaseContract(
                "PostgreSQL",
                server::open,
                placeholder = "\$1",
                schemaOfStatistics = "public",
                features =
                    setOf(
                        Feature.MANY_PARAMETERS,
                        Feature.CREATE_APPEND,
                        Feature.TEMPORARY,
                        Feature.EXECUTE_SCHEMA,
                        Feature.STATISTICS,
                        Feature.CANCEL,
                    ),
            ).tests(this)
        }
    })
