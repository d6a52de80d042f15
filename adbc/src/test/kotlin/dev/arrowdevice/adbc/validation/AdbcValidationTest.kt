package dev.arrowdevice.adbc.validation

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.ListType
import dev.arrowdevice.adbc.AdbcException
import dev.arrowdevice.adbc.servers.Databases
import dev.arrowdevice.adbc.servers.PostgresServer
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.util.concurrent.atomic.AtomicInteger

/**
 * The cases of `adbc_validation`, the suite that ADBC has for its drivers, of its version of July 2026, through the face of the SDK.
 * A case that a driver does not pass is run too, so that the list of them in `docs/adbc-validation.md` stays true.
 */
class AdbcValidationTest :
    FunSpec({
        val postgres = PostgresServer.obstacle()?.let { null } ?: PostgresServer.start()
        afterSpec { postgres?.close() }
        val subjects = listOf(sqlite(), duckDb(), postgresql { postgres!!.open() })

        for (subject in subjects) {
            val obstacle = if (subject.name == "PostgreSQL") PostgresServer.obstacle() else null
            for (case in ALL_CASES) {
                val reason = subject.lacks[case.name]
                val name = "${subject.name}: ${case.name}" + if (reason == null) "" else " does not pass: $reason"
                if (obstacle != null) {
                    xtest("$name: $obstacle") {}
                } else {
                    test(name) { ReleaseBalance.start().use { check(subject, case, passes = reason == null) } }
                }
            }
        }

        test("each case is there once, and those that do not pass are cases") {
            ALL_CASES.map { it.name }.shouldBeUnique()
            subjects.flatMap { it.lacks.keys - ALL_CASES.map { case -> case.name }.toSet() }.shouldBeEmpty()
        }

        test("docs/adbc-validation.md has the list") {
            val page = Files.readString(ValidationTable.file)
            val updated = ValidationTable.updated(page, subjects)
            if (System.getProperty("adbc.write") == "true") Files.writeString(ValidationTable.file, updated)
            withClue(HOW) { Files.readString(ValidationTable.file) shouldBe updated }
        }
    })

private const val HOW =
    "mvn test -pl core,testkit,coroutines,adbc -Dtest=AdbcValidationTest -Dadbc.write=true brings it up to date"

internal val ALL_CASES: List<ValidationCase> =
    databaseCases + connectionCases + statementCases + ingestTypeCases + ingestCases + preparedCases + queryCases

private fun check(
    subject: Validated,
    case: ValidationCase,
    passes: Boolean,
) = subject.open().use { database ->
    try {
        CaseRun(subject, database).(case.check)()
    } catch (e: AdbcException) {
        if (passes) throw e else return@use
    } catch (e: AssertionError) {
        if (passes) throw e else return@use
    }
    withClue("${case.name} passes; take it off the list") { passes shouldBe true }
}

private val DATABASES = AtomicInteger()

private const val NO_TYPE = "the type can't be ingested"

private const val NOT_IMPLEMENTED = "not implemented"

private const val NO_SCHEMAS = "the database has no schemas"

private const val NO_QUERY = "a statement without a query is no error"

private const val NOT_NOT_FOUND = "the status is INTERNAL"

private const val ONE_ROW = "one row of parameters only"

private fun sqlite() =
    Validated(
        "SQLite",
        catalog = "main",
        dbSchema = null,
        temporary = "temp",
        key = "INTEGER",
        info = mapOf(0L to "SQLite", 1L to "3.", 100L to "ADBC SQLite Driver", 103L to 1_001_000L),
        selected = { type ->
            when {
                type in INTEGERS || type == ArrowType.BOOL -> ArrowType.INT64
                type in FLOATS -> ArrowType.FLOAT64
                type in TEXTS -> ArrowType.UTF8
                type in BLOBS || type == ArrowType.fixedSizeBinary(4) -> ArrowType.BINARY
                type == ArrowType.DATE32 || type.isTimestamp() -> ArrowType.UTF8
                else -> type
            }
        },
        lacks =
            mapOf(
                "ConnectionTest.MetadataCurrentDbSchema" to "the schema is \"\", not NOT_FOUND",
                "ConnectionTest.MetadataGetTableSchemaDbSchema" to NO_SCHEMAS,
                "ConnectionTest.MetadataGetObjectsCancel" to NOT_IMPLEMENTED,
                "ConnectionTest.MetadataGetStatisticNames" to NOT_IMPLEMENTED,
                "StatementTest.SqlPartitionedInts" to NOT_IMPLEMENTED,
                "StatementTest.SqlIngestDuration" to NO_TYPE,
                "StatementTest.SqlIngestInterval" to NO_TYPE,
                "StatementTest.SqlIngestListOfInt32" to NO_TYPE,
                "StatementTest.SqlIngestListOfString" to NO_TYPE,
                "StatementTest.SqlQueryCancel" to NOT_IMPLEMENTED,
                "StatementTest.SqlSchemaInts" to NOT_IMPLEMENTED,
                "StatementTest.SqlSchemaFloats" to NOT_IMPLEMENTED,
                "StatementTest.SqlSchemaStrings" to NOT_IMPLEMENTED,
                "StatementTest.SqlSchemaErrors" to NOT_IMPLEMENTED,
            ),
    ) {
        // Its connections share it.
        Databases.open("sqlite") { uri = "file:validation_${DATABASES.incrementAndGet()}?mode=memory&cache=shared" }
    }

private fun duckDb() =
    Validated(
        "DuckDB",
        catalog = "memory",
        dbSchema = "main",
        temporary = "temp",
        key = "INTEGER",
        info = mapOf(0L to "duckdb", 100L to "ADBC DuckDB Driver"),
        selected = { type ->
            when {
                type == ArrowType.FLOAT16 -> ArrowType.FLOAT32
                type in TEXTS -> ArrowType.UTF8
                type in BLOBS || type == ArrowType.fixedSizeBinary(4) -> ArrowType.BINARY
                type.isDuration() -> ArrowType.INTERVAL_MONTH_DAY_NANO
                type is ListType -> ArrowType.list(Field.nullable("l", type.element().type()))
                else -> type
            }
        },
        lacks =
            mapOf(
                "ConnectionTest.MetadataGetTableSchemaEscaping" to NOT_NOT_FOUND,
                "ConnectionTest.MetadataGetTableSchemaNotFound" to NOT_NOT_FOUND,
                "ConnectionTest.MetadataGetTableTypes" to "there is no type",
                "ConnectionTest.MetadataGetObjectsTablesTypes" to "a type that is not known is refused",
                "StatementTest.NewInit" to NO_QUERY,
                "StatementTest.SqlPartitionedInts" to NOT_IMPLEMENTED,
                "StatementTest.SqlIngestFloat16" to NO_TYPE,
                "StatementTest.SqlIngestErrors" to "an ingest without rows does nothing",
                "StatementTest.SqlIngestPrimaryKey" to "rows are ingested with all columns only",
                "StatementTest.SqlPrepareSelectParams" to ONE_ROW,
                "StatementTest.SqlPrepareUpdate" to ONE_ROW,
                "StatementTest.SqlPrepareUpdateStream" to ONE_ROW,
                "StatementTest.SqlBind" to ONE_ROW,
                "StatementTest.SqlPrepareErrorNoQuery" to NO_QUERY,
            ),
    ) { Databases.open("duckdb") }

private fun postgresql(open: () -> dev.arrowdevice.adbc.AdbcDatabase) =
    Validated(
        "PostgreSQL",
        placeholder = { "$${it + 1}" },
        catalog = "postgres",
        dbSchema = "public",
        temporary = "pg_temp",
        key = "BIGSERIAL",
        info = mapOf(0L to "PostgreSQL", 100L to "ADBC PostgreSQL Driver", 103L to 1_001_000L),
        selected = { type ->
            when {
                type == ArrowType.INT8 || type == ArrowType.UINT8 -> ArrowType.INT16
                type == ArrowType.UINT16 -> ArrowType.INT32
                type == ArrowType.UINT32 || type == ArrowType.UINT64 -> ArrowType.INT64
                type == ArrowType.FLOAT16 -> ArrowType.FLOAT32
                type in TEXTS -> ArrowType.UTF8
                type in BLOBS || type == ArrowType.fixedSizeBinary(4) -> ArrowType.BINARY
                type.isDuration() -> ArrowType.INTERVAL_MONTH_DAY_NANO
                else -> type
            }
        },
        lacks =
            mapOf(
                "StatementTest.SqlPartitionedInts" to NOT_IMPLEMENTED,
                "StatementTest.ConcurrentStatements" to "one result of a connection at a time",
                "StatementTest.SqlIngestTargetCatalog" to "no catalog can be set",
                "StatementTest.SqlIngestTargetCatalogSchema" to "no catalog can be set",
            ),
        open = open,
    )

private val INTEGERS =
    setOf(
        ArrowType.INT8,
        ArrowType.INT16,
        ArrowType.INT32,
        ArrowType.INT64,
        ArrowType.UINT8,
        ArrowType.UINT16,
        ArrowType.UINT32,
        ArrowType.UINT64,
    )

private val FLOATS = setOf(ArrowType.FLOAT16, ArrowType.FLOAT32, ArrowType.FLOAT64)

private val TEXTS =
    setOf(
        ArrowType.UTF8,
        ArrowType.LARGE_UTF8,
        ArrowType.UTF8_VIEW,
        ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8),
    )

private val BLOBS = setOf(ArrowType.BINARY, ArrowType.LARGE_BINARY, ArrowType.BINARY_VIEW)
