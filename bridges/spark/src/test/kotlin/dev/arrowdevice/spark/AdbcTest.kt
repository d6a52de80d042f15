package dev.arrowdevice.spark

import dev.arrowdevice.adbc.servers.Databases
import dev.arrowdevice.adbc.servers.FlightSqlServer
import dev.arrowdevice.adbc.servers.PostgresServer
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.nio.file.Files
import kotlin.io.path.deleteExisting

class SqliteTest :
    FunSpec({
        val file = Files.createTempFile("arrow-device-spark", ".db")
        val server = Server.sqlite(file)

        beforeSpec {
            server.execute(
                "CREATE TABLE orders (id BIGINT, name TEXT, amount DOUBLE)",
                "WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r WHERE n < 999) " +
                    "INSERT INTO orders SELECT n, CASE WHEN n % 10 = 9 THEN NULL ELSE 'order ' || n END, n + 0.25 FROM r",
            )
        }
        afterSpec { file.deleteExisting() }

        test("SQLite's driver is there: it is never skipped") { Databases.obstacle("sqlite") shouldBe null }

        DatabaseCases("SQLite") { server }.tests(this)

        test("a partition whose values look different is read as it was planned, or named") {
            spark
            ReleaseBalance.start().use {
                server.execute(
                    "CREATE TABLE mixed (id BIGINT, v)",
                    "INSERT INTO mixed VALUES (0, 1.5), (1, 2.5), (10, 3), (11, NULL), (20, NULL)",
                )
                val ranges = mapOf("lowerBound" to "0", "upperBound" to "30", "numPartitions" to "3")

                fun read() =
                    spark
                        .read()
                        .format("arrow-device")
                        .options(server.adbc)
                        .options(ranges + mapOf("dbtable" to "mixed", "partitionColumn" to "id"))
                        .load()
                read().orderBy("id").rows().map { it.get(1) } shouldBe listOf(1.5, 2.5, 3.0, null, null)
                server.execute("INSERT INTO mixed VALUES (25, 'text')", "DELETE FROM mixed WHERE id = 20")
                shouldThrow<Exception> { read().rows() }.messages() shouldContain "column \"v\" is"
            }
        }

        test("the character around names is around all of them") {
            spark
            ReleaseBalance.start().use {
                val options = server.adbc + mapOf("query" to "SELECT * FROM orders", "quote" to "`")
                val table =
                    spark
                        .read()
                        .format("arrow-device")
                        .options(options)
                        .load()
                table.count() shouldBe 1000L
                table.where("id < 10").select("name").count() shouldBe 10L
            }
        }

        test("secrets are in no plan and in no message") {
            spark
            val secret = "geheim"
            val options = server.adbc + mapOf("dbtable" to "orders", "password" to secret)
            val failure =
                shouldThrow<Exception> {
                    spark
                        .read()
                        .format("arrow-device")
                        .options(options)
                        .load()
                        .rows()
                }
            failure.stackTraceToString() shouldNotContain secret // SQLite's driver knows no password, and says so.
            val table =
                spark
                    .read()
                    .format("arrow-device")
                    .options(options)
                    .schema("id BIGINT")
                    .load()
            table.queryExecution().logical().toString() shouldNotContain secret
            val uri = server.adbc - "url" + mapOf("uri" to "postgresql://ada:$secret@h/d", "dbtable" to "orders")
            shouldThrow<Exception> {
                spark
                    .read()
                    .format("arrow-device")
                    .options(uri)
                    .load()
            }.let {
                it.messages() shouldContain "use the option url in place of uri"
                it.stackTraceToString() shouldNotContain secret
            }
            for (shown in listOf("host=h password=$secret", "password = $secret", "postgresql://ada:a/$secret@h/d")) {
                val settings = mapOf("driver" to "none", "uri" to shown, "dbtable" to "orders")
                shouldThrow<Exception> {
                    spark
                        .read()
                        .format(
                            "arrow-device",
                        ).options(settings)
                        .load()
                }.messages() shouldContain
                    "use the option url in place of uri"
            }
            val compared =
                server.adbc + mapOf("query" to "SELECT id FROM (SELECT id, 5 AS token FROM orders) WHERE token = 5")
            spark
                .read()
                .format("arrow-device")
                .options(compared)
                .load()
                .count() shouldBe 1000L
            val header = options - "password" + mapOf("database.adbc.flight.sql.authorization_header" to secret)
            shouldThrow<Exception> {
                spark
                    .read()
                    .format("arrow-device")
                    .options(header)
                    .load()
            }.let {
                it.messages() shouldContain "spark.sql.redaction.options.regex"
                it.stackTraceToString() shouldNotContain secret
            }
            val write =
                spark
                    .range(1)
                    .write()
                    .format("arrow-device")
                    .options(header)
                    .mode("append")
            shouldThrow<Exception> { write.save() }.stackTraceToString() shouldNotContain secret
            SourceOptions(options).toString() shouldNotContain secret
            "${AdbcSettings(SourceOptions(options))}" shouldNotContain secret
        }
    })

class PostgresTest :
    FunSpec({
        val obstacle = PostgresServer.obstacle()
        if (obstacle != null) {
            xtest("PostgreSQL is skipped: $obstacle") { }
        } else {
            val postgres = PostgresServer.start()
            val server = Server.postgres(postgres)
            beforeSpec {
                server.execute(
                    "CREATE TABLE orders (id BIGINT, name TEXT, amount DOUBLE PRECISION, day DATE, at TIMESTAMPTZ, " +
                        "small INT, yes BOOLEAN, single REAL)",
                    "INSERT INTO orders SELECT n, CASE WHEN n % 10 = 9 THEN NULL ELSE 'order ' || n END, n + 0.25, " +
                        "DATE '2020-01-01' + n::int, TIMESTAMPTZ '2020-01-01 00:00:00+00' + n * INTERVAL '1 hour', " +
                        "n, n % 2 = 0, n * 0.1 FROM generate_series(0, 999) n",
                )
            }
            afterSpec { postgres.close() }

            DatabaseCases("PostgreSQL") { server }.tests(this)

            test("days and instants are compared by the database, and are the bounds of ranges") {
                spark
                ReleaseBalance.start().use {
                    fun read(vararg options: Pair<String, String>) =
                        reader("dbtable" to "public.orders", *options).options(server.adbc).load()

                    val jdbc =
                        spark
                            .read()
                            .format("jdbc")
                            .options(server.jdbc + ("dbtable" to "orders"))
                            .load()
                    val conditions =
                        listOf("day = date'2020-01-05'", "at >= timestamp'2020-02-10 12:00:00'") +
                            listOf("yes AND small < 7", "day > at")
                    for (condition in conditions) {
                        val expected =
                            jdbc
                                .where(condition)
                                .select("id")
                                .rows()
                                .map { "$it" }
                        val found =
                            read()
                                .where(condition)
                                .select("id")
                                .rows()
                                .map { "$it" }
                        found shouldContainExactlyInAnyOrder expected
                    }
                    // Spark's own source passes these on, and PostgreSQL finds none.
                    read().where("single = 0.1f").count() shouldBe 1L
                    read().where("single IN (0.2f, 0.3f)").count() shouldBe 2L
                    val bounds =
                        listOf(
                            Triple("day", "2020-01-01", "2022-01-01"),
                            Triple("at", "2020-01-01 00:00:00", "2020-02-01T00:00:00Z"),
                        )
                    for ((column, from, until) in bounds) {
                        val range = arrayOf("lowerBound" to from, "upperBound" to until, "numPartitions" to "3")
                        read("partitionColumn" to column, *range).let {
                            it.rdd().getNumPartitions() shouldBe 3
                            it.count() shouldBe 1000L
                        }
                    }
                }
            }

            test("Spark knows the size of a table that PostgreSQL has analysed") {
                spark
                server.execute("ANALYZE orders")
                val table = reader("dbtable" to "orders").options(server.adbc).load()
                val plan = table.queryExecution().optimizedPlan()
                plan
                    .stats()
                    .rowCount()
                    .get()
                    .toString() shouldBe "1000"
            }
        }
    })

class FlightSqlTest :
    FunSpec({
        val obstacle = FlightSqlServer.obstacle()
        if (obstacle != null) {
            xtest("Flight SQL is skipped: $obstacle") { }
        } else {
            test("the driver's own partitions are Spark's") {
                inFolder {
                    FlightSqlServer.start().use { server ->
                        val options =
                            mapOf(
                                "driver" to "${Databases.manifest("flightsql")}",
                                "url" to server.uri,
                                "query" to "SELECT * FROM intTable",
                            )
                        val table =
                            spark
                                .read()
                                .format("arrow-device")
                                .options(options)
                                .load()
                        val request = Request(table.columns().toList())
                        AdbcOrigin
                            .of(
                                SourceOptions(options),
                            ).partitions(request)
                            .map { it::class.simpleName }
                            .distinct() shouldBe
                            listOf("DriverPartition")
                        table.count().toInt() shouldBeGreaterThan 0
                        table.queryExecution().executedPlan().toString() shouldContain "query ["
                    }
                }
            }
        }
    })
