package dev.arrowdevice.spark

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.TimeUnit
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.apache.spark.sql.connector.expressions.Expression
import org.apache.spark.sql.connector.expressions.LiteralValue
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.types.DataType
import org.apache.spark.sql.types.DataTypes
import org.apache.spark.sql.types.Decimal
import org.apache.spark.unsafe.types.UTF8String

class SqlPredicatesTest :
    FunSpec({
        val schema =
            Schema.of(
                Field.nullable("n", ArrowType.INT32),
                Field.nullable("a \"b\"", ArrowType.UTF8),
                Field.nullable("f", ArrowType.FLOAT64),
                Field.nullable("f4", ArrowType.FLOAT32),
                Field.nullable("d", ArrowType.DATE32),
                Field.nullable("t", ArrowType.timestamp(TimeUnit.MICROSECOND, "UTC")),
                Field.nullable("ns", ArrowType.timestamp(TimeUnit.NANOSECOND)),
                Field.nullable("p", ArrowType.decimal128(10, 2)),
                Field.nullable("u", ArrowType.uuid()),
                Field.nullable("b", ArrowType.BOOL),
            )
        val names = SqlNames(SourceOptions(mapOf()))

        fun column(name: String): Expression =
            object : org.apache.spark.sql.connector.expressions.NamedReference {
                override fun fieldNames() = arrayOf(name)
            }

        fun literal(
            value: Any?,
            type: DataType,
        ) = LiteralValue(value, type)

        fun text(value: String) = literal(UTF8String.fromString(value), DataTypes.StringType)

        fun predicate(
            name: String,
            vararg parts: Expression,
        ) = Predicate(name, arrayOf(*parts))

        fun sql(predicate: Predicate): String? =
            SqlPredicates(schema, names).condition(predicate)?.let {
                (if (it.isExact) "" else "~ ") +
                    it.text
            }

        val five = literal(5, DataTypes.IntegerType)

        test("conditions become SQL, and texts are compared by Spark again") {
            sql(predicate("=", column("n"), five)) shouldBe "\"n\" = 5"
            sql(predicate("<", five, column("n"))) shouldBe "\"n\" > 5"
            sql(predicate("<=>", column("n"), five)) shouldBe null
            sql(predicate("IN", column("n"), five, literal(-6, DataTypes.IntegerType))) shouldBe "\"n\" IN (5, -6)"
            sql(predicate("IS_NULL", column("a \"b\""))) shouldBe "\"a \"\"b\"\"\" IS NULL"
            sql(predicate("=", column("a \"b\""), text("it's; DROP TABLE x --"))) shouldBe
                "~ \"a \"\"b\"\"\" = 'it''s; DROP TABLE x --'"
            sql(predicate("=", column("d"), literal(19782, DataTypes.DateType))) shouldBe
                "\"d\" = CAST('2024-02-29' AS DATE)"
            sql(predicate(">=", column("t"), literal(-500_000L, DataTypes.TimestampType))) shouldBe
                "\"t\" >= CAST('1969-12-31 23:59:59.5+00' AS TIMESTAMP WITH TIME ZONE)"
            sql(predicate("=", column("t"), literal(0L, DataTypes.TimestampType))) shouldBe
                "\"t\" = CAST('1970-01-01 00:00:00+00' AS TIMESTAMP WITH TIME ZONE)"
            sql(
                predicate("=", column("p"), literal(Decimal.apply("1E+3"), DataTypes.createDecimalType(10, 2))),
            ) shouldBe
                "\"p\" = 1000"
            sql(predicate("=", column("b"), literal(true, DataTypes.BooleanType))) shouldBe "\"b\" = TRUE"
            sql(predicate("=", column("f"), literal(0.5, DataTypes.DoubleType))) shouldBe "~ \"f\" = 0.5"
        }

        test("and, or and not, as far as no row is lost") {
            val n = predicate("=", column("n"), five)
            val name = predicate("=", column("a \"b\""), text("x"))
            sql(predicate("AND", n, n)) shouldBe "(\"n\" = 5 AND \"n\" = 5)"
            sql(predicate("OR", n, name)) shouldBe "~ (\"n\" = 5 OR \"a \"\"b\"\"\" = 'x')"
            sql(predicate("NOT", n)) shouldBe "NOT (\"n\" = 5)"
            sql(predicate("NOT", name)) shouldBe null
        }

        test("what databases understand in their own ways is left to Spark") {
            sql(predicate("<", column("a \"b\""), text("x"))) shouldBe null
            sql(predicate("=", column("a \"b\""), text("back\\slash"))) shouldBe null
            sql(predicate("=", column("f"), literal(Double.NaN, DataTypes.DoubleType))) shouldBe null
            sql(predicate("=", column("f4"), literal(0.1f, DataTypes.FloatType))) shouldBe null
            sql(predicate("IN", column("f4"), literal(0.5f, DataTypes.FloatType))) shouldBe null
            sql(predicate("IS_NULL", column("f4"))) shouldBe "\"f4\" IS NULL"
            sql(predicate("=", column("d"), literal(99_999_999, DataTypes.DateType))) shouldBe null
            sql(predicate(">", column("ns"), literal(1L, DataTypes.TimestampNTZType))) shouldBe null
            sql(predicate("=", column("u"), literal(byteArrayOf(), DataTypes.BinaryType))) shouldBe null
            sql(predicate("=", column("none"), five)) shouldBe null
            sql(predicate("STARTS_WITH", column("a \"b\""), text("x"))) shouldBe null
        }

        test("names of tables are quoted, whatever they contain") {
            names.quoted(TableName("orders")) shouldBe "\"orders\""
            names.quoted(TableName("sales.orders")) shouldBe "\"sales\".\"orders\""
            names.quoted(TableName("\"my.sales\".x")) shouldBe "\"my.sales\".\"x\""
            names.quoted(TableName("\"a \"\"b\"\"\"")) shouldBe "\"a \"\"b\"\"\""
            names.quoted(TableName("a.b").sibling("c")) shouldBe "\"a\".\"c\""
            for (wrong in listOf("", "a.", "a.b.c.d", "\"open")) {
                shouldThrow<IllegalArgumentException> { TableName(wrong) }.message shouldContain
                    "not the name of a table"
            }
        }

        test("ranges have each value once") {
            val options =
                mapOf("partitionColumn" to "n", "lowerBound" to "0", "upperBound" to "10", "numPartitions" to "3")
            ColumnRanges.of(SourceOptions(options), schema, names) shouldBe
                listOf("\"n\" < 3 OR \"n\" IS NULL", "\"n\" >= 3 AND \"n\" < 6", "\"n\" >= 6")
            ColumnRanges.of(SourceOptions(options + ("numPartitions" to "1")), schema, names) shouldBe listOf("1 = 1")
            val dates =
                options +
                    mapOf(
                        "partitionColumn" to "d",
                        "lowerBound" to "2024-01-01",
                        "upperBound" to "2024-01-03",
                        "numPartitions" to "9",
                    )
            ColumnRanges.of(SourceOptions(dates), schema, names) shouldBe
                listOf("\"d\" < CAST('2024-01-02' AS DATE) OR \"d\" IS NULL", "\"d\" >= CAST('2024-01-02' AS DATE)")
            shouldThrow<IllegalArgumentException> {
                ColumnRanges.of(SourceOptions(options - "lowerBound"), schema, names)
            }.message shouldContain
                "belong together"
            shouldThrow<IllegalArgumentException> {
                ColumnRanges.of(SourceOptions(options + ("upperBound" to "-1")), schema, names)
            }.message shouldContain
                "not less"
            shouldThrow<IllegalArgumentException> {
                ColumnRanges.of(SourceOptions(options + ("lowerBound" to "x")), schema, names)
            }.message shouldContain
                "\"x\""
            shouldThrow<IllegalArgumentException> {
                ColumnRanges.of(SourceOptions(options + ("partitionColumn" to "f")), schema, names)
            }.message shouldContain
                "not a number"
        }
    })
