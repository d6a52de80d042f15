package dev.arrowdevice.samples

import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.adbc.adbc
import dev.arrowdevice.asSequence
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

/**
 * The rows that DuckDB finds by SQL alone in the data set, as a table prints them.
 *
 * @param prepare a statement that comes first
 */
internal fun inSql(
    sql: String,
    prepare: String? = null,
): List<List<String>> =
    adbc("duckdb").use { database ->
        database.connect().use { duck ->
            for (table in listOf("flights", "airlines", "airports")) {
                duck.executeUpdate("CREATE VIEW $table AS FROM '${"$DATA/$table.parquet".replace("'", "''")}'")
            }
            prepare?.let(duck::executeUpdate)
            duck.rows(sql)
        }
    }

/** The rows of a result, each value as text. */
internal fun AdbcConnection.rows(sql: String): List<List<String>> =
    executeQuery(sql).use { result ->
        result
            .asSequence()
            .flatMap { batch ->
                (0 until batch.rowCount).map { row -> List(batch.columnCount) { "${batch.column(it).getObject(row)}" } }
            }.toList()
    }

internal fun String.grouped(): String = "%,d".format(Locale.ROOT, toLong())
