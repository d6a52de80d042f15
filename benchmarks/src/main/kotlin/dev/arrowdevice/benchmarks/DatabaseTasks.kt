package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.database.Database
import dev.arrowdevice.benchmarks.database.DatabaseProgram.Work
import dev.arrowdevice.benchmarks.database.OneRow
import dev.arrowdevice.benchmarks.database.Way
import dev.arrowdevice.benchmarks.database.programOf

private const val MILLION = 1_000_000L

/** What the design allows a query on top of the same calls in C. */
private val calls = Ratio.Allowance(nanos = 5_000.0)

/** Each takes too long for the quick mode. */
private fun databaseTask(
    name: String,
    what: String,
    database: Database,
    ours: Measured,
    peer: Peer,
    ratio: Ratio = Ratio.TimesAsFast,
    budget: Double? = null,
    obstacle: () -> String? = { null },
) = Task(name, what, ours, peer, ratio, budget, quick = false, obstacle = { database.obstacle() ?: obstacle() })

private fun scanTask(
    name: String,
    database: Database,
    peerName: String,
    peer: Way,
    rows: Long,
    budget: Double?,
) = databaseTask(
    "adbc/$name",
    "a row of five columns of numbers out of ${"%,d".format(rows)} of ${database.title}, read and added up",
    database,
    programOf(Work.SCAN, database, Way.ADBC, rows),
    Peer(peerName, programOf(Work.SCAN, database, peer, rows)),
    budget = budget,
)

private fun ingestTask(
    name: String,
    database: Database,
    peerName: String,
) = databaseTask(
    "adbc/$name",
    "a row of three columns out of ${"%,d".format(MILLION)} that become a table of ${database.title}",
    database,
    programOf(Work.INGEST, database, Way.ADBC, MILLION),
    Peer(peerName, programOf(Work.INGEST, database, Way.JDBC, MILLION)),
)

/** Databases over ADBC, beside what users of the JVM do today. */
internal val databaseTasks: List<Task> =
    listOf(
        scanTask("duckdb-scan", Database.DUCKDB, "JDBC", Way.JDBC, 10 * MILLION, budget = 5.0),
        scanTask("duckdb-scan-arrow-java", Database.DUCKDB, "arrow-java", Way.ARROW_JAVA, 10 * MILLION, budget = 1.5),
        scanTask("postgresql-scan", Database.POSTGRESQL, "JDBC", Way.JDBC, MILLION, budget = 1.5),
        scanTask("sqlite-scan", Database.SQLITE, "JDBC", Way.JDBC, MILLION, budget = null),
        ingestTask("duckdb-ingest", Database.DUCKDB, "JDBC's appender"),
        ingestTask("postgresql-ingest", Database.POSTGRESQL, "JDBC in batches"),
        ingestTask("sqlite-ingest", Database.SQLITE, "JDBC in batches"),
        databaseTask(
            "adbc/one-row",
            "a query of one row of SQLite, from the statement to its release, beside the same calls in C",
            Database.SQLITE,
            jmh<OneRow>("adbc"),
            Peer("C", jmh<OneRow>("inC")),
            calls,
            budget = 1.0,
            obstacle = ::lackOfCompiler,
        ),
        databaseTask(
            "adbc/one-row-jdbc",
            "a query of one row of SQLite",
            Database.SQLITE,
            jmh<OneRow>("adbc"),
            Peer("JDBC", jmh<OneRow>("jdbc")),
            obstacle = ::lackOfCompiler,
        ),
    )
