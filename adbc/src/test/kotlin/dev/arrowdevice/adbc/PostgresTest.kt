package dev.arrowdevice.adbc

import dev.arrowdevice.ArrowType
import dev.arrowdevice.adbc.DatabaseContract.Feature
import dev.arrowdevice.adbc.servers.PostgresServer
import io.kotest.core.spec.style.FunSpec
import java.time.Period

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
            val faults = PostgresFaults(server)
            FaultContract(
                "PostgreSQL",
                server::open,
                longResult = faults.longResult,
                longWork = "SELECT 1 AS n FROM pg_sleep(600)",
                lacking = ArrowType.INTERVAL_MONTHS to Period.ofMonths(3),
                resultsAtOnce = false,
            ).tests(this)
            faults.tests(this)
        }
    })
