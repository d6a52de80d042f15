package dev.arrowdevice.samples

import dev.arrowdevice.samples.duckdb.DuckDb
import dev.arrowdevice.samples.duckdb.DuckDbConnection
import dev.arrowdevice.samples.duckdb.rows
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.file.Path
import java.util.Locale

internal val DATA: Path = Path.of(System.getProperty("basedir", "."), "data")

/** The output of a sample, line by line. */
internal fun printed(run: (PrintStream) -> Unit): List<String> {
    val bytes = ByteArrayOutputStream()
    PrintStream(bytes, false, Charsets.UTF_8).use(run)
    return bytes.toString(Charsets.UTF_8).trim().lines()
}

/** The cells of the table whose first column has this name. */
internal fun List<String>.tableOf(firstColumn: String): List<List<String>> =
    dropWhile { !it.trim().startsWith("$firstColumn ") }
        .drop(3)
        .takeWhile { !it.startsWith("(") }
        .map { row -> row.split("|").map { it.trim() } }

/** The rows that DuckDB finds by SQL alone in the data set, as a table prints them. */
internal fun inSql(
    sql: String,
    prepare: String = "",
): List<List<String>> =
    DuckDb.openInMemory().use { database ->
        database.connect().use { duck ->
            for (table in listOf("flights", "airlines", "airports")) {
                duck.execute("CREATE VIEW $table AS FROM ${DuckDbConnection.literal("$DATA/$table.parquet")}")
            }
            duck.execute(prepare)
            duck.rows(sql).map { row -> row.map { it.toString() } }
        }
    }

internal fun String.grouped(): String = "%,d".format(Locale.ROOT, toLong())
