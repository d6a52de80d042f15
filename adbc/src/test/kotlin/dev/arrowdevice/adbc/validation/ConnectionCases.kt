package dev.arrowdevice.adbc.validation

import dev.arrowdevice.ArrowType
import dev.arrowdevice.adbc.AdbcConstraint
import dev.arrowdevice.adbc.AdbcException
import dev.arrowdevice.adbc.AdbcOption
import dev.arrowdevice.adbc.AdbcStatus
import dev.arrowdevice.adbc.AdbcTable
import dev.arrowdevice.adbc.ObjectFilter
import dev.arrowdevice.adbc.ObjectFilter.Depth
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith

private const val SAMPLE = "bulk_ingest"

private val SAMPLE_SCHEMA = listOf("int64s" to ArrowType.INT64, "strings" to ArrowType.UTF8)

private fun CaseRun.columnsOf(schema: String?): List<Pair<String, ArrowType>> =
    connection.getTableSchema(null, schema, SAMPLE).fields().map { it.name() to it.type() }

internal val databaseCases: List<ValidationCase> =
    listOf(
        ValidationCase("DatabaseTest.NewInit") {
            database.isOpen shouldBe true
            repeat(2) { database.close() }
            database.isOpen shouldBe false
            shouldThrow<IllegalStateException> { database.connect() }
        },
    )

internal val connectionCases: List<ValidationCase> =
    listOf(
        ValidationCase("ConnectionTest.NewInit") {
            connection.isOpen shouldBe true
            repeat(2) { connection.close() }
            connection.isOpen shouldBe false
            shouldThrow<IllegalStateException> { connection.createStatement() }
        },
        ValidationCase("ConnectionTest.Concurrent") {
            database.connect().use { other ->
                connection.close()
                rows("SELECT 42", other).column() shouldBe listOf(42L)
            }
        },
        ValidationCase("ConnectionTest.AutocommitDefault") {
            status { connection.commit() } shouldBe AdbcStatus.INVALID_STATE
            status { connection.rollback() } shouldBe AdbcStatus.INVALID_STATE
            shouldThrow<AdbcException> { connection.setOption(AdbcOption.AUTOCOMMIT.key, "invalid") }
        },
        ValidationCase("ConnectionTest.AutocommitToggle") {
            connection.setAutocommit(true)
            repeat(2) { connection.setAutocommit(false) }
        },
        ValidationCase("ConnectionTest.MetadataCurrentCatalog") { current(AdbcOption.CATALOG, subject.catalog) },
        ValidationCase("ConnectionTest.MetadataCurrentDbSchema") { current(AdbcOption.DB_SCHEMA, subject.dbSchema) },
        ValidationCase("ConnectionTest.MetadataGetInfo") {
            for ((code, expected) in subject.info) {
                withClue("info $code") {
                    val value = connection.info.get(code)
                    if (expected is String) "$value" shouldContain expected else value shouldBe expected
                }
            }
        },
        ValidationCase("ConnectionTest.MetadataGetTableSchema") {
            sample(SAMPLE)
            columnsOf(null) shouldBe SAMPLE_SCHEMA
        },
        ValidationCase("ConnectionTest.MetadataGetTableSchemaDbSchema") {
            execute("CREATE SCHEMA IF NOT EXISTS otherschema")
            sample(SAMPLE, "otherschema")
            columnsOf("otherschema") shouldBe SAMPLE_SCHEMA
        },
        ValidationCase("ConnectionTest.MetadataGetTableSchemaEscaping") {
            status { connection.getTableSchema(null, null, "(SELECT CURRENT_TIME)") } shouldBe AdbcStatus.NOT_FOUND
        },
        ValidationCase("ConnectionTest.MetadataGetTableSchemaNotFound") {
            drop("thistabledoesnotexist")
            status { connection.getTableSchema(null, null, "thistabledoesnotexist") } shouldBe AdbcStatus.NOT_FOUND
        },
        ValidationCase("ConnectionTest.MetadataGetTableTypes") { connection.tableTypes.shouldNotBeEmpty() },
        ValidationCase("ConnectionTest.MetadataGetObjectsCatalogs") {
            val all = connection.getObjects(ObjectFilter.to(Depth.CATALOGS))
            all.shouldNotBeEmpty()
            all.flatMap { it.dbSchemas() }.shouldBeEmpty()
            connection
                .getObjects(ObjectFilter.to(Depth.CATALOGS).inCatalog("this catalog does not exist"))
                .shouldBeEmpty()
        },
        ValidationCase("ConnectionTest.MetadataGetObjectsDbSchemas") {
            val all = connection.getObjects(ObjectFilter.to(Depth.DB_SCHEMAS))
            all.shouldNotBeEmpty()
            all.flatMap { it.dbSchemas() }.flatMap { it.tables() }.shouldBeEmpty()
            connection
                .getObjects(ObjectFilter.to(Depth.DB_SCHEMAS).inDbSchema("this schema does not exist"))
                .flatMap { it.dbSchemas() }
                .shouldBeEmpty()
        },
        ValidationCase("ConnectionTest.MetadataGetObjectsTables") {
            sample(SAMPLE)
            for ((pattern, isThere) in listOf(null to true, "bulk_%" to true, "asdf%" to false)) {
                val found = tables(ObjectFilter.to(Depth.TABLES).ofTable(pattern))
                withClue("pattern $pattern") { found.any { it.name() == SAMPLE } shouldBe isThere }
                found.flatMap { it.columns() }.shouldBeEmpty()
                found.flatMap { it.constraints() }.shouldBeEmpty()
            }
        },
        ValidationCase("ConnectionTest.MetadataGetObjectsTablesTypes") {
            sample(SAMPLE)
            val type = tables(ObjectFilter.to(Depth.TABLES).ofTable(SAMPLE)).first { it.name() == SAMPLE }.type()
            tables(ObjectFilter.to(Depth.TABLES).ofTypes(type)).any { it.name() == SAMPLE } shouldBe true
            tables(ObjectFilter.to(Depth.TABLES).ofTypes("no_such_type")).shouldBeEmpty()
        },
        ValidationCase("ConnectionTest.MetadataGetObjectsColumns") {
            sample(SAMPLE)
            val positions = listOf("int64s" to 1, "strings" to 2)
            for ((pattern, expected) in listOf(null to positions, "in%" to positions.take(1))) {
                val table = tables(ObjectFilter.to(Depth.ALL).ofColumn(pattern)).first { it.name() == SAMPLE }
                withClue("pattern $pattern") {
                    table.columns().map { it.name() to it.ordinalPosition() } shouldBe expected
                }
            }
        },
        ValidationCase("ConnectionTest.MetadataGetObjectsPrimaryKey") {
            primaryKeyTables("adbc_pkey_test", "adbc_composite_pkey_test")
            val table = table("adbc_pkey_test")
            table.columns().map { it.name() } shouldBe listOf("id")
            table.constraints().single().columnsOf("PRIMARY KEY") shouldBe listOf("id")
            val composite = table("adbc_composite_pkey_test")
            composite.columns().map { it.name() } shouldBe listOf("id_primary_col1", "id_primary_col2")
            composite.constraints().first().columnsOf("PRIMARY KEY") shouldBe
                listOf("id_primary_col1", "id_primary_col2")
        },
        ValidationCase("ConnectionTest.MetadataGetObjectsForeignKey") {
            drop("adbc_fkey_child_test")
            primaryKeyTables("adbc_fkey_parent_1_test", "adbc_fkey_parent_2_test")
            execute(
                "CREATE TABLE adbc_fkey_child_test (id_child_col1 ${subject.key} PRIMARY KEY, id_child_col2 INTEGER, " +
                    "id_child_col3 INTEGER, FOREIGN KEY (id_child_col3) REFERENCES adbc_fkey_parent_1_test (id), " +
                    "FOREIGN KEY (id_child_col1, id_child_col2) REFERENCES adbc_fkey_parent_2_test " +
                    "(id_primary_col1, id_primary_col2))",
            )
            val child = table("adbc_fkey_child_test")
            child.columns().map { it.name() } shouldBe listOf("id_child_col1", "id_child_col2", "id_child_col3")
            val constraints = child.constraints().associateBy { it.references().size }
            constraints.keys shouldBe setOf(0, 1, 2)
            constraints.getValue(0).columnsOf("PRIMARY KEY") shouldBe listOf("id_child_col1")
            constraints.getValue(1).columnsOf("FOREIGN KEY") shouldBe listOf("id_child_col3")
            constraints.getValue(1).referred() shouldBe listOf("adbc_fkey_parent_1_test" to "id")
            constraints.getValue(2).columnsOf("FOREIGN KEY") shouldBe listOf("id_child_col1", "id_child_col2")
            constraints.getValue(2).referred() shouldContainExactly
                listOf(
                    "adbc_fkey_parent_2_test" to "id_primary_col1",
                    "adbc_fkey_parent_2_test" to "id_primary_col2",
                )
        },
        ValidationCase("ConnectionTest.MetadataGetObjectsCancel") {
            connection.getObjects(ObjectFilter.to(Depth.CATALOGS)).shouldNotBeEmpty()
            connection.cancel()
            connection.getObjects(ObjectFilter.to(Depth.CATALOGS)).shouldNotBeEmpty()
        },
        ValidationCase("ConnectionTest.MetadataGetStatisticNames") {
            sample(SAMPLE)
            execute("ANALYZE $SAMPLE")
            val found = connection.getStatistics(null, subject.dbSchema, SAMPLE, true)
            found.shouldNotBeEmpty()
            found.forEach { it.name() shouldStartWith "adbc.statistic." }
        },
    )

private fun CaseRun.current(
    option: AdbcOption<String>,
    expected: String?,
) {
    if (expected == null) {
        status { connection.getOption(option) } shouldBe AdbcStatus.NOT_FOUND
    } else {
        connection.getOption(option) shouldBe expected
    }
}

private fun CaseRun.tables(filter: ObjectFilter): List<AdbcTable> =
    connection.getObjects(filter).flatMap { it.dbSchemas() }.flatMap { it.tables() }

private fun CaseRun.table(name: String): AdbcTable = tables(ObjectFilter.to(Depth.ALL)).single { it.name() == name }

private fun CaseRun.primaryKeyTables(
    single: String,
    composite: String,
) {
    drop(single)
    drop(composite)
    execute("CREATE TABLE $single (id ${subject.key} PRIMARY KEY)")
    execute(
        "CREATE TABLE $composite (id_primary_col1 INTEGER, id_primary_col2 INTEGER, " +
            "PRIMARY KEY (id_primary_col1, id_primary_col2))",
    )
}

private fun AdbcConstraint.columnsOf(type: String): List<String> {
    type() shouldBe type
    return columns()
}

private fun AdbcConstraint.referred(): List<Pair<String, String>> = references().map { it.table() to it.column() }
