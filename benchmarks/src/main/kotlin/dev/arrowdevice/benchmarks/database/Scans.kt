package dev.arrowdevice.benchmarks.database

import dev.arrowdevice.ArrayReader
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.adbc.AdbcConnection
import dev.arrowdevice.forEachBatch
import org.apache.arrow.memory.RootAllocator
import org.apache.arrow.vector.BigIntVector
import org.apache.arrow.vector.Float8Vector
import org.apache.arrow.vector.IntVector
import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.ipc.ArrowReader
import org.duckdb.DuckDBResultSet
import java.sql.Connection
import java.sql.ResultSet

private const val SCAN = "SELECT id, a, b, c, d FROM scanned"

/** How many rows JDBC and its drivers fetch at a time, where they don't fetch all. */
private const val FETCHED = 10_000

/** Reads the whole table, and adds up its numbers. */
internal fun interface Scan {
    fun sum(): Double
}

internal fun AdbcConnection.scan() =
    Scan {
        var sum = 0.0
        executeQuery(SCAN).use { result -> result.forEachBatch { batch -> sum += batch.sum() } }
        sum
    }

private fun RecordBatch.sum(): Double =
    borrow { row ->
        val (id, a, b, c, d) = List(5, row::child)
        sum(row.length, id, a, b, c, d)
    }

private fun sum(
    rows: Long,
    id: ArrayReader,
    a: ArrayReader,
    b: ArrayReader,
    c: ArrayReader,
    d: ArrayReader,
): Double {
    var whole = 0L
    var broken = 0.0
    for (i in 0 until rows) {
        whole += id.getLong(i) + a.getLong(i) + c.getLong(i)
        broken += b.getDouble(i)
        if (!d.isNull(i)) whole += d.getLong(i)
    }
    return whole + broken
}

/** A result of PostgreSQL is fetched in parts only within a transaction. */
internal fun Connection.scan(): Scan {
    autoCommit = false
    return Scan {
        createStatement().use { statement ->
            statement.fetchSize = FETCHED
            statement.executeQuery(SCAN).use { it.sum() }
        }
    }
}

private fun ResultSet.sum(): Double {
    var whole = 0L
    var broken = 0.0
    while (next()) {
        whole += getLong(1) + getInt(2) + getLong(4)
        broken += getDouble(3)
        val last = getInt(5)
        if (!wasNull()) whole += last
    }
    return whole + broken
}

/** As DuckDB's JDBC driver passes batches to Arrow Java. */
internal fun Connection.scanByArrowJava(batch: Long) =
    Scan {
        RootAllocator().use { allocator ->
            createStatement().use { statement ->
                statement.executeQuery(SCAN).use { result ->
                    val reader = result.unwrap(DuckDBResultSet::class.java).arrowExportStream(allocator, batch)
                    (reader as ArrowReader).use { it.sum() }
                }
            }
        }
    }

private fun ArrowReader.sum(): Double {
    var sum = 0.0
    while (loadNextBatch()) sum += vectorSchemaRoot.sum()
    return sum
}

private fun VectorSchemaRoot.sum(): Double {
    val id = getVector(0) as BigIntVector
    val a = getVector(1) as IntVector
    val b = getVector(2) as Float8Vector
    val c = getVector(3) as BigIntVector
    val d = getVector(4) as IntVector
    var whole = 0L
    var broken = 0.0
    for (i in 0 until rowCount) {
        whole += id.get(i) + a.get(i) + c.get(i)
        broken += b.get(i)
        if (!d.isNull(i)) whole += d.get(i)
    }
    return whole + broken
}

/** What a scan finds. */
internal fun expectedSum(rows: Long): Double {
    var whole = 0L
    var broken = 0.0
    for (i in 0 until rows) {
        whole += i + i % 86_400 + i % 1_000_003
        broken += i % 1000 / 8.0
        if (i % 10 > 0) whole += i % 500
    }
    return whole + broken
}
