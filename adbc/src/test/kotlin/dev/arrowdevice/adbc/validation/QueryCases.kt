package dev.arrowdevice.adbc.validation

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.adbc.AdbcException
import dev.arrowdevice.adbc.AdbcStatus
import dev.arrowdevice.adbc.IngestMode
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe

private const val TABLE = "bulk_ingest"

private val TEXTS = setOf(ArrowType.UTF8, ArrowType.LARGE_UTF8)

private val INTS = setOf(ArrowType.INT32, ArrowType.INT64)

private val FLOATS = setOf(ArrowType.FLOAT32, ArrowType.FLOAT64)

internal val statementCases: List<ValidationCase> =
    listOf(
        ValidationCase("StatementTest.NewInit") {
            val closed = connection.createStatement()
            repeat(2) { closed.close() }
            shouldThrow<IllegalStateException> { closed.executeUpdate() }
            statement { status { it.executeUpdate() } shouldBe AdbcStatus.INVALID_STATE }
        },
        ValidationCase("StatementTest.SqlPartitionedInts") {
            statement {
                it.setSqlQuery("SELECT 42")
                val partitions = it.executePartitions()
                partitions.descriptors.shouldNotBeEmpty()
                database.connect().use { other ->
                    partitions.descriptors.flatMap { part -> other.readPartition(part).use(::rows).column() } shouldBe
                        listOf(42L)
                }
            }
        },
        ValidationCase("StatementTest.ConcurrentStatements") {
            statement { first ->
                statement { second ->
                    first.setSqlQuery("SELECT 'SaShiSuSeSo'")
                    second.setSqlQuery("SELECT 'SaShiSuSeSo'")
                    first.executeQuery().use { one ->
                        second.executeQuery().use { rows(it).column() shouldBe listOf("SaShiSuSeSo") }
                        rows(one).column() shouldBe listOf("SaShiSuSeSo")
                    }
                }
            }
        },
        ValidationCase("StatementTest.ResultIndependence") {
            val result = connection.executeQuery("SELECT 42")
            connection.close()
            database.close()
            shouldThrow<IllegalStateException> { result.nextBatch() }
            result.close()
        },
        ValidationCase("StatementTest.ResultInvalidation") {
            statement {
                it.setSqlQuery("SELECT 42")
                val first = it.executeQuery()
                it.executeQuery().use { second ->
                    shouldThrow<IllegalStateException> { first.nextBatch() }
                    rows(second).column() shouldBe listOf(42L)
                }
                first.close()
            }
        },
    )

internal val preparedCases: List<ValidationCase> =
    listOf(
        ValidationCase("StatementTest.SqlPrepareGetParameterSchema") {
            prepared("SELECT ${subject.placeholder(0)}, ${subject.placeholder(1)}") {
                it.parameterSchema.fields().size shouldBe 2
            }
        },
        ValidationCase("StatementTest.SqlPrepareSelectNoParams") {
            prepared("SELECT 1") { it.executeQuery().use(::rows).column() shouldBe listOf(1L) }
        },
        ValidationCase("StatementTest.SqlPrepareSelectParams") {
            prepared("SELECT ${subject.placeholder(0)}, ${subject.placeholder(1)}") {
                batch(int64s(42, -42, null), Values("strings", ArrowType.UTF8, listOf("", null, "bar"))).use(it::bind)
                val found = it.executeQuery().use(::rows)
                found.column(0) shouldBe listOf(42L, -42L, null)
                found.column(1) shouldBe listOf("", null, "bar")
            }
        },
        ValidationCase("StatementTest.SqlPrepareUpdate") {
            drop(TABLE)
            ingest(TABLE, IngestMode.CREATE, int64s(42, -42, null))
            prepared("INSERT INTO $TABLE VALUES (${subject.placeholder(0)})") {
                batch(int64s(42, -42, null)).use(it::bind)
                it.executeUpdate()
            }
            rows("SELECT * FROM $TABLE ORDER BY int64s ASC NULLS FIRST").column() shouldBe
                listOf(null, null, -42L, -42L, 42L, 42L)
        },
        ValidationCase("StatementTest.SqlPrepareUpdateStream") {
            drop(TABLE)
            ingest(TABLE, IngestMode.CREATE, int64s())
            prepared("INSERT INTO $TABLE VALUES (${subject.placeholder(0)})") {
                val batches = listOf(batch(int64s(1, 2, null, 3)), batch(int64s(null, 3)))
                it.bind(DeviceArrayStream.of(batches[0].schema, batches))
                it.executeUpdate()
            }
            rows("SELECT * FROM $TABLE ORDER BY int64s ASC NULLS FIRST").column() shouldBe
                listOf(null, null, 1L, 2L, 3L, 3L)
        },
        ValidationCase("StatementTest.SqlPrepareErrorNoQuery") {
            statement { status { it.prepare() } shouldBe AdbcStatus.INVALID_STATE }
        },
        ValidationCase("StatementTest.SqlPrepareErrorParamCountMismatch") {
            prepared("SELECT ${subject.placeholder(0)}, ${subject.placeholder(1)}") {
                shouldThrow<AdbcException> {
                    batch(int64s(42, -42, null)).use(it::bind)
                    it.executeQuery().use(::rows)
                }
            }
        },
        ValidationCase("StatementTest.SqlBind") {
            drop("bindtest")
            execute("CREATE TABLE bindtest (col1 INTEGER, col2 TEXT)")
            prepared("INSERT INTO bindtest VALUES (${subject.placeholder(0)}, ${subject.placeholder(1)})") {
                batch(
                    Values("", ArrowType.INT32, listOf(null, -123, 123)),
                    Values("", ArrowType.UTF8, listOf("abc", null, "defg")),
                ).use(it::bind)
                listOf(-1L, 3L) shouldContain it.executeUpdate()
            }
            val found = rows("SELECT * FROM bindtest ORDER BY col1 ASC NULLS FIRST")
            found.column(0) shouldBe listOf(null, -123L, 123L)
            found.column(1) shouldBe listOf("abc", null, "defg")
        },
    )

internal val queryCases: List<ValidationCase> =
    listOf(
        ValidationCase("StatementTest.SqlQueryEmpty") {
            drop("queryempty")
            execute("CREATE TABLE queryempty (FOO INT)")
            val found = rows("SELECT * FROM queryempty WHERE 1=0")
            found.names.size shouldBe 1
            found.rows.shouldBeEmpty()
        },
        ValidationCase("StatementTest.SqlQueryInts") { one("SELECT 42", INTS, 42L) },
        ValidationCase("StatementTest.SqlQueryFloats") { one("SELECT CAST(1.5 AS FLOAT)", FLOATS, 1.5) },
        ValidationCase("StatementTest.SqlQueryStrings") { one("SELECT 'SaShiSuSeSo'", TEXTS, "SaShiSuSeSo") },
        ValidationCase("StatementTest.SqlQueryInsertRollback") {
            drop("rollbacktest")
            connection.setAutocommit(false)
            execute("CREATE TABLE rollbacktest (a INT)")
            connection.commit()
            execute("INSERT INTO rollbacktest (a) VALUES (1)")
            connection.rollback()
            rows("SELECT * FROM rollbacktest").rows.shouldBeEmpty()
        },
        ValidationCase("StatementTest.SqlQueryCancel") {
            statement {
                it.setSqlQuery("SELECT 'SaShiSuSeSo'")
                it.executeQuery().use { result ->
                    it.cancel()
                    val outcome = runCatching { rows(result) }
                    outcome.onFailure { failure -> (failure is AdbcException) shouldBe true }
                    outcome.onSuccess { found -> found.column() shouldBe listOf("SaShiSuSeSo") }
                }
            }
        },
        ValidationCase("StatementTest.SqlQueryErrors") {
            shouldThrow<AdbcException> { execute("this is not a query") }
        },
        ValidationCase("StatementTest.SqlQueryTrailingSemicolons") {
            rows("SELECT current_date;;;").rows.size shouldBe 1
        },
        ValidationCase("StatementTest.SqlQueryRowsAffectedDelete") {
            drop("delete_test")
            execute("CREATE TABLE delete_test (foo INT)")
            execute("INSERT INTO delete_test (foo) VALUES (1), (2), (3), (4), (5)")
            listOf(-1L, 3L) shouldContain execute("DELETE FROM delete_test WHERE foo >= 3")
        },
        ValidationCase("StatementTest.SqlSchemaInts") { schemaOf("SELECT 42", INTS) },
        ValidationCase("StatementTest.SqlSchemaFloats") { schemaOf("SELECT CAST(1.5 AS FLOAT)", FLOATS) },
        ValidationCase("StatementTest.SqlSchemaStrings") { schemaOf("SELECT 'hi'", TEXTS) },
        ValidationCase("StatementTest.SqlSchemaErrors") {
            statement { status { it.executeSchema() } shouldBe AdbcStatus.INVALID_STATE }
        },
        ValidationCase("StatementTest.Transactions") {
            drop(TABLE)
            connection.isAutocommit shouldBe true
            database.connect().use { other ->
                connection.setAutocommit(false)
                connection.isAutocommit shouldBe false
                ingest(TABLE, IngestMode.CREATE, int64s(42, -42, null))
                rows("SELECT * FROM $TABLE").names shouldBe listOf("int64s")
                shouldThrow<AdbcException> { rows("SELECT * FROM $TABLE", other) }
                connection.rollback()
                shouldThrow<AdbcException> { rows("SELECT * FROM $TABLE") }
                connection.rollback()
                ingest(TABLE, IngestMode.CREATE, int64s(42, -42, null))
                connection.commit()
                rows("SELECT * FROM $TABLE", other).names shouldBe listOf("int64s")
            }
        },
    )

private fun CaseRun.one(
    sql: String,
    types: Set<ArrowType>,
    value: Any,
) {
    val found = rows(sql)
    types shouldContain found.types.single()
    found.column() shouldBe listOf(value)
}

private fun CaseRun.schemaOf(
    sql: String,
    types: Set<ArrowType>,
) = statement {
    it.setSqlQuery(sql)
    types shouldContain
        it
            .executeSchema()
            .fields()
            .single()
            .type()
}
