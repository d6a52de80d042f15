package dev.arrowdevice.adbc

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.coroutines.flowOfBatches
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.fold
import kotlinx.coroutines.flow.onEach
import java.util.concurrent.atomic.AtomicInteger

/** What each database does through ADBC. Each test has a new connection, and a table name of its own. */
internal class DatabaseContract(
    private val name: String,
    private val open: () -> AdbcDatabase,
    private val placeholder: String = "?",
    private val schemaOfStatistics: String? = null,
    private val features: Set<Feature>,
) {
    enum class Feature { MANY_PARAMETERS, CREATE_APPEND, TEMPORARY, EXECUTE_SCHEMA, ROW_COUNT, STATISTICS, CANCEL }

    private val tables = AtomicInteger()

    private fun table() = "t${tables.incrementAndGet()}"

    private suspend fun connected(block: suspend (AdbcConnection) -> Unit) =
        ReleaseBalance.start().use {
            open().use { database -> database.connect().use { block(it) } }
        }

    fun tests(spec: FunSpec) =
        with(spec) {
            queries()
            ingests()
            transactions()
            metadata()
            faults()
        }

    private fun FunSpec.queries() {
        test("$name: a result is a stream of batches, and again a flow") {
            connected { connection ->
                val sql = "SELECT 1 AS n UNION ALL SELECT 2 ORDER BY 1"
                connection.executeQuery(sql).use { result ->
                    result.schema.fields().map { it.name() } shouldBe listOf("n")
                    generateSequence { result.nextBatch() }.sumOf { batch -> batch.use { it.rowCount } } shouldBe 2
                }
                connection.query(sql).sum() shouldBe 3
                connection.query(sql).sum() shouldBe 3
                connection.query(sql, prefetch = 2).sum() shouldBe 3
            }
        }

        test("$name: a batch outlives result, connection and database") {
            ReleaseBalance.start().use {
                val database = open()
                val batch = database.connect().executeQuery("SELECT 42 AS n").nextBatch()!!
                database.close()
                batch.use { it.sum() shouldBe 42 }
            }
        }

        test("$name: parameters are bound from a batch, which remains the caller's") {
            connected { connection ->
                val table = connection.numbers(table(), 1L..5L)
                recordBatch { column<Long>("p") { add(3) } }.use { parameters ->
                    val query = connection.query("SELECT n FROM $table WHERE n = $placeholder", parameters)
                    query.sum() shouldBe 3
                    query.sum() shouldBe 3
                    parameters.isLive shouldBe true
                }
            }
        }

        if (Feature.MANY_PARAMETERS in features) {
            test("$name: each row of the parameters is an execution") {
                connected { connection ->
                    val table = connection.numbers(table(), 1L..5L)
                    recordBatch { column<Long>("p") { addAll(listOf(2L, 4L, 5L)) } }.use { parameters ->
                        connection.query("SELECT n FROM $table WHERE n = $placeholder", parameters).sum() shouldBe 11
                    }
                }
            }
        }

        if (Feature.EXECUTE_SCHEMA in features) {
            test("$name: the schema of a result is known without executing") {
                connected { connection ->
                    connection.createStatement().use {
                        it.setSqlQuery("SELECT 1 AS n, 'x' AS t")
                        it.executeSchema().fields().map { field -> field.name() } shouldBe listOf("n", "t")
                    }
                }
            }
        }

        test("$name: a statement is prepared once and executed twice") {
            connected { connection ->
                connection.createStatement().use { statement ->
                    statement.setSqlQuery("SELECT 7 AS n")
                    statement.prepare()
                    repeat(2) {
                        statement.executeQuery().use { result -> result.nextBatch()!!.use { it.sum() shouldBe 7 } }
                    }
                }
            }
        }

        test("$name: first() of a long result ends it") {
            connected { connection ->
                val table = connection.numbers(table(), 1L..50_000L)
                connection.query("SELECT n FROM $table ORDER BY n").first().isLive shouldBe false
                connection.query("SELECT count(*) AS n FROM $table").sum() shouldBe 50_000
            }
        }
    }

    private fun FunSpec.ingests() {
        test("$name: a batch, a stream and a flow are ingested: create, append, replace") {
            connected { connection ->
                val table = table()
                numbers(1L..3L).use { batch ->
                    rows(3) shouldContain connection.ingest(IngestTarget.table(table, IngestMode.CREATE), batch)
                    shouldThrow<AdbcException> {
                        connection.ingest(IngestTarget.table(table, IngestMode.CREATE), batch)
                    }
                    batch.isLive shouldBe true
                    rows(6) shouldContain
                        connection.ingest(IngestTarget.table(table, IngestMode.APPEND), batch.schema, twice(batch))
                    connection.query("SELECT n FROM $table").sum() shouldBe 18
                    connection.ingest(IngestTarget.table(table, IngestMode.REPLACE), batch)
                    connection.query("SELECT n FROM $table").sum() shouldBe 6
                }
            }
        }

        if (Feature.CREATE_APPEND in features) {
            test("$name: create-append makes the table, and then appends") {
                connected { connection ->
                    val table = table()
                    numbers(1L..3L).use { batch ->
                        repeat(2) { connection.ingest(IngestTarget.table(table, IngestMode.CREATE_APPEND), batch) }
                    }
                    connection.query("SELECT n FROM $table").sum() shouldBe 12
                }
            }
        }

        if (Feature.TEMPORARY in features) {
            test("$name: a temporary table is this connection's") {
                connected { connection ->
                    val table = table()
                    numbers(1L..3L).use {
                        connection.ingest(IngestTarget.table(table, IngestMode.CREATE).temporary(), it)
                    }
                    connection.query("SELECT n FROM $table").sum() shouldBe 6
                }
            }
        }

        test("$name: a flow that fails fails the ingest with its own exception") {
            connected { connection ->
                numbers(1L..3L).use { batch ->
                    val failing =
                        flowOfBatches {
                            emit(batch.share())
                            throw NoSuchElementException("the source is gone")
                        }
                    val failure =
                        shouldThrow<NoSuchElementException> {
                            connection.ingest(IngestTarget.table(table(), IngestMode.CREATE), batch.schema, failing)
                        }
                    failure.message shouldBe "the source is gone"
                }
                connection.query("SELECT 1 AS n").sum() shouldBe 1
            }
        }

        test("$name: nulls, texts and doubles are read as they were ingested") {
            connected { connection ->
                val table = table()
                recordBatch {
                    column<Long>("id") { addAll(1L..3L) }
                    column<String>("t") {
                        add("ä € 𝄞")
                        addNull()
                        add("")
                    }
                    column<Double>("d") {
                        addNull()
                        add(0.5)
                        add(-1e300)
                    }
                }.use { batch ->
                    connection.ingest(IngestTarget.table(table, IngestMode.CREATE), batch)
                    val rows =
                        connection.query("SELECT id, t, d FROM $table ORDER BY id").fold(listOf<Any?>()) { rows, next ->
                            rows + next.borrow { reader -> (0 until reader.length).map { reader.getObject(it) } }
                        }
                    rows shouldBe
                        listOf(
                            mapOf("id" to 1L, "t" to "ä € 𝄞", "d" to null),
                            mapOf("id" to 2L, "t" to null, "d" to 0.5),
                            mapOf("id" to 3L, "t" to "", "d" to -1e300),
                        )
                }
            }
        }
    }

    private fun FunSpec.transactions() {
        test("$name: a transaction commits what it did, or takes it back") {
            connected { connection ->
                val table = connection.numbers(table(), 1L..2L)
                connection.transaction { connection.update("INSERT INTO $table VALUES (10)") }
                shouldThrow<NoSuchElementException> {
                    connection.transaction {
                        connection.update("INSERT INTO $table VALUES (100)")
                        throw NoSuchElementException()
                    }
                }
                connection.query("SELECT n FROM $table").sum() shouldBe 13
            }
        }

        test("$name: commit and rollback by hand") {
            connected { connection ->
                val table = connection.numbers(table(), 1L..2L)
                connection.setAutocommit(false)
                connection.executeUpdate("INSERT INTO $table VALUES (10)")
                connection.rollback()
                connection.executeUpdate("INSERT INTO $table VALUES (20)")
                connection.commit()
                connection.setAutocommit(true)
                connection.query("SELECT n FROM $table").sum() shouldBe 23
            }
        }
    }

    private fun FunSpec.metadata() {
        test("$name: driver and database say who they are") {
            connected { connection ->
                val info = connection.info
                info.driverName.shouldNotBeNull()
                info.vendorName.shouldNotBeNull()
                info.get(100) shouldBe info.driverName
            }
        }

        test("$name: tables and columns are found, by pattern and type") {
            connected { connection ->
                val table = connection.numbers(table(), 1L..2L)
                val found =
                    connection
                        .getObjects(ObjectFilter.to(ObjectFilter.Depth.ALL).ofTable(table))
                        .flatMap { it.dbSchemas() }
                        .flatMap { it.tables() }
                        .single { it.name() == table }
                found.columns().map { it.name() } shouldBe listOf("n")
                found.columns().first().ordinalPosition() shouldBe 1
                connection.tableTypes shouldContain found.type()
                connection
                    .getObjects(
                        ObjectFilter.to(ObjectFilter.Depth.CATALOGS),
                    ).all { it.dbSchemas().isEmpty() } shouldBe
                    true
                connection.getTableSchema(null, null, table).fields().map { it.name() } shouldBe listOf("n")
                shouldThrow<AdbcException> { connection.getTableSchema(null, null, "no_such_table") }
            }
        }

        if (Feature.STATISTICS in features) {
            test("$name: statistics have the names of the specification") {
                connected { connection ->
                    val table = connection.numbers(table(), 1L..20L)
                    connection.executeUpdate("ANALYZE $table")
                    connection.getStatistics(null, schemaOfStatistics, table, true).map { it.name() } shouldContain
                        "adbc.statistic.row_count"
                }
            }
        }
    }

    private fun FunSpec.faults() {
        test("$name: an error of SQL has the database's words, and the connection goes on") {
            connected { connection ->
                val error = shouldThrow<AdbcException> { connection.query("SELECT * FROM no_such_table").sum() }
                error.message shouldContain "no_such_table"
                connection.query("SELECT 1 AS n").sum() shouldBe 1
            }
        }

        test("$name: an unknown option is refused by its name, before or when it is used") {
            connected { connection ->
                connection.createStatement().use { statement ->
                    shouldThrow<AdbcException> { statement.setOption("no.such.option", "1") }.message shouldContain
                        "no.such.option"
                }
            }
        }

        test("$name: a result that is read after its connection was closed says so") {
            ReleaseBalance.start().use {
                open().use { database ->
                    val connection = database.connect()
                    val result = connection.executeQuery("SELECT 1 AS n")
                    connection.close()
                    shouldThrow<IllegalStateException> { result.nextBatch() }.message shouldContain "has been closed"
                    result.close()
                }
            }
        }

        test("$name: an ingest from a query of the same connection is refused and does not hang") {
            connected { connection ->
                val table = connection.numbers(table(), 1L..3L)
                val target = IngestTarget.table(table(), IngestMode.CREATE)
                val schema = connection.getTableSchema(null, null, table)
                shouldThrow<IllegalStateException> {
                    connection.ingest(target, schema, connection.query("SELECT n FROM $table"))
                }.message shouldContain "use another connection"
                connection.query("SELECT n FROM $table").sum() shouldBe 6
            }
        }
    }

    private fun rows(count: Long): List<Long> = if (Feature.ROW_COUNT in features) listOf(count) else listOf(-1L, count)

    private fun AdbcConnection.numbers(
        table: String,
        values: LongRange,
    ): String {
        numbers(values).use { ingest(IngestTarget.table(table, IngestMode.CREATE), it) }
        return table
    }

    private fun numbers(values: LongRange): RecordBatch = recordBatch { column<Long>("n") { addAll(values) } }

    private fun twice(batch: RecordBatch): Flow<RecordBatch> = flowOfBatches { repeat(2) { emit(batch.share()) } }

    companion object {
        /** The sum of the first column, as whole numbers. */
        suspend fun Flow<RecordBatch>.sum(): Long {
            var sum = 0L
            onEach { sum += it.sum() }.fold(0) { count, _ -> count }
            return sum
        }

        fun RecordBatch.sum(): Long =
            borrow { reader ->
                val first = reader.child(0)
                (0 until reader.length).sumOf { (first.getObject(it) as Number).toLong() }
            }
    }
}
