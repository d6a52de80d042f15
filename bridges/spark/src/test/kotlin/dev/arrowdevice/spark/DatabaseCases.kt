package dev.arrowdevice.spark

import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.apache.spark.sql.Dataset
import org.apache.spark.sql.Row
import org.apache.spark.sql.execution.ExplainMode

/** What every database has to pass. */
internal class DatabaseCases(
    private val name: String,
    private val server: () -> Server,
) {
    private fun read(vararg options: Pair<String, String>): Dataset<Row> =
        spark
            .read()
            .format("arrow-device")
            .options(server().adbc + mapOf(*options))
            .load()

    /** Without the types, which Spark's source has wider for SQLite. */
    private fun Dataset<*>.texts(): List<String> = rows().map { it.toString() }

    private fun jdbc(table: String): Dataset<Row> =
        spark
            .read()
            .format("jdbc")
            .options(server().jdbc)
            .option("dbtable", table)
            .load()

    private fun Dataset<*>.save(
        table: String,
        mode: String = "append",
        vararg options: Pair<String, String>,
    ) = write()
        .format(
            "arrow-device",
        ).options(server().adbc + mapOf(*options))
        .option("dbtable", table)
        .mode(mode)
        .save()

    private fun staging() =
        server().number(
            if (name ==
                "SQLite"
            ) {
                "SELECT count(*) FROM sqlite_master WHERE name LIKE 'arrow_device_%'"
            } else {
                "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'arrow_device_%'"
            },
        )

    private val ranges =
        arrayOf(
            "partitionColumn" to "id",
            "lowerBound" to "0",
            "upperBound" to "1000",
            "numPartitions" to "4",
        )

    fun tests(spec: FunSpec) =
        with(spec) {
            fun case(
                what: String,
                test: () -> Unit,
            ) = test("$name: $what") {
                spark
                ReleaseBalance.start().use { test() }
            }

            case("the rows are those of Spark's own source, whole and in ranges") {
                val expected = jdbc("orders").texts()
                expected.size shouldBe 1000
                read("dbtable" to "orders").texts() shouldContainExactlyInAnyOrder expected
                val ranged = read("dbtable" to "orders", *ranges)
                ranged.rdd().getNumPartitions() shouldBe 4
                ranged.texts() shouldContainExactlyInAnyOrder expected
                read("query" to "SELECT id FROM orders WHERE id < 10;").count() shouldBe 10L
                read("query" to "SELECT id FROM orders WHERE id < 10 -- the first").count() shouldBe 10L
            }

            case("columns, conditions and limits are the database's work, and the rows stay the same") {
                val conditions =
                    listOf(
                        "id < 10",
                        "name = 'order 7'",
                        "amount > 500.5 AND id IN (900, 901)",
                        "name IS NULL",
                        "NOT id >= 5",
                        "name > 'order 98'",
                        "name <> 'order 5'",
                        "lower(name) = 'order 3'",
                    )
                for (condition in conditions) {
                    read("dbtable" to "orders", *ranges).where(condition).texts() shouldContainExactlyInAnyOrder
                        jdbc("orders").where(condition).texts()
                }
                val plan =
                    read(
                        "dbtable" to "orders",
                    ).where("id < 10").select("name").queryExecution().explainString(ExplainMode.fromString("simple"))
                plan shouldContain "orders [name] where"
                plan shouldNotContain " Filter"
                val limited = read("dbtable" to "orders", *ranges).limit(3)
                limited.queryExecution().explainString(ExplainMode.fromString("simple")) shouldContain "limit 3"
                limited.rows().size shouldBe 3
                read("dbtable" to "orders", *ranges).where("id >= 995").count() shouldBe 5L
            }

            case("rows that are written are there once, in a new table and in one that is there") {
                server().execute("DROP TABLE IF EXISTS copied")
                val rows = read("dbtable" to "orders", *ranges)
                rows.save("copied", "append", "batch.rows" to "100")
                jdbc("copied").select("id").texts() shouldContainExactlyInAnyOrder jdbc("orders").select("id").texts()
                rows.where("id < 10").save("copied")
                server().number("SELECT count(*) FROM copied") shouldBe 1010
                rows.where("id < 10").save("copied", "overwrite")
                server().number("SELECT count(*) FROM copied") shouldBe 10
                rows.where("id < 0").save("copied", "overwrite")
                server().number("SELECT count(*) FROM copied") shouldBe 0
                staging() shouldBe 0
            }

            case("a job that fails writes nothing, and leaves no table of its tasks") {
                server().execute("DROP TABLE IF EXISTS untouched", "CREATE TABLE untouched (id BIGINT)")
                val failing = spark.range(0, 1000, 1, 2).selectExpr("if(id = 999, raise_error('enough'), id) as id")
                shouldThrow<Exception> {
                    failing.save(
                        "untouched",
                        "overwrite",
                        "batch.rows" to "100",
                    )
                }.messages() shouldContain
                    "enough"
                server().number("SELECT count(*) FROM untouched") shouldBe 0
                staging() shouldBe 0
            }

            case("a job whose rows the table refuses writes nothing") {
                server().execute(
                    "DROP TABLE IF EXISTS checked",
                    "CREATE TABLE checked (id BIGINT CHECK (id < 500))",
                    "INSERT INTO checked VALUES (1)",
                )
                shouldThrow<Exception> { spark.range(0, 1000, 1, 2).toDF("id").save("checked", "overwrite") }
                server().number("SELECT count(*) FROM checked") shouldBe 1
                staging() shouldBe 0
            }

            case("mistakes are named before anything is read or written") {
                server().execute("DROP TABLE IF EXISTS small", "CREATE TABLE small (id BIGINT)")
                shouldThrow<Exception> { spark.range(3).toDF("nr").save("small") }.messages() shouldContain
                    "no column nr; there are: id"
                shouldThrow<Exception> { read("dbtable" to "orders", "query" to "SELECT 1") }.messages() shouldContain
                    "either the option dbtable or the option query"
                shouldThrow<Exception> {
                    read(
                        "dbtable" to "orders",
                        "numPartitions" to "3",
                    ).rows()
                }.messages() shouldContain
                    "belong together"
                shouldThrow<Exception> { read("dbtable" to "orders", "fetchsize" to "3") }.messages() shouldContain
                    "no option fetchsize"
                shouldThrow<Exception> { read("dbtable" to "nowhere") }.messages() shouldContain "nowhere"
                shouldThrow<Exception> { read("query" to "SELECT 1 AS n FROM orders; DROP TABLE small") }
                server().number("SELECT count(*) FROM small") shouldBe 0
            }
        }
}
