package dev.arrowdevice.adbc.validation

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.adbc.AdbcException
import dev.arrowdevice.adbc.AdbcStatus
import dev.arrowdevice.adbc.IngestMode
import dev.arrowdevice.adbc.IngestTarget
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe

private const val TABLE = "bulk_ingest"

private val temporarily: (IngestTarget) -> IngestTarget = { it.temporary() }

/** Where rows are ingested, and how. */
internal val ingestCases: List<ValidationCase> =
    listOf(
        ValidationCase("StatementTest.SqlIngestStreamZeroArrays") {
            drop(TABLE)
            val schema = Schema.of(Field.nullable("col", ArrowType.INT32))
            val target = IngestTarget.table(TABLE, IngestMode.CREATE)
            listOf(-1L, 0L) shouldContain connection.ingest(target, DeviceArrayStream.of(schema, listOf()))
            val found = rows("SELECT * FROM $TABLE")
            found.names shouldBe listOf("col")
            found.rows.size shouldBe 0
        },
        ValidationCase("StatementTest.SqlIngestTableEscaping") {
            drop("create_table_escaping")
            ingest("create_table_escaping", IngestMode.CREATE, index())
        },
        ValidationCase("StatementTest.SqlIngestColumnEscaping") {
            drop("create")
            ingest("create", IngestMode.CREATE, index())
        },
        ValidationCase("StatementTest.SqlIngestAppend") {
            drop(TABLE)
            ingest(TABLE, IngestMode.CREATE, int64s(42))
            ingest(TABLE, IngestMode.APPEND, int64s(-42, null))
            found() shouldContainExactlyInAnyOrder listOf(42L, -42L, null)
        },
        ValidationCase("StatementTest.SqlIngestReplace") {
            drop(TABLE)
            ingest(TABLE, IngestMode.REPLACE, int64s(42))
            ingest(TABLE, IngestMode.REPLACE, int64s(-42, -42))
            found() shouldBe listOf(-42L, -42L)
        },
        ValidationCase("StatementTest.SqlIngestCreateAppend") {
            drop(TABLE)
            ingest(TABLE, IngestMode.CREATE_APPEND, int64s(42))
            ingest(TABLE, IngestMode.CREATE_APPEND, int64s(42, 42))
            found() shouldBe listOf(42L, 42L, 42L)
        },
        ValidationCase("StatementTest.SqlIngestErrors") {
            statement {
                it.setOption("adbc.ingest.target_table", TABLE)
                status { it.executeUpdate() } shouldBe AdbcStatus.INVALID_STATE
            }
            drop(TABLE)
            shouldThrow<AdbcException> { ingest(TABLE, IngestMode.APPEND, int64s(-42, null)) }
            ingest(TABLE, IngestMode.CREATE, int64s(-42, null))
            shouldThrow<AdbcException> { ingest(TABLE, IngestMode.CREATE, int64s(-42, null)) }
            shouldThrow<AdbcException> {
                ingest(TABLE, IngestMode.APPEND, int64s(-42), Values("coltwo", ArrowType.INT64, listOf(-42L)))
            }
        },
        ValidationCase("StatementTest.SqlIngestMultipleConnections") {
            drop(TABLE)
            ingest(TABLE, IngestMode.CREATE, int64s(42, -42, null))
            database.connect().use { other ->
                rows("SELECT * FROM $TABLE ORDER BY int64s DESC NULLS LAST", other).column() shouldBe
                    listOf(42L, -42L, null)
            }
        },
        ValidationCase("StatementTest.SqlIngestSample") {
            sample(TABLE)
            rows("SELECT * FROM $TABLE ORDER BY int64s ASC NULLS FIRST").rows shouldBe
                listOf(listOf(null, ""), listOf(-42L, null), listOf(42L, "foo"))
        },
        ValidationCase("StatementTest.SqlIngestTargetCatalog") { intoTarget { it.inCatalog(subject.catalog) } },
        ValidationCase("StatementTest.SqlIngestTargetSchema") { intoTarget { it.inDbSchema(subject.dbSchema) } },
        ValidationCase("StatementTest.SqlIngestTargetCatalogSchema") {
            intoTarget { it.inCatalog(subject.catalog).inDbSchema(subject.dbSchema) }
        },
        ValidationCase("StatementTest.SqlIngestTemporary") {
            dropBoth()
            ingest(TABLE, IngestMode.CREATE, int64s(42, -42, null), target = temporarily)
            ingest(TABLE, IngestMode.CREATE, int64s(42, -42, null))
        },
        ValidationCase("StatementTest.SqlIngestTemporaryAppend") {
            bothTables()
            ingest(TABLE, IngestMode.APPEND, ints("ints", 0, 1, 2), target = temporarily)
            ingest(TABLE, IngestMode.APPEND, strs("strs", "", "a", null))
        },
        ValidationCase("StatementTest.SqlIngestTemporaryReplace") {
            bothTables()
            val replaced = arrayOf(ints("ints2", 0, 1, null), strs("strs2", "foo", "bar", null))
            ingest(TABLE, IngestMode.REPLACE, *replaced, target = temporarily)
            ingest(TABLE, IngestMode.REPLACE, ints("ints3", 1, 2, 3))
            ingest(TABLE, IngestMode.APPEND, *replaced, target = temporarily)
            ingest(TABLE, IngestMode.APPEND, ints("ints3", 4, 5, 6))
        },
        ValidationCase("StatementTest.SqlIngestTemporaryExclusive") {
            drop(TABLE, subject.temporary)
            if (subject.catalog != null && "StatementTest.SqlIngestTargetCatalog" !in subject.lacks) {
                status {
                    ingest(TABLE, IngestMode.CREATE, int64s(42, null)) { it.temporary().inCatalog(subject.catalog) }
                } shouldBe AdbcStatus.INVALID_STATE
            }
            if (subject.dbSchema != null && "StatementTest.SqlIngestTargetSchema" !in subject.lacks) {
                status {
                    ingest(TABLE, IngestMode.CREATE, int64s(42, null)) { it.temporary().inDbSchema(subject.dbSchema) }
                } shouldBe AdbcStatus.INVALID_STATE
            }
            // As the suite leaves it: nothing was made.
            ingest(TABLE, IngestMode.CREATE, int64s(42, null), target = temporarily)
        },
        ValidationCase("StatementTest.SqlIngestPrimaryKey") {
            drop("pkeytest")
            execute("CREATE TABLE pkeytest (id ${subject.key} PRIMARY KEY, value BIGINT)")
            ingest("pkeytest", IngestMode.APPEND, ints("value", 42, -42, null))
            ingest("pkeytest", IngestMode.APPEND, ints("id", 4, 5, 6), ints("value", 1, 0, -1))
            val found = rows("SELECT * FROM pkeytest ORDER BY id ASC")
            found.names shouldBe listOf("id", "value")
            found.column(1) shouldBe listOf(42L, -42L, null, 1L, 0L, -1L)
        },
    )

private fun index() = ints("index", 42, -42, null)

private fun ints(
    name: String,
    vararg values: Long?,
) = Values(name, ArrowType.INT64, values.toList())

private fun strs(
    name: String,
    vararg values: String?,
) = Values(name, ArrowType.UTF8, values.toList())

private fun CaseRun.found(): List<Any?> = rows("SELECT int64s FROM $TABLE").column()

private fun CaseRun.intoTarget(target: (IngestTarget) -> IngestTarget) {
    drop(TABLE)
    ingest(TABLE, IngestMode.CREATE, int64s(42, -42, null), target = target)
    found() shouldContainExactlyInAnyOrder listOf(42L, -42L, null)
}

private fun CaseRun.dropBoth() {
    drop(TABLE)
    drop(TABLE, subject.temporary)
}

private fun CaseRun.bothTables() {
    dropBoth()
    ingest(TABLE, IngestMode.CREATE, ints("ints", 42, -42, null), target = temporarily)
    ingest(TABLE, IngestMode.CREATE, strs("strs", "foo", "bar", null))
}
